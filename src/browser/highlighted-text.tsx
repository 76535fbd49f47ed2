import { tokenizeCode } from "../engine/openapi/samples/tokenize-code.ts";
import { tokenClasses } from "./token-classes.ts";

/**
 * Maximum length of highlighted code, in characters. Each token is an element, so longer code isn't
 * highlighted.
 */
const highlighted_chars = 20_000;

/** Code with syntax highlighting. Plain text if the language is unknown or the code is too long. */
export function HighlightedText({ language, text }: { language: string; text: string }) {
  if (text.length > highlighted_chars) return <>{text}</>;
  return (
    <>
      {tokenizeCode(language, text).map(({ kind, text: piece }) =>
        kind ? <span class={tokenClasses[kind]}>{piece}</span> : piece,
      )}
    </>
  );
}
