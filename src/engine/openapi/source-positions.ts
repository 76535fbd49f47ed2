/** Where in the text of a document a node stands. Looked up only when there is something to tell. */
import { isAlias, isCollection, isMap, isScalar, parseDocument } from "yaml";
import type { Place } from "../../base/problem.ts";
import { locate, spanAt } from "../located.ts";

/** Longer YAML is not parsed a second time for a line number: it would take seconds. */
const yamlPlaces_chars = 2_000_000;

/** Documents that were parsed for their places; the last one only, as problems come document by document. */
let last: { text: string; document: ReturnType<typeof parseDocument> } | undefined;

/** The place of the value (or the key) at the end of the way, or of the nearest parent. */
export function placeOf(file: string, text: string, isJson: boolean, keys: readonly string[], what: "key" | "value"): Place {
  if (isJson) return { file, ...locate(text, keys, what) };
  if (text.length > yamlPlaces_chars) return { file };
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
    range = (isLast && what === "value" && isScalar(node) ? node.range : keyRange) ?? (node as { range?: readonly number[] }).range;
  }
  return range ? { file, ...spanAt(text, range[0]!, Math.max(1, range[1]! - range[0]!)) } : { file };
}
