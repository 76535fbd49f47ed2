import { type PaintKind, paintCode } from "../../engine/openapi/samples/paint-code.ts";

/** The classes of the page's own code blocks. */
export const paintClasses: Record<PaintKind, string> = { string: "s", number: "n", keyword: "k", comment: "c", property: "p" };

/** Longer code is one colour: each piece is an element. */
const painted_chars = 20_000;

export function PaintedCode({ language, text }: { language: string; text: string }) {
  if (text.length > painted_chars) return <>{text}</>;
  return <>{paintCode(language, text).map(({ kind, text: piece }) => (kind ? <span class={paintClasses[kind]}>{piece}</span> : piece))}</>;
}
