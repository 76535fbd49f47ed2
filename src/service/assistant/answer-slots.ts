/**
 * Limits how many answers are in progress. An organization, a site, and a visitor of a site can only use a
 * share of the free slots, so that slow answers for one don't block others.
 */

import { AppError } from "../../base/app-error.ts";
import { visitorOf } from "../../base/visitor-network.ts";

/** Maximum number of concurrent answers for a site. */
const answersOfSite_count = 200;
/** Maximum number of concurrent answers in a process. */
const answersOfProcess_count = 600;
/**
 * Shares of the free slots: an organization can use 4 times as many as are free, so it leaves a fifth of
 * them. A site can use 1/2 of those that are left to its organization, and a visitor 1/8 of the site's.
 */
const shares = { organization: 4, site: 1 / 2, visitor: 1 / 8 };

export interface SlotOwner {
  organization: { id: string };
  projectId: string;
  /** IP address of the visitor. Undefined for API calls. */
  address?: string;
}

export class AnswerSlots {
  private readonly inProgress = new Map<string, number>();

  /** Takes a slot and returns a function that frees it. Throws an AppError if there is none. */
  take({ organization, projectId, address }: SlotOwner): () => void {
    const levels: [key: string, share: number][] = [
      ["process", 1],
      [`organization ${organization.id}`, shares.organization],
      [projectId, shares.site],
    ];
    if (address !== undefined) levels.push([`${projectId} ${visitorOf(address)}`, shares.visitor]);

    let free = answersOfProcess_count;
    for (const [key, share] of levels) {
      const running = this.inProgress.get(key) ?? 0;
      const left = Math.ceil(free * share) - running;
      if (left <= 0 || (key === projectId && running >= answersOfSite_count))
        throw new AppError("rate-limited", "Too many questions at once. Try again in a moment.", {
          retryAfter_s: 2,
        });
      free = Math.min(free, left);
    }

    for (const [key] of levels) this.inProgress.set(key, (this.inProgress.get(key) ?? 0) + 1);

    return () => {
      for (const [key] of levels) {
        const left = this.inProgress.get(key)! - 1;
        if (left) this.inProgress.set(key, left);
        else this.inProgress.delete(key);
      }
    };
  }
}
