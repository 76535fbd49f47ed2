import { withoutExternalCss } from "../page/external-content.ts";
import { type ExportTarget, externalContentMode } from "./export-target.ts";

/**
 * Splits a style sheet. `inside` has no content from other hosts, unless the target shows such content.
 * `whole` is the complete style sheet, for targets that load external content later. Absent if equal to
 * `inside`.
 */
export function splitCss(css: string, target: ExportTarget): { inside: string; whole?: string } {
  const outside = externalContentMode(target);
  if (outside === "shown") return { inside: css };
  const inside = withoutExternalCss(css);
  return inside === css || outside === "link" ? { inside } : { inside, whole: css };
}
