/**
 * Chooses the content that an audience sees: applies the `for` props of the Visibility component to a content
 * tree. Removes other elements with props that could restrict access, because Octavo doesn't know their
 * rules.
 */

import { problem, type Report } from "../../base/problem.ts";
import { accessProp, groupNames } from "../access-words.ts";
import {
  type ContentElement,
  type ContentNode,
  isContentElement,
  type Props,
  type PropValue,
} from "../content.ts";

/**
 * The readers of a version of a page. `visitor`: not signed in. `author`: the author of a preview, who sees
 * everything. A list: signed-in readers who are in at least one group of each of these lists, and not known
 * to be in the other groups that the page names.
 */
export type Audience = "visitor" | "author" | readonly (readonly string[])[];

/** The readers who see a piece of content. A list: readers in one of these groups. An empty list: no one. */
type Condition = "signed-in" | "signed-out" | readonly string[];

/** Maximum number of different lists of groups on a page. No one sees content for further lists. */
const groupLists_count = 3;

const allowed =
  'Use <Visibility> with for="humans", "agents", "signed-in" or "signed-out", or with for={{ groups: ["staff"] }}.';

/** Content of a page for one audience, and the other audiences for which the content is different. */
export interface AudienceContent {
  nodes: ContentNode[];
  others: Audience[];
}

/**
 * Returns the content for an audience. Removes content whose `for` isn't valid, and reports it. `file`: the
 * page's file.
 */
export function contentFor(
  nodes: ContentNode[],
  audience: Audience,
  { file, report }: { file: string; report: Report },
): AudienceContent {
  if (!hasConditions(nodes)) return { nodes, others: [] };
  const found = { lists: new Map<string, readonly string[]>(), isConditional: false };
  const isShown = (node: ContentElement): boolean => {
    const place = { file, ...(node.line ? { line: node.line, column: node.column } : {}) };
    const condition = conditionOf(node);
    if (typeof condition === "object" && "message" in condition) {
      report(problem("unknown-audience", place, condition.message, allowed));
      return false;
    }

    found.isConditional = true;
    if (typeof condition === "string")
      return audience === "author" || (condition === "signed-out") === (audience === "visitor");
    const key = listKey(condition);
    if (condition.length && !found.lists.has(key)) {
      if (found.lists.size === groupLists_count) {
        report(
          problem(
            "unknown-audience",
            place,
            `A page can have content for at most ${groupLists_count} different lists of groups`,
          ),
        );
        return audience === "author";
      }
      found.lists.set(key, condition);
    }

    return (
      audience === "author" ||
      (typeof audience === "object" && audience.some((list) => listKey(list) === key))
    );
  };

  const list = (items: readonly ContentNode[]): ContentNode[] =>
    items.flatMap((node): ContentNode[] => {
      if (typeof node === "string") return [node];
      if (!isConditional(node)) return [inner(node)];

      if (!isShown(node)) {
        // Finds the conditions in content that this audience doesn't see.
        list(node.children);
        return [];
      }

      const children = list(node.children);
      return children.every((child) => typeof child !== "string" || child.trim() === "")
        ? children
        : [
            {
              name: "MDX",
              props: {},
              children,
              ...(node.line ? { line: node.line, column: node.column } : {}),
            },
          ];
    });

  const inner = (node: ContentElement): ContentElement => {
    node.children = list(node.children);
    for (const [key, value] of Object.entries(node.props))
      if (typeof value === "object" && value !== null) node.props[key] = prop(value);
    return node;
  };

  const prop = (value: PropValue): PropValue => {
    if (Array.isArray(value)) return value.map(prop);
    if (isContentElement(value))
      return isConditional(value) ? { name: "", props: {}, children: list([value]) } : inner(value);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, prop(item)]));
  };

  const shown = list(nodes);
  return {
    nodes: withoutUnusedFootnotes(shown),
    others: found.isConditional ? otherAudiences([...found.lists.values()]) : [],
  };
}

/** Whether content has conditions, including in JSX in attributes. */
function hasConditions(value: PropValue | readonly ContentNode[]): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return (value as readonly PropValue[]).some(hasConditions);
  if (!isContentElement(value as PropValue)) return Object.values(value).some(hasConditions);
  const node = value as ContentElement;
  return isConditional(node) || hasConditions(node.children) || Object.values(node.props).some(hasConditions);
}

/** Whether an element is content for some readers, and not only for people or only for programs. */
function isConditional({ name, props }: ContentElement): boolean {
  if (!isVisibility(name)) return accessProp(name, props) !== undefined;
  return (
    name !== "Visibility" || !(typeof props.for === "string" && isFormat(props.for) && hasOnlyFor(props))
  );
}

/** Whether a tag is `<Visibility>` in any case, such as `<visibility>`, which isn't an HTML element. */
function isVisibility(name: string): boolean {
  return name.length === 10 && name.toLowerCase() === "visibility";
}

function isFormat(name: string): boolean {
  return name === "humans" || name === "agents";
}

function hasOnlyFor(props: Props): boolean {
  return Object.keys(props).every(
    (key) => key === "for" || key === "key" || key === "id" || key === "className",
  );
}

function conditionOf({ name, props }: ContentElement): Condition | { message: string } {
  if (name !== "Visibility") {
    const rule = isVisibility(name) ? "" : `${accessProp(name, props)} on `;
    return {
      message: `Octavo doesn't support the access rule ${rule}<${name}>, so no one sees this content`,
    };
  }

  const value = props.for;

  if (!hasOnlyFor(props)) {
    const other = Object.keys(props).find(
      (key) => key !== "for" && key !== "key" && key !== "id" && key !== "className",
    );
    return { message: `<Visibility> has no prop ${other}, so no one sees its content` };
  }

  if (value === undefined || value === null)
    return { message: "<Visibility> needs the prop for, so no one sees its content" };
  if (value === "signed-in" || value === "signed-out") return value;

  if (typeof value === "object" && !Array.isArray(value) && !isContentElement(value)) {
    const keys = Object.keys(value);
    const groups = keys.length === 1 && keys[0] === "groups" ? groupNames(value.groups) : undefined;
    if (groups) return groups;
  }

  return {
    message: `${JSON.stringify(value)?.slice(0, 60)} isn't a known audience, so no one sees this content`,
  };
}

function listKey(list: readonly string[]): string {
  return JSON.stringify([...list].sort());
}

/**
 * Returns all audiences except `visitor` for which content with conditions for these lists of groups can be
 * different.
 */
function otherAudiences(lists: readonly (readonly string[])[]): Audience[] {
  const subsets: (readonly string[])[][] = [[]];
  for (const list of lists) subsets.push(...subsets.map((subset) => [...subset, list]));
  return [...subsets, "author"];
}

/** Removes footnotes whose references were all removed. */
function withoutUnusedFootnotes(nodes: ContentNode[]): ContentNode[] {
  const used = new Set<string>();
  const visit = (node: ContentNode): void => {
    if (typeof node === "string") return;
    if (node.name === "a" && node.props.className === "o-footnote-ref") used.add(String(node.props.href));
    node.children.forEach(visit);
  };

  nodes.forEach(visit);

  const prune = (node: ContentNode): ContentNode => {
    if (typeof node === "string") return node;
    if (node.name !== "section" || node.props.className !== "o-footnotes")
      return { ...node, children: node.children.map(prune) };
    const [items, ...rest] = node.children;
    if (typeof items !== "object") return node;
    const kept = items.children.filter(
      (item) => typeof item === "string" || used.has(`#${String(item.props.id)}`),
    );
    return { ...node, children: kept.length ? [{ ...items, children: kept }, ...rest] : [] };
  };

  return nodes.map(prune);
}
