/** How often somebody may do something. A service counts in its database; one process alone counts here. */

export interface Rate {
  count: number;
  window_s: number;
}

/** Counts one more for the subject. Answers with the seconds to wait, 0 when it may go on. */
export type RateLimit = (subject: string, rate: Rate) => Promise<number>;

const subjects_count = 100_000;

/** Exact within any window that has just passed, for this process. */
export function rateLimitInMemory(now: () => number = Date.now): RateLimit {
  const admitted = new Map<string, number[]>();
  return async (subject, { count, window_s }) => {
    const at = now();
    const recent = (admitted.get(subject) ?? []).filter((time) => time > at - window_s * 1_000);
    // The one that was seen longest ago goes first.
    admitted.delete(subject);
    admitted.set(subject, recent);
    if (admitted.size > subjects_count) admitted.delete(admitted.keys().next().value!);
    if (recent.length >= count) return Math.max(1, Math.ceil((recent[0]! + window_s * 1_000 - at) / 1_000));
    recent.push(at);
    return 0;
  };
}
