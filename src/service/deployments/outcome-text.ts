/** Describes the outcome of a successful deployment in a sentence. */

import { plural } from "../../base/plural.ts";
import type { DeploymentOutcome } from "../core/tables.ts";

const texts: Readonly<Record<DeploymentOutcome | "replaced", string>> = {
  preview: "Ready",
  live: "Live",
  superseded: "Superseded: a later deployment, or the one that you rolled back to, is live",
  held: "Held",
  replaced: "Replaced",
};

/**
 * Returns the summary of a deployment. `held_errors`: number of errors that the live site didn't have, of a
 * deployment that is held.
 */
export function outcomeText(
  outcome: keyof typeof texts,
  { error_count, held_errors }: { error_count: number | null; held_errors: number | null },
): string {
  if (outcome === "held") return `${texts.held}: ${plural(held_errors ?? 0, "new error")}`;
  return error_count ? `${texts[outcome]}, with ${plural(error_count, "error")}` : texts[outcome];
}
