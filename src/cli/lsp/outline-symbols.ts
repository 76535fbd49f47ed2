import { type DocumentSymbol, SymbolKind } from "vscode-languageserver";
import { headingsIn } from "./outline-lookup.ts";

/** Returns the headings of a page, each with the headings below it. */
export function symbolsIn(text: string): DocumentSymbol[] {
  const lines = text.split(/\r\n?|\n/);
  const top: DocumentSymbol[] = [];
  const open: { level: number; symbol: DocumentSymbol }[] = [];
  const headings = headingsIn(lines);

  for (const [index, { title, level, line }] of headings.entries()) {
    const next = headings.slice(index + 1, index + 1_000).find((other) => other.level <= level);
    const lastLine = (next?.line ?? lines.length) - 1;
    const start = { line, character: 0 };
    const symbol: DocumentSymbol = {
      name: title || "#",
      kind: SymbolKind.String,
      range: { start, end: { line: lastLine, character: lines[lastLine]!.length } },
      selectionRange: { start, end: { line, character: lines[line]!.length } },
      children: [],
    };
    while (open.length > 0 && open.at(-1)!.level >= level) open.pop();
    (open.at(-1)?.symbol.children ?? top).push(symbol);
    open.push({ level, symbol });
  }

  return top;
}
