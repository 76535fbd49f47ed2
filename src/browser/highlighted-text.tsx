import { tokenizeCode } from "../engine/openapi/samples/tokenize-code.ts";
import { tokenClasses } from "./token-classes.ts";

/** Maximum number of characters of highlighted code. Each token is an element, so longer code is not highlighted. */
const highlighted_chars = 20_000;

/** Code with syntax highlighting. In an unknown language, plain text. */
export function HighlightedText({ language, text }: { language: string; text: string }) {
  if (text.length > highlighted_chars) return <>{text}</>;
  return (
    <>{tokenizeCode(language, text).map(({ kind, text: piece }) => (kind ? <span class={tokenClasses[kind]}>{piece}</span> : piece))}</>
  );
}
