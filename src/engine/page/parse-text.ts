import type { Root } from "mdast";
import { parseWithCjk } from "./cjk-text.ts";
import { parseWithTildes } from "./single-tildes.ts";

/**
 * Parses a text, and parses it again where a rule of Markdown reads plain text as markup or the other way
 * around.
 */
export function parseText(text: string, parse: (text: string) => Root): Root {
  return parseWithTildes(text, (given) => parseWithCjk(given, parse));
}
