import type { Root } from "mdast";
import { parseWithCjk } from "./cjk-text.ts";
import { withoutQuotesInUrls } from "./quoted-urls.ts";
import { parseWithTildes } from "./single-tildes.ts";

/**
 * Parses a text, and parses it again where a rule of Markdown reads plain text as markup or the other way
 * around.
 */
export function parseText(text: string, parse: (text: string) => Root): Root {
  const tree = parseWithTildes(text, (given) => parseWithCjk(given, parse));
  return withoutQuotesInUrls(tree, text);
}
