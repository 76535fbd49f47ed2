/**
 * Enforces the rules in `rate-rules.ts`. Requests are counted by `Count` functions that the caller passes,
 * such as `countInMemory`.
 */

import { LRUCache } from "lru-cache";
import {
  type Quota,
  type RateLevel,
  type RateRule,
  type RateRuleName,
  type RateScope,
  rateRules,
} from "./rate-rules.ts";
import { networkOf, visitorOf } from "./visitor-network.ts";

/** Identifiers that requests are counted by. Each rule uses some of them. */
export interface RateSubject {
  /** IP address. */
  address?: string;
  site?: string;
  organization?: string;
  account?: string;
  browser?: string;
  /** Hash of a single-use token. */
  token?: string;
}

export interface Counted {
  /** Seconds until another request would be admitted. 0 if this request is admitted. */
  wait_s: number;
  /** Number of further requests that the quota admits now. */
  remaining: number;
  /** Undoes the count of an admitted request. */
  uncount(): Promise<void>;
}

/** Counts one request against one quota. */
export type Count = (subject: string, quota: Quota) => Promise<Counted>;

/** Counts one request against the quotas of a rule, unless one of them refuses the request. */
export type RateLimit = (rule: RateRuleName, who: RateSubject) => Promise<Omit<Counted, "remaining">>;

/** How long a refusal is cached, to limit the load on the database. */
const refused_ms = 500;
/**
 * Limits each cache in memory to this number of subjects. The least recently used ones are dropped. With
 * `max` instead, each cache would reserve 3 MB.
 */
const subjectLimit = { maxSize: 100_000, sizeCalculation: () => 1 };

/**
 * Creates a rate limit that checks all levels of a rule. If one level refuses a request, the request counts
 * at none of the levels.
 */
export function rateLimit(counts: Record<RateRule["store"], Count>, now: () => number = Date.now): RateLimit {
  const refused = new LRUCache<string, { until_ms: number; free_ms: number }>(subjectLimit);
  return async (name, who) => {
    const { levels, store }: RateRule = rateRules[name];
    const subjects = levels.map((level) => `${name} ${subjectOf(level, who)}`);
    for (const subject of subjects) {
      const known = refused.get(subject);
      if (known && known.until_ms > now()) return refusal(Math.ceil((known.free_ms - now()) / 1_000));
      refused.delete(subject);
    }

    const counted: Counted[] = [];
    const uncount = async () => {
      for (const each of counted) await each.uncount();
    };

    for (const [index, { count, ofRest = 1, window_s }] of levels.entries()) {
      const rest = (counted.at(-1)?.remaining ?? 0) + 1;
      const one = await counts[store](subjects[index]!, {
        count: count ?? Math.ceil(rest / ofRest),
        window_s,
      });
      if (one.wait_s > 0) {
        await uncount();
        refused.set(subjects[index]!, { until_ms: now() + refused_ms, free_ms: now() + one.wait_s * 1_000 });
        return refusal(one.wait_s);
      }
      counted.push(one);
    }

    return { wait_s: 0, uncount };
  };
}

function refusal(wait_s: number): Omit<Counted, "remaining"> {
  return { wait_s: Math.max(1, wait_s), async uncount() {} };
}

/**
 * Returns the key of a level's count, without the rule's name. Each level of a rule has its own count, even
 * for the same visitor.
 */
function subjectOf({ per, window_s, ofRest }: RateLevel, who: RateSubject): string {
  const { address = "", site = "", organization = "", account = "", browser = "", token = "" } = who;
  const subjects: Record<RateScope, readonly string[]> = {
    site: [],
    organization: [organization],
    network: [networkOf(address)],
    visitor: [visitorOf(address)],
    account: [account],
    "account-network": [account, networkOf(address)],
    "known-browser": [account, browser],
    token: [token],
    challenge: [token],
  };
  return [per, window_s, ofRest ?? "", site, ...subjects[per]].join(" ");
}

/** Creates a rate limit for a single process. Rules with `store: "database"` also count in memory. */
export function rateLimitInMemory(now: () => number = Date.now): RateLimit {
  const count = countInMemory(now);
  return rateLimit({ database: count, process: count }, now);
}

/** Returns a function that counts requests in an exact sliding window, in this process's memory. */
export function countInMemory(now: () => number = Date.now): Count {
  const admitted = new LRUCache<string, number[]>(subjectLimit);
  return async (subject, { count, window_s }) => {
    const at = now();

    // Times of admitted requests, oldest first.
    const recent = admitted.get(subject) ?? [];
    const first = recent.findIndex((time) => time > at - window_s * 1_000);
    recent.splice(0, first < 0 ? recent.length : first);
    admitted.set(subject, recent);

    if (recent.length >= count) {
      const free = recent[recent.length - count]! + window_s * 1_000;
      return { ...refusal(Math.ceil((free - at) / 1_000)), remaining: 0 };
    }

    recent.push(at);

    return {
      wait_s: 0,
      remaining: count - recent.length,
      async uncount() {
        const index = recent.lastIndexOf(at);
        if (index >= 0) recent.splice(index, 1);
      },
    };
  };
}
