/**
 * Defines the texts that the stored summary of a successful deployment starts with. The dashboard replaces
 * those of deployments if another one goes live.
 */

import { plural } from "../../base/plural.ts";

export const previewText = "Preview ready";
export const liveText = "Live";
export const supersededText = "Superseded: a later deployment, or the one that you rolled back to, is live";

/** Start of the line in the log about problems that aren't stored. */
export const unlistedText = "Too many problems to list";

export function heldSummary(newErrors: number): string {
  return `Held: ${plural(newErrors, "new error")}`;
}
