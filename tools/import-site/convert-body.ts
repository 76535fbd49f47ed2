/** Converts the text of a page: imports, callouts, components, links and images. */

import type { BodyContext, BodyPass } from "./body-pass.ts";
import { convertTag, tagPattern } from "./convert-tags.ts";
import { commentsIn, lineCounter, TextEdits, withoutCode, withoutComments } from "./text-edits.ts";

/**
 * Returns the text as MDX. Syntax without an equivalent is removed, replaced or left unchanged, and in most
 * cases reported.
 */
export function convertBody(text: string, context: BodyContext): string {
  const uncommented = withoutCode(text);
  const masked = withoutComments(uncommented);
  const pass: BodyPass = {
    ...context,
    masked,
    edits: new TextEdits(text),
    lineOf: lineCounter(text, context.linesBefore),
  };
  for (const [start, end] of commentsIn(uncommented))
    pass.edits.replace(start, end, `{/*${text.slice(start + 4, end - 3).replaceAll("*/", "* /")}*/}`);
  convertImports(pass);
  convertCallouts(pass);
  convertSteps(pass);
  for (const match of masked.matchAll(tagPattern)) convertTag(match, pass);
  convertLinks(pass);
  if (context.isPlainMarkdown) escapeBraces(pass);
  return pass.edits
    .apply()
    .replace(/^([ \t]*(?:`{3,}(?!`)|~{3,}(?!~)).*?)\bshowLineNumbers\b/gm, "$1lines")
    .replace(/^\n+/, "");
}

const importPattern = /^import\s+(?:([^'";]{1,2000}?)\s+from\s+)?["']([^"'\n]+)["'];?[ \t]*\n?/gm;

/**
 * Matches modules whose imports are removed without a report, because Octavo provides or replaces what they
 * export.
 */
const themeModules =
  /^(?:@theme(?:-original)?\/|@docusaurus\/|@astrojs\/starlight\/components|astro:|react$)/;

function convertImports({ masked, edits, lineOf, importOf, report }: BodyPass): void {
  for (const match of masked.matchAll(importPattern)) {
    const [whole, names = "", source] = match as unknown as [string, string | undefined, string];
    const name = /^[\w$]+$/.exec(names.trim())?.[0];
    const moved = themeModules.test(source) ? undefined : importOf(source);
    if (moved && name && "asset" in moved)
      edits.replace(
        match.index,
        match.index + whole.length,
        `export const ${name} = ${JSON.stringify(moved.asset)};\n`,
      );
    else if (moved && "snippet" in moved)
      edits.replace(
        match.index,
        match.index + whole.length,
        `import ${names.trim()} from ${JSON.stringify(moved.snippet)};\n`,
      );
    else {
      edits.replace(match.index, match.index + whole.length, "");
      if (!themeModules.test(source))
        report(
          lineOf(match.index),
          `The import of "${source}" was removed`,
          "Rewrite the component as a custom component, or replace it with Markdown.",
        );
    }
  }
}

const callouts: Record<string, string> = {
  note: "Note",
  secondary: "Note",
  tip: "Tip",
  info: "Info",
  important: "Info",
  warning: "Warning",
  caution: "Warning",
  danger: "Danger",
  success: "Check",
};

/** Converts `:::note[Title]` or `:::note Title` to a component. */
function convertCallouts({ masked, edits, lineOf, report }: BodyPass): void {
  const lines = masked.split("\n");
  const open: string[] = [];
  let offset = 0;
  for (const [i, line] of lines.entries()) {
    const start = offset;
    offset += line.length + 1;
    const match = /^([ \t>]*)(:{3,})[ \t]*([\w-]*)/.exec(line);
    if (!match) continue;
    const [whole, indent, , kind] = match as unknown as [string, string, string, string];
    const isBlank = (text: string | undefined) => text === undefined || /^[\s>]*$/.test(text);
    const before = isBlank(lines[i - 1]) ? "" : `${indent.trimEnd()}\n`;
    const replace = (by: string) => edits.replace(start, start + line.length, before + indent + by);
    if (!kind) {
      const tag = open.pop();
      if (tag) replace(`</${tag}>${isBlank(lines[i + 1]) ? "" : `\n${indent.trimEnd()}`}`);
      continue;
    }
    const tag = Object.hasOwn(callouts, kind.toLowerCase()) ? callouts[kind.toLowerCase()]! : "Note";
    if (tag === "Note" && !/^(?:note|secondary)$/i.test(kind))
      report(
        lineOf(start),
        `The callout type "${kind}" was replaced with Note, because Octavo has no such type`,
        "If needed, choose a different callout or component.",
      );
    const rest = edits.text.slice(start + whole.length, start + line.length).trim();
    const title = (/^\[(.*)\]/.exec(rest)?.[1] ?? rest.replace(/\{[^{}]*\}$/, "")).trim();
    open.push(tag);
    replace(title ? `<${tag} title=${quoted(title)}>` : `<${tag}>`);
  }
}

/** Returns a text as the value of a JSX attribute. */
export function quoted(text: string): string {
  return text.includes('"')
    ? text.includes("'")
      ? `"${text.replaceAll('"', "”")}"`
      : `'${text}'`
    : `"${text}"`;
}

/**
 * Converts the items of a numbered list in `<Steps>` to `<Step>`. A short first line of plain text becomes
 * the title.
 */
function convertSteps({ masked, edits }: BodyPass): void {
  for (const opening of masked.matchAll(/^([ \t]*)<Steps>[ \t]*$/gm)) {
    const start = opening.index + opening[0].length + 1;
    const end = masked.indexOf("</Steps>", start);
    if (end < 0) return;
    const content = masked.slice(start, end);
    const items = [...content.matchAll(/^([ \t]*)\d{1,9}[.)][ \t]+(.*)$/gm)].filter(
      (item, _, all) => item[1]!.length <= all[0]![1]!.length,
    );
    for (const [i, item] of items.entries()) {
      const at = start + item.index;
      const contentAt = at + item[0].length - item[2]!.length;
      const lineEnd = at + item[0].length;
      const first = edits.text.slice(contentAt, lineEnd);
      const next = masked.slice(lineEnd + 1, masked.indexOf("\n", lineEnd + 1));
      const opened = `${i > 0 ? "</Step>\n" : ""}<Step`;
      if (/^[^*_[\]<{]{1,100}$/.test(first) && next.trim() === "")
        edits.replace(at, lineEnd, `${opened} title=${quoted(first.replaceAll("`", "").trim())}>`);
      else edits.replace(at, contentAt, `${opened} title="Step ${i + 1}">\n\n${" ".repeat(contentAt - at)}`);
    }
    if (items.length) edits.replace(end, end, `</Step>\n${opening[1]}`);
  }
}

const linkPattern = /\]\([ \t]*<?([^)\s<>]{1,1000})>?(?=[)\s])/g;
const definitionPattern = /^[ \t]{0,3}\[[^\]\n]{1,999}\]:[ \t]*<?([^\s<>]+)/gm;

function convertLinks({ masked, edits, linkTo }: BodyPass): void {
  for (const pattern of [linkPattern, definitionPattern])
    for (const match of masked.matchAll(pattern)) {
      const url = match[1]!;
      const start = match.index + match[0].lastIndexOf(url);
      const moved = linkTo(url);
      if (moved !== url) edits.replace(start, start + url.length, moved);
    }
}

/** Escapes characters that are text in Markdown but code in MDX, and converts links in angle brackets. */
function escapeBraces({ masked, edits }: BodyPass): void {
  for (const match of masked.matchAll(/<(https?:\/\/[^\s<>]+)>/g))
    edits.replace(match.index, match.index + match[0].length, `[${match[1]}](${match[1]})`);
  for (const match of masked.matchAll(/(?<!\\)(?:\{(?!#[\w-]+\})|<(?![A-Za-z/!]))/g))
    edits.replace(match.index, match.index, "\\");
}
