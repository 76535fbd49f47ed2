/**
 * Tests rate limits: the share of a quota that one visitor, one network or many networks can use, and the
 * rest for other visitors.
 */

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { countInMemory, rateLimitInMemory } from "./rate-limit.ts";
import { type RateRule, type RateRuleName, rateRules } from "./rate-rules.ts";
import { networkOf, visitorOf } from "./visitor-network.ts";

const siteRules = (Object.entries(rateRules) as [RateRuleName, RateRule][])
  .filter(([, { levels }]) => levels[0]!.per === "site")
  .map(([name]) => name);

/**
 * Sends requests from all addresses for about 40 minutes, until they are refused in each round. Short windows
 * expire between rounds. Returns the total number of admitted requests, and the maximum for one address.
 */
async function flood(rule: RateRuleName, addresses: readonly string[]) {
  let now = 0;
  const limit = rateLimitInMemory(() => now);
  const admitted = new Map(addresses.map((address) => [address, 0]));
  for (let round = 0; round < 40; round++) {
    for (const address of addresses)
      for (let n = 0; n < 60; n++) {
        const { wait_s } = await limit(rule, { site: "docs", address });
        if (wait_s > 0) break;
        admitted.set(address, admitted.get(address)! + 1);
      }
    now += 61_000;
  }
  return {
    limit,
    most: Math.max(...admitted.values()),
    total: [...admitted.values()].reduce((sum, each) => sum + each, 0),
  };
}

describe.each(siteRules)("a flood of %s", (rule) => {
  const all = (rateRules[rule].levels[0] as { count: number }).count;

  test("from one address uses up a small part of the site's quota", async () => {
    expect((await flood(rule, ["203.0.113.9"])).total).toBeLessThanOrEqual(all / 25);
  });

  test("from all addresses of one network leaves nine tenths", async () => {
    const { limit, total } = await flood(
      rule,
      Array.from({ length: 60 }, (_, n) => `203.0.113.${n}`),
    );
    expect(total).toBeLessThanOrEqual(all / 10);
    expect((await limit(rule, { site: "docs", address: "198.51.100.7" })).wait_s).toBe(0);
  });

  test("from 100 networks leaves a few requests for another visitor", async () => {
    const { limit, total } = await flood(
      rule,
      Array.from({ length: 100 }, (_, n) => `10.${n}.0.1`),
    );
    expect(total).toBeLessThan(all);
    for (let n = 0; n < 2; n++)
      expect((await limit(rule, { site: "docs", address: "198.51.100.7" })).wait_s).toBe(0);
    expect((await limit(rule, { site: "other", address: "10.0.0.1" })).wait_s).toBe(0);
  });
});

test("a request is admitted again exactly when the oldest one leaves the window", async () => {
  const { count, window_s } = { count: 2, window_s: 60 };
  let now = 0;
  const ask = countInMemory(() => now);
  const waits: number[] = [];
  for (now of [0, 10_000, 59_999, 60_000, 69_999, 70_000])
    waits.push((await ask("ana", { count, window_s })).wait_s);
  expect(waits).toEqual([0, 0, 1, 0, 1, 0]);
});

test("a refused request counts at no level", async () => {
  let now = 0;
  const limit = rateLimitInMemory(() => now);
  const ask = (address: string) => limit("question", { site: "docs", address });
  for (let n = 0; n < 20; n++) expect((await ask("203.0.113.9")).wait_s).toBe(0);
  for (let n = 0; n < 5_000; n++) {
    now++;
    expect((await ask("203.0.113.9")).wait_s).toBeGreaterThan(0);
  }
  // The refused requests didn't count for the network either.
  for (let n = 0; n < 20; n++) expect((await ask("203.0.113.10")).wait_s).toBe(0);
});

describe("wrong passwords at the dashboard", () => {
  const account = "ana@example.com";

  test("a stranger's guesses from 100 networks leave the account's owner attempts", async () => {
    let now = 0;
    const limit = rateLimitInMemory(() => now);
    let guesses = 0;
    for (let round = 0; round < 20; round++, now += 601_000)
      for (let n = 0; n < 100; n++)
        for (let i = 0; i < 10; i++)
          if ((await limit("sign-in", { account, address: `10.${n}.0.1` })).wait_s === 0) guesses++;
    expect(guesses).toBeLessThan(1_000);
    for (let n = 0; n < 3; n++)
      expect((await limit("sign-in", { account, address: "198.51.100.7" })).wait_s).toBe(0);
  });

  test("one network gets twenty attempts at an account in a day", async () => {
    let now = 0;
    const limit = rateLimitInMemory(() => now);
    let guesses = 0;
    for (; now < 86_400_000; now += 601_000)
      for (let n = 0; n < 20; n++)
        if ((await limit("sign-in", { account, address: `203.0.113.${n}` })).wait_s === 0) guesses++;
    expect(guesses).toBeLessThanOrEqual(20);
  });

  test("one network gets ten attempts at an account, and sixty at all accounts", async () => {
    const limit = rateLimitInMemory(() => 0);
    const attempts = async (name: string) => {
      let count = 0;
      for (let n = 0; n < 30; n++)
        if ((await limit("sign-in", { account: name, address: `203.0.113.${n}` })).wait_s === 0) count++;
      return count;
    };
    expect(await attempts(account)).toBe(10);
    const others = [];
    for (let n = 0; n < 10; n++) others.push(await attempts(`${n}@example.com`));
    expect(others.reduce((sum, each) => sum + each)).toBe(50);
    expect((await limit("known-browser", { account, browser: "known", address: "203.0.113.9" })).wait_s).toBe(
      0,
    );
  });
});

test.each([
  ["203.0.113.9", "203.0.113.9", "203.0.113.0/24"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64", "2001:db8:1::/48"],
  ["2001:db8::1", "2001:db8:0:0::/64", "2001:db8:0::/48"],
  ["2001:0DB8:0001:0002::9%eth0", "2001:db8:1:2::/64", "2001:db8:1::/48"],
  ["::1", "0:0:0:0::/64", "0:0:0::/48"],
])("%s is the visitor %s of the network %s", (address, visitor, network) => {
  expect([visitorOf(address), networkOf(address)]).toEqual([visitor, network]);
});

test("the page of limits lists every rule", () => {
  const page = readFileSync("docs/service/limits.mdx", "utf8");
  const rows = page
    .split("\n")
    .filter((line) => line.startsWith("| ") && / (?:database|process) \|$/.test(line));
  expect(rows).toEqual(Object.values(rateRules).map(rowOf));
});

const scopes: Record<string, string> = {
  site: "site",
  organization: "organization",
  network: "network",
  visitor: "visitor",
  account: "account",
  "account-network": "network and account",
  "known-browser": "known browser",
  token: "token",
  challenge: "challenge",
};

function rowOf({ limited, levels, store }: RateRule): string {
  const quotas = levels.map(({ per, count, ofRest, window_s }) => {
    const window =
      window_s % 86_400 === 0
        ? "per day"
        : window_s === 3_600
          ? "per hour"
          : window_s < 60
            ? `every ${window_s} seconds`
            : window_s === 60
              ? "per minute"
              : `every ${window_s / 60} minutes`;
    const share = `1/${ofRest} of the remaining ${window_s === 3_600 ? "hourly" : "daily"} limit`;
    return `${count === undefined ? share : `${count.toLocaleString("en-US")} ${window}`} per ${scopes[per]}`;
  });
  return `| ${limited} | ${quotas.join("; ")} | ${store} |`;
}
