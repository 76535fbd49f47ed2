/** Plans the scripts that draw the diagrams of an export. */

import { elkLayout } from "../components/parse-diagrams.ts";
import type { ProductAssets } from "./export-target.ts";
import { joinedParts } from "./file-content.ts";

export interface DiagramScripts {
  /**
   * Paths of the scripts that only some diagrams need, by part of Mermaid. A script can be in the lists of
   * several parts.
   */
  byPart: Readonly<Record<string, readonly string[]>>;
  /** Path of the script that each page with diagrams loads last. Empty if there is no such page. */
  start: string;
  hasElk: boolean;
}

/**
 * Plans the scripts for the parts of Mermaid that pages use (`diagramParts`). Chunks that the same parts need
 * are in one file, so a site with one type of diagram has a single file.
 */
export function planDiagrams(
  pages: readonly { diagramParts: readonly string[] }[],
  product: ProductAssets,
  add: (name: string, content: Uint8Array) => string,
): DiagramScripts {
  const parts = [...new Set(pages.flatMap(({ diagramParts }) => diagramParts))].sort();
  if (parts.length === 0) return { byPart: {}, start: "", hasElk: false };
  const { core, ...chunks } = JSON.parse(
    new TextDecoder().decode(product.read("mermaid/chunks.json")),
  ) as Record<string, string[]>;
  const known = parts.filter((part) => Object.hasOwn(chunks, part));
  const users = new Map<string, string[]>();
  for (const part of known)
    for (const chunk of chunks[part]!) users.set(chunk, [...(users.get(chunk) ?? []), part]);
  const files = new Map<string, { parts: string[]; chunks: string[] }>();
  for (const [chunk, used] of users) {
    const key = used.join(" ");
    files.set(key, { parts: used, chunks: [...(files.get(key)?.chunks ?? []), chunk] });
  }

  const script = (names: readonly string[]) =>
    add("mermaid.js", joinedParts(names.map((name) => product.read(`mermaid/${name}`))));
  const everywhere = known.join(" ");
  const start = script([...(files.get(everywhere)?.chunks ?? []), ...core!]);
  files.delete(everywhere);
  const scripts = [...files.values()].map((file) => ({ parts: file.parts, path: script(file.chunks) }));
  const byPart = known.map(
    (part) => [part, scripts.flatMap((file) => (file.parts.includes(part) ? [file.path] : []))] as const,
  );

  return {
    byPart: Object.fromEntries(byPart),
    start,
    hasElk: parts.some((part) => part.startsWith(elkLayout)),
  };
}

/** Returns the paths of the scripts that a page loads, in order. */
export function diagramScripts({ byPart, start }: DiagramScripts, parts: readonly string[]): string[] {
  return parts.length === 0 ? [] : [...new Set(parts.flatMap((part) => byPart[part] ?? [])), start];
}
