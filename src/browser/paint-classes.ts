import type { PaintKind } from "../engine/openapi/samples/paint-code.ts";

/** The classes of the page's own code blocks. */
export const paintClasses: Record<PaintKind, string> = { string: "s", number: "n", keyword: "k", comment: "c", property: "p" };
