/** Converts component tags of other documentation generators. */

import type { BodyPass } from "./body-pass.ts";

const attribute = String.raw`[\w:-]+(?:=(?:"[^"]*"|'[^']*'|\{(?:[^{}]|\{[^{}]*\})*\}))?`;
/**
 * Matches a tag without spread attributes. Groups: the `/` of a closing tag, name, attributes, the `/` of a
 * self-closing tag.
 */
export const tagPattern = new RegExp(String.raw`<(/?)([A-Za-z][\w.]*)((?:\s+${attribute})*)\s*(/?)>`, "g");

/**
 * Attributes as written in the source, with quotes or braces, by name. Undefined for an attribute without a
 * value.
 */
type Attributes = Map<string, string | undefined>;

interface TagRule {
  /** Name in Octavo. Undefined removes the tag and keeps its content. */
  name: string | undefined;
  attributes?(given: Attributes): Attributes;
  /** Hint for a component without an equivalent in Octavo. */
  missing?: string;
}

const keep =
  (...names: string[]) =>
  (given: Attributes) =>
    new Map([...given].filter(([name]) => names.includes(name)));
const rename = (from: string, to: string) => (given: Attributes) =>
  new Map([...given].map(([name, value]) => [name === from ? to : name, value]));

/** Badge color by the variant of a Starlight badge. */
const badgeColors: Record<string, string> = {
  note: "blue",
  tip: "purple",
  success: "green",
  caution: "orange",
  danger: "red",
};

/** Lucide's names of Starlight's icons, if they differ. */
const icons: Record<string, string> = {
  "up-caret": "chevron-up",
  "down-caret": "chevron-down",
  "left-caret": "chevron-left",
  "right-caret": "chevron-right",
  "up-arrow": "arrow-up",
  "down-arrow": "arrow-down",
  "left-arrow": "arrow-left",
  "right-arrow": "arrow-right",
  bars: "menu",
  translate: "languages",
  document: "file-text",
  "add-document": "file-plus",
  setting: "settings",
  external: "external-link",
  "open-book": "book-open",
  information: "info",
  magnifier: "search",
  "forward-slash": "slash",
  close: "x",
  error: "circle-x",
  warning: "triangle-alert",
  "approve-check": "check",
  "approve-check-circle": "circle-check",
  "list-format": "list",
  random: "shuffle",
  comment: "message-circle",
  "comment-alt": "message-square",
};

const rules: Record<string, TagRule> = {
  Tabs: { name: "Tabs", attributes: () => new Map() },
  TabItem: {
    name: "Tab",
    attributes: (given) =>
      new Map([["title", given.get("label") ?? given.get("value") ?? '"Tab"'], ...keep("icon")(given)]),
  },
  CardGrid: { name: "Columns", attributes: () => new Map([["cols", "{2}"]]) },
  LinkCard: {
    name: "Card",
    attributes: keep("title", "href", "description"),
  },
  FileTree: { name: "Tree" },
  Aside: {
    name: "Callout",
    attributes: (given) => new Map([["type", calloutType(given.get("type"))], ...keep("title")(given)]),
  },
  Badge: {
    name: "Badge",
    attributes: (given) =>
      new Map([["color", `"${badgeColors[unquoted(given.get("variant")) ?? ""] ?? "gray"}"`]]),
  },
  Icon: { name: "Icon", attributes: (given) => rename("name", "icon")(keep("name", "color")(given)) },
  LinkButton: { name: "a", attributes: keep("href") },
  Link: { name: "a", attributes: rename("to", "href") },
  Image: { name: "img", attributes: keep("src", "alt", "width", "height") },
  ThemedImage: {
    name: undefined,
    missing: "Use two images with the classes `block dark:hidden` and `hidden dark:block`.",
  },
  BrowserOnly: { name: undefined, missing: "Rewrite the content as Markdown or as a custom component." },
  DocCardList: { name: undefined, missing: "List the pages as cards." },
  Head: { name: undefined, missing: "Use the frontmatter keys for metadata." },
  Details: { name: "details" },
  Fragment: { name: undefined },
};

function calloutType(given: string | undefined): string {
  return `"${({ caution: "warning", tip: "tip", danger: "danger" } as Record<string, string>)[unquoted(given) ?? ""] ?? "note"}"`;
}

function unquoted(value: string | undefined): string | undefined {
  return value?.replace(/^\{?\s*["'`]([\s\S]*?)["'`]\s*\}?$/, "$1");
}

const linked = /^(?:src|srcSet|href|to|poster|img)$/;

/**
 * Converts a match of `tagPattern`: adds the change to the edits of the pass. Tags without a rule keep their
 * name.
 */
export function convertTag(match: RegExpExecArray, { edits, lineOf, linkTo, report }: BodyPass): void {
  const [whole, closing, name, , empty] = match as unknown as [string, string, string, string, string];
  const rule = Object.hasOwn(rules, name) ? rules[name]! : { name };
  const end = match.index + whole.length;
  if (closing) {
    if (rule.name !== name) edits.replace(match.index, end, rule.name ? `</${rule.name}>` : "");
    return;
  }
  if (rule.missing)
    report(
      lineOf(match.index),
      `The <${name}> tags were removed, because Octavo has no such component`,
      rule.missing,
    );
  if (!rule.name) return edits.replace(match.index, end, "");
  const written = edits.text.slice(match.index + 1 + name.length, end);
  const given = readAttributes(written);
  const moved = new Map(
    [...(rule.attributes?.(given) ?? given)].map(([key, value]) => [
      key,
      linked.test(key) ? movedUrl(value, linkTo) : key === "icon" ? movedIcon(value) : value,
    ]),
  );
  if (
    rule.name === name &&
    [...moved].every(([key, value]) => given.has(key) && given.get(key) === value) &&
    moved.size === given.size
  )
    return;
  const content = textContent(name, given);
  const description = moved.get("description");
  if (name === "LinkCard") moved.delete("description");
  const inner = content ?? (name === "LinkCard" && description ? unquoted(description) : undefined);
  const attributes = [...moved]
    .map(([key, value]) => (value === undefined ? ` ${key}` : ` ${key}=${value}`))
    .join("");
  edits.replace(
    match.index,
    end,
    inner
      ? `<${rule.name}${attributes}>${inner}</${rule.name}>`
      : `<${rule.name}${attributes}${empty ? " /" : ""}>`,
  );
}

/** Returns the content of a tag whose text is in an attribute. Undefined for other tags. */
function textContent(name: string, given: Attributes): string | undefined {
  return name === "Badge" ? unquoted(given.get("text")) : undefined;
}

function readAttributes(text: string): Attributes {
  return new Map(
    [...text.matchAll(new RegExp(attribute, "g"))].map(([whole]) => {
      const equals = whole.indexOf("=");
      return equals < 0 ? [whole, undefined] : [whole.slice(0, equals), whole.slice(equals + 1)];
    }),
  );
}

function movedIcon(value: string | undefined): string | undefined {
  const icon = icons[unquoted(value) ?? ""];
  return icon ? `"${icon}"` : value;
}

/**
 * Converts the value of an attribute with a URL. Calls to `require` and `useBaseUrl`, and variables of
 * imported images, become plain URLs.
 */
function movedUrl(value: string | undefined, linkTo: (url: string) => string): string | undefined {
  if (value === undefined) return undefined;
  const call = /^\{\s*(?:require|useBaseUrl)\(\s*["']([^"']*)["']\s*\)(?:\.default)?\s*\}$/.exec(value)?.[1];
  const url = call ?? /^(?:\{\s*)?["']([^"']*)["'](?:\s*\})?$/.exec(value)?.[1];
  if (url !== undefined) return `"${linkTo(url)}"`;
  return value.replace(/^\{\s*([\w$]+)\.src\s*\}$/, "{$1}");
}
