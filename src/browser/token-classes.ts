import type { TokenKind } from "../engine/openapi/samples/tokenize-code.ts";

/** CSS class by token kind. The code blocks that the build highlights use the same classes. */
export const tokenClasses: Record<TokenKind, string> = {
  string: "s",
  number: "n",
  keyword: "k",
  comment: "c",
  property: "p",
};
