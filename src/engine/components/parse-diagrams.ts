/**
 * Finds the diagrams that Mermaid can't draw, and the parts of Mermaid that draw the others. Draws nothing.
 */

import { type ContentNode, textOf, visitElements } from "../content.ts";
import { text } from "../html/prop-values.ts";

type Parser = (source: string) => Promise<{ diagramType: string }>;

/** Maximum length of a diagram's source, in characters. This is Mermaid's default. */
export const diagram_chars = 50_000;

/** The part for the ELK layout, which is a separate script. The layout has variants, such as `elk.stress`. */
export const elkLayout = "layout:elk";

let parser: Promise<Parser> | undefined;

async function openParser(): Promise<Parser> {
  const [{ default: sanitizer }, { default: mermaid }] = await Promise.all([
    import("dompurify"),
    import("mermaid"),
  ]);
  // Mermaid sanitizes labels while it reads a diagram, which needs a browser. In the browser, it sanitizes
  // them when it draws the diagram.
  Object.assign(sanitizer, { addHook: () => undefined, sanitize: (label: string) => label, removed: [] });
  mermaid.initialize({ startOnLoad: false, logLevel: "fatal" });
  return (source) => mermaid.parse(source);
}

export interface ParsedDiagrams {
  /** Messages about the sources that Mermaid can't draw, by source. Leaves out sources that are too long. */
  errors: Map<string, string>;
  /**
   * Names of the parts of Mermaid that the other diagrams need, as in `chunks.json` of the product's assets.
   * Sorted.
   */
  parts: string[];
}

export async function parseDiagrams(nodes: readonly ContentNode[]): Promise<ParsedDiagrams> {
  const sources = new Set<string>();
  visitElements(nodes, ({ name, props, children }) => {
    if (name === "Mermaid") sources.add(text(props.chart) ?? textOf(children).trim());
  });
  const errors = new Map<string, string>();
  const parts = new Set<string>();
  for (const source of sources) {
    if (source.length > diagram_chars) continue;
    parser ??= openParser();
    const parse = await parser;
    await parse(source).then(
      ({ diagramType }) => partsOf(source, diagramType).forEach((part) => parts.add(part)),
      (error: Error) => errors.set(source, inWords(error, source)),
    );
  }

  return { errors, parts: [...parts].sort() };
}

/** Returns the parts that draw a diagram. Can also name layouts that don't exist. */
function partsOf(source: string, type: string): string[] {
  const layouts = [...source.matchAll(/layout["']?\s*:\s*["']?([\w-]+)/g)].map(
    ([, layout]) => `layout:${layout}`,
  );
  return [
    type,
    ...layouts,
    ...(/defaultRenderer["']?\s*:\s*["']?elk|flowchart-elk/.test(source) ? [elkLayout] : []),
    // Frontmatter and the properties of nodes.
    ...(/^\s*---|@\s*{/.test(source) ? ["yaml"] : []),
    ...(source.includes("$$") ? ["katex"] : []),
  ];
}

/** The place in the errors of Mermaid's two kinds of parsers. */
interface ParserError extends Error {
  hash?: { text?: string; loc?: { first_line: number } };
}

function inWords(error: ParserError, source: string): string {
  if (error.name === "UnknownDiagramError") {
    const type = firstWord(source);
    return type
      ? `Mermaid has no diagram type ${JSON.stringify(type.slice(0, 40))}`
      : "The diagram doesn't start with its type";
  }
  const near = error.hash?.text?.trim().slice(0, 40);
  const line = error.hash?.loc?.first_line ?? /error on line (\d+)/.exec(error.message)?.[1];
  if (line !== undefined)
    return `Mermaid can't read line ${line} of the diagram${near ? `, at ${JSON.stringify(near)}` : ""}`;
  return `Mermaid can't read the diagram: ${error.message.split("\n", 1)[0]!.slice(0, 200)}`;
}

/** Returns the first word of a diagram, after its configuration and comments. */
function firstWord(source: string): string {
  const body = source
    .replace(/^\s*---\s*\n[\s\S]*?\n\s*---\s*\n/, "")
    .replace(/^(?:\s*%%[^\n]*(?:\n|$))+/, "");
  return /^\s*([\w-]*)/.exec(body)![1]!;
}
