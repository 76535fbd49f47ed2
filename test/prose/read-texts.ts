/**
 * Reads the texts that people see: from documentation, from strings in source code, and from descriptions in
 * JSON.
 */

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { type Node, Parser } from "acorn";
import jsx from "acorn-jsx";
import { transformSync } from "esbuild";

export interface ProseText {
  file: string;
  text: string;
}

const root = path.resolve(import.meta.dirname, "../..");
const read = (file: string) => readFileSync(path.join(root, file), "utf8");

/** Files below a folder whose name matches, as paths from the repository's root. */
export function filesIn(folder: string, pattern: RegExp): string[] {
  return (readdirSync(path.join(root, folder), { recursive: true }) as string[])
    .map((file) => `${folder}/${file.replaceAll("\\", "/")}`)
    .filter((file) => pattern.test(file))
    .sort();
}

/** Paragraphs, headings, list items, table cells and quoted props of Markdown or MDX. Code becomes "X". */
export function markdownTexts(file: string): ProseText[] {
  const [, frontmatter = "", body = ""] = /^(?:---\n([\s\S]*?)\n---\n)?([\s\S]*)$/.exec(read(file))!;
  const props: string[] = [];
  const plain = body
    .replace(/^([ \t]*(?:[-*] )?)(`{3,}|~{3,})[\s\S]*?^[ \t]*\2[ \t]*$/gm, "\n\n")
    .replace(/^(?:import|export) [^\n]*$/gm, "")
    .replace(/`+[^`\n]+`+/g, "X")
    .replace(/\{\/\*[\s\S]*?\*\/\}/g, "")
    .replace(/<\/?[A-Za-z][^<>]*>/g, (tag) => {
      for (const [, value] of tag.matchAll(/\b(?:title|description|label|caption|alt|tip)="([^"]*)"/g))
        props.push(value!);
      return /^<\/?(?:a|b|i|em|strong|kbd|Badge|Tooltip|Icon|span|sup|sub|br)\b/.test(tag) ? "" : "\n\n";
    })
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/^[ \t]*(?:#+|[-*]|\d+\.|>)[ \t]+/gm, "\n\n")
    .replace(/^\|(.*)\|[ \t]*$/gm, (_, cells: string) => `\n\n${cells.replaceAll(/(?<!\\)\|/g, "\n\n")}\n\n`)
    .replace(/[*_]{2}/g, "");
  const titles = [...frontmatter.matchAll(/^(?:title|sidebarTitle|description): *"?(.*?)"?$/gm)].map(
    (match) => match[1]!,
  );
  return [...titles, ...props, ...plain.split(/\n[ \t]*\n/)].map((text) => ({
    file,
    text: text.replace(/\s+/g, " ").trim(),
  }));
}

const parser = Parser.extend(jsx());
/** JSX attributes and calls whose strings no person reads. */
const codeAttributes =
  /^(?:class|className|id|name|href|src|type|for|method|action|pattern|autocomplete|style|d|viewBox|data-.*)$/;

/** Strings of at least two words, text of JSX elements and of its attributes. Placeholders become "X". */
export function sourceTexts(file: string): ProseText[] {
  const code = transformSync(read(file), { loader: file.endsWith("x") ? "tsx" : "ts", jsx: "preserve" }).code;
  const found: string[] = [];
  const visit = (node: Node) => {
    const { type, value, tag, name, quasis } = node as Node &
      Record<"value" | "tag" | "name" | "quasis", never>;
    if (
      /^(?:Import|ExportAll)/.test(type) ||
      (type === "TaggedTemplateExpression" && (tag as { name?: string }).name === "sql")
    )
      return;
    if (type === "JSXAttribute" && codeAttributes.test((name as { name: string }).name)) return;
    if ((type === "Literal" || type === "JSXText") && typeof value === "string") found.push(value);
    if (type === "TemplateLiteral")
      found.push((quasis as { value: { cooked: string } }[]).map((part) => part.value.cooked).join("X"));
    for (const child of Object.values(node).flat())
      if (child && typeof (child as Node).type === "string") visit(child as Node);
  };
  visit(parser.parse(code, { ecmaVersion: "latest", sourceType: "module" }));
  const isText = (text: string) =>
    /[A-Za-z]{2,}[,;:]? [a-z]+/.test(text) &&
    !/^(?:[^ A-Z.]+ ){12}/.test(text) &&
    !/[{}<>=]|^\s*(?:select|insert|update|delete|with|create|alter|drop) /i.test(text);
  return found
    .map((text) => text.replace(/\s+/g, " ").trim())
    .filter(isText)
    .map((text) => ({ file, text }));
}

/** Values of the keys that OpenAPI and JSON Schema documents show to people. */
export function jsonTexts(file: string): ProseText[] {
  const found: ProseText[] = [];
  JSON.parse(read(file), (key, value) => {
    if (/^(?:title|summary|description)$/.test(key) && typeof value === "string")
      found.push({ file, text: value.replace(/`[^`]+`/g, "X") });
    return value;
  });
  return found;
}

/** Paragraphs of plain text. */
export function plainTexts(file: string): ProseText[] {
  return read(file)
    .split(/\n\s*\n|\n(?= *(?:-|[a-z-]+ {2,}))|\n(?=\S)/)
    .map((text) => ({ file, text: text.replace(/\s+/g, " ").trim() }));
}

/** Comments of a YAML file. */
export function yamlComments(file: string): ProseText[] {
  return [...read(file).matchAll(/^ *# ?(.*(?:\n *# ?.*)*)/gm)].map((match) => ({
    file,
    text: match[1]!.replace(/\s*#? *\n *# ?/g, " ").trim(),
  }));
}
