import type { TokenKind } from "../engine/openapi/samples/tokenize-code.ts";

/** The classes of the page's own code blocks. */
export const paintClasses: Record<TokenKind, string> = { string: "s", number: "n", keyword: "k", comment: "c", property: "p" };
