import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { findCheckout, readCheckoutWithGit } from "../io/checkout-git.ts";
import { readStoredChanges } from "../io/git-dates.ts";
import { ChangesInLog, type LastChanges, logOfChanges } from "../io/last-changes.ts";

/**
 * Reads the last changes from the file that `storeChanges` wrote, or else from Git. Without dates if Git
 * fails, for example outside a checkout.
 */
export function lastChanges(folder: string): LastChanges {
  const stored = readStoredChanges(folder);
  if (stored) return stored;

  try {
    const log = readCheckoutWithGit(folder, [...logOfChanges, "--relative", "--", "."]);
    const shallow = path.join(findCheckout(folder)!.commonFolder, "shallow");
    const changes = new ChangesInLog(existsSync(shallow) ? readFileSync(shallow, "utf8") : "");
    for (const part of log.split("\u0000")) changes.take(part);
    return { dates: changes.dates, history: changes.cut.size > 0 ? "cut" : "complete" };
  } catch {
    return { dates: new Map(), history: "none" };
  }
}
