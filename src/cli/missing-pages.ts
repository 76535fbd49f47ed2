/** Describes the pages of a documentation folder that aren't on the site. */

import { plainLine } from "../base/one-line.ts";
import type { BuildResult } from "../builder/build-protocol.ts";

/** Maximum number of files that are listed for each reason. */
const files_count = 5;

/** Returns a line for each reason. Empty if there are no such pages. */
export function describeMissing(missing: BuildResult["missing"] = []): string {
  const byReason = new Map<string, string[]>();
  for (const { file, reason } of missing)
    byReason.set(reason, [...(byReason.get(reason) ?? []), plainLine(file)]);
  if (byReason.size === 0) return "";
  const lines = [...byReason].map(([reason, files]) => {
    const more = files.length > files_count ? `, and ${files.length - files_count} more` : "";
    return `  ${files.slice(0, files_count).join(", ")}${more} (${reason})`;
  });
  return ["Markdown files that aren't pages of the site:", ...lines].join("\n");
}
