import type { TokenKind } from "../engine/openapi/samples/tokenize-code.ts";

/** CSS classes of token kinds. They are the same as in the code blocks that the build highlights. */
export const tokenClasses: Record<TokenKind, string> = { string: "s", number: "n", keyword: "k", comment: "c", property: "p" };
