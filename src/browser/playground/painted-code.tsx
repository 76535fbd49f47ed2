import { tokenizeCode } from "../../engine/openapi/samples/tokenize-code.ts";
import { paintClasses } from "../paint-classes.ts";

/** Maximum length of highlighted code in characters. Each token is an element, so longer code is not highlighted. */
const painted_chars = 20_000;

export function PaintedCode({ language, text }: { language: string; text: string }) {
  if (text.length > painted_chars) return <>{text}</>;
  return (
    <>{tokenizeCode(language, text).map(({ kind, text: piece }) => (kind ? <span class={paintClasses[kind]}>{piece}</span> : piece))}</>
  );
}
