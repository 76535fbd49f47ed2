/** Finds the positions of nodes in the source text of a document, for reported problems. */

import { isAlias, isCollection, isMap, isScalar, parseDocument } from "yaml";
import type { SourcePosition } from "../../base/problem.ts";
import { JsonPositions, spanAt } from "../json-positions.ts";

/** Maximum length of a YAML document that positions are looked up in, in characters. Parsing a longer document again would take seconds. */
const yamlPositions_chars = 2_000_000;

/** Caches of the last document. One document is enough, since problems are reported document by document. */
let last: { text: string; document: ReturnType<typeof parseDocument> } | undefined;
let lastJson: { text: string; positions: JsonPositions } | undefined;

/**
 * Returns the position of the value or key at a path of keys, or of the nearest parent that exists. In YAML, the position of an object or
 * list is the position of its key. For long YAML documents, the position contains only the file.
 */
export function sourcePosition(
  file: string,
  text: string,
  isJson: boolean,
  keys: readonly string[],
  target: "key" | "value",
): SourcePosition {
  if (isJson) {
    if (lastJson?.text !== text) lastJson = { text, positions: new JsonPositions(text) };
    return { file, ...lastJson.positions.of(keys, target) };
  }
  if (text.length > yamlPositions_chars) return { file };
  if (last?.text !== text) last = { text, document: parseDocument(text, { logLevel: "silent" }) };
  let node: unknown = last.document.contents;
  let range: readonly number[] | undefined | null = isCollection(node) ? node.range : undefined;
  for (const [index, key] of keys.entries()) {
    if (isAlias(node)) node = node.resolve(last.document);
    if (!isCollection(node)) break;
    const pair = isMap(node) ? node.items.find((item) => String(isScalar(item.key) ? item.key.value : item.key) === key) : undefined;
    const below = pair ? pair.value : isMap(node) ? undefined : node.get(Number(key), true);
    if (below === undefined) break;
    node = below;
    const keyRange = pair && isScalar(pair.key) ? pair.key.range : undefined;
    const isLast = index === keys.length - 1;
    range = (isLast && target === "value" && isScalar(node) ? node.range : keyRange) ?? (node as { range?: readonly number[] }).range;
  }
  return range ? { file, ...spanAt(text, range[0]!, Math.max(1, range[1]! - range[0]!)) } : { file };
}
