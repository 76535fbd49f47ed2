/** Defines the code block. */

import { problem } from "../../base/problem.ts";
import { type ContentElement, codeTextOf } from "../content.ts";
import type { LineMark } from "../highlight/code-marks.ts";
import { addMark, type MarkedCode, readMarks } from "../highlight/code-marks.ts";
import type { CodeMeta } from "../highlight/code-meta.ts";
import { parseCodeMeta, parseLines } from "../highlight/code-meta.ts";
import { highlightLines, themeStyle } from "../highlight/highlight.ts";
import type { AuthorProps } from "../html/prop-values.ts";
import { flag, text, textBelow, texts } from "../html/prop-values.ts";
import { useRenderContext } from "../html/render-context.ts";
import { fence, trimmedCode } from "../write-markdown.ts";
import type { ComponentDefinition } from "./component.ts";
import { IconImage } from "./icon-image.tsx";

/**
 * Returns the options of a code block, from the info string of a fence (`language` and `meta`) and from the
 * other props.
 */
export function codeMetaOf(props: AuthorProps): CodeMeta {
  const meta = parseCodeMeta(text(props.language) ?? text(props.lang) ?? "", text(props.meta) ?? "");
  const title = text(props.title) ?? text(props.filename);
  const icon = text(props.icon);
  if (title !== undefined) meta.title = title;
  if (icon !== undefined) meta.icon = icon;
  meta.highlight.push(...linesOf(props.highlight));
  meta.focus.push(...linesOf(props.focus));
  for (const name of ["lines", "wrap", "expandable", "nocopy"] as const)
    meta[name] = flag(props[name], meta[name]);
  return meta;
}

function linesOf(value: unknown): number[] {
  return parseLines(Array.isArray(value) ? texts(value).join(",") : (text(value) ?? ""));
}

/**
 * Returns the code of a block: the `code` prop, which code fences set, or else the text of the children.
 * Removes leading line breaks and trailing whitespace.
 */
function codeOf(props: AuthorProps): string {
  const code = typeof props.code === "string" ? props.code : textBelow(props.children);
  return trimmedCode(code);
}

const markClass: Record<LineMark, string> = {
  highlight: "o-mark",
  focus: "o-focus",
  add: "o-add",
  remove: "o-del",
};

/** Returns the cache key of a block's highlighted lines, from the language and the displayed code. */
export function highlightKey(props: AuthorProps): string {
  return keyOf(codeMetaOf(props).language, shownCode(props).code);
}

function keyOf(language: string, code: string): string {
  return `${language}\n${code}`;
}

/**
 * Returns the displayed code of a block and its marked lines. Except in Markdown, removes the comments that
 * mark lines.
 */
function shownCode(props: AuthorProps): MarkedCode {
  // In Markdown, mark comments are part of an example and stay in the code.
  const isMarkdown = /^(?:mdx?|markdown)$/i.test(codeMetaOf(props).language);
  return isMarkdown ? { code: codeOf(props), marks: new Map() } : readMarks(codeOf(props));
}

/** A code block with syntax highlighting. */
export function CodeBlock(props: AuthorProps) {
  const { messages, codeThemes, grammars, highlighted, report } = useRenderContext();
  const meta = codeMetaOf(props);
  const { code, marks } = shownCode(props);
  for (const line of meta.highlight) addMark(marks, line, "highlight");
  for (const line of meta.focus) addMark(marks, line, "focus");
  const reportFailure = (file: string, reason: string) =>
    report?.(problem("config-value", { file }, `The grammar failed: ${reason}`));
  const key = keyOf(meta.language, code);
  const lines =
    highlighted?.cached[key] ??
    grammars?.highlight(code, meta.language, codeThemes, reportFailure) ??
    highlightLines(code, meta.language, codeThemes);

  if (highlighted) highlighted.added[key] = lines;
  const html = marks.size > 0 || meta.lines ? markedHtml(lines, marks) : lines.join("\n");
  const focused = [...marks.values()].some((kinds) => kinds.has("focus"));
  const preClass =
    [meta.wrap && "o-wrap", meta.lines && "o-lines", focused && "o-focused"].filter(Boolean).join(" ") ||
    undefined;
  const colors = codeThemes && themeStyle(codeThemes);
  return (
    <div
      class={meta.expandable ? "o-code code-block o-code-long" : "o-code code-block"}
      data-themed={colors && ""}
      style={colors}
    >
      {meta.title !== undefined || meta.icon !== undefined ? (
        <div class="o-code-head">
          <IconImage value={meta.icon} />
          <span>{meta.title}</span>
        </div>
      ) : null}
      {meta.nocopy ? null : (
        <button
          type="button"
          class="o-copy o-js"
          aria-label={messages.copy}
          data-copy={withoutRemoved(code, marks)}
        />
      )}
      <pre class={preClass} tabIndex={0}>
        <code data-lang={meta.language || undefined} dangerouslySetInnerHTML={{ __html: html }} />
      </pre>
      {meta.expandable ? (
        <label class="o-expand">
          <input type="checkbox" aria-label={messages.expandCode} />
          <span data-more={messages.expandCode} data-less={messages.collapseCode} />
        </label>
      ) : null}
    </div>
  );
}

/**
 * Returns the code without removed lines, for the copy button. Empty if no line is removed, because the
 * button then copies what is shown.
 */
function withoutRemoved(code: string, marks: ReadonlyMap<number, ReadonlySet<LineMark>>): string {
  const lines = code.split("\n");
  const kept = lines.filter((_, index) => !marks.get(index + 1)?.has("remove"));
  return kept.length === lines.length ? "" : kept.join("\n");
}

function markedHtml(lines: readonly string[], marks: ReadonlyMap<number, ReadonlySet<LineMark>>): string {
  return lines
    .map((line, i) => {
      const classes = [...(marks.get(i + 1) ?? [])].map((mark) => ` ${markClass[mark]}`).join("");
      return `<span class="o-line${classes}">${line}</span>`;
    })
    .join("\n");
}

/** Writes a code block or a `pre` element as a fence. */
export function codeFence({ props, children }: ContentElement): string {
  const { language, title } = codeMetaOf(props as AuthorProps);
  const code = typeof props.code === "string" ? props.code : codeTextOf(children);
  return fence([language || (title ? "text" : ""), title].filter(Boolean).join(" "), code);
}

export const codeBlock: ComponentDefinition = {
  render: CodeBlock,
  props: "language lang meta title filename icon iconType lines highlight focus wrap expandable nocopy code",
  markdown: { block: codeFence },
};
