import { describe, expect, test } from "vitest";
import { buildSiteFrom, siteOf } from "../../../../test/engine/build.ts";
import { limits } from "../../../base/limits.ts";
import { firstRedirect, followRedirect, openRedirects } from "./redirects.ts";

interface Rule {
  source: string;
  destination: string;
}

const rules = (count: number, rule: (index: number) => Rule): Rule[] =>
  Array.from({ length: count }, (_, index) => rule(index));

test("a path is redirected at most ten times", () => {
  const rule = (i: number) => ({ source: `/p${i}`, destination: `/p${i + 1}`, permanent: true });
  const chain = openRedirects(Array.from({ length: 11 }, (_, i) => rule(i)));
  expect(followRedirect("/p0", chain)).toBe("/p10");
  expect(followRedirect("/p1", chain)).toBe("/p11");
});

const build = (redirects: Rule[]) => buildSiteFrom(siteOf({ "index.mdx": "Text." }, { redirects }));
const most = limits.redirects;

/**
 * Redirects that are all valid, the number of them that the site can have, and the reason that is reported
 * for the others.
 */
const kinds: [name: string, redirects: Rule[], left: number, reason: RegExp | undefined][] = [
  [
    "as many as allowed",
    rules(most.count, (i) => ({ source: `/old/${i}`, destination: "/" })),
    most.count,
    undefined,
  ],
  [
    "too many",
    rules(most.count + 3, (i) => ({ source: `/old/${i}`, destination: "/" })),
    most.count,
    /This redirect and 2 others .* 10000 /,
  ],
  [
    "too many wildcards",
    rules(most.wildcards_count + 1, (i) => ({ source: `/old-${i}/*`, destination: "/" })),
    most.wildcards_count,
    /^A redirect has no effect, because a site can have 2000 redirects with wildcards/,
  ],
  [
    "too many with several wildcards",
    rules(most.severalWildcards_count + 1, (i) => ({ source: `/:a*/old-${i}/:b*`, destination: "/" })),
    most.severalWildcards_count,
    /500 redirects with more than one wildcard/,
  ],
  ["four wildcards", [{ source: "/w/:a/:b/:c/:d", destination: "/" }], 0, /a source can have 3 wildcards/],
  ["four stars", [{ source: "/*/*/*/*", destination: "/" }], 0, /a source can have 3 wildcards/],
  ["three wildcards", [{ source: "/w/:a/:b/:c", destination: "/" }], 1, undefined],
  ["four encoded stars", [{ source: "/w/%2A/%2A/%2A/%2A", destination: "/" }], 1, undefined],
  [
    "a long source",
    [{ source: `/${"s".repeat(most.source_chars)}`, destination: "/" }],
    0,
    /a source can have 1000 characters/,
  ],
  [
    "a long source with a wildcard",
    [{ source: `/:a*${"s".repeat(most.source_chars)}`, destination: "/" }],
    0,
    /a source can have/,
  ],
  [
    "a long destination",
    [{ source: "/old", destination: `/${"d".repeat(2_000)}` }],
    0,
    /a destination can have 2000 characters/,
  ],
  [
    "a destination that repeats the wildcard",
    [{ source: "/old/*", destination: `/${"*/".repeat(11)}` }],
    0,
    /have 10 wildcards/,
  ],
  [
    "too many characters",
    rules(1_200, (i) => ({
      source: `/${i}-${"s".repeat(800)}`,
      destination: `https://example.com/${"d".repeat(1_000)}`,
    })),
    1_095,
    /the redirects of a site can have 2000000 characters/,
  ],
];

describe("limits of redirects", () => {
  test("wildcards match paths of at most 1,000 characters", () => {
    const redirects = openRedirects([{ source: "/old/*", destination: "/new", permanent: true }]);
    expect(firstRedirect(`/old/${"a".repeat(995)}`, redirects)?.destination).toBe("/new");
    expect(firstRedirect(`/old/${"a".repeat(996)}`, redirects)).toBeUndefined();
  });

  test.each(kinds)("%s", async (_, redirects, left, reason) => {
    const site = await build(redirects);
    const reported = site.problems
      .filter(({ code }) => code === "redirect-limit")
      .map(({ message }) => message);
    expect(reported).toEqual(reason ? [expect.stringMatching(reason)] : []);
    expect(JSON.parse(site.read("_octavo/redirects.json")).redirects).toHaveLength(left);
  });

  test("two wildcards that match the same paths are duplicates, whatever their names are", async () => {
    const site = await build([
      { source: "/old/:first", destination: "/" },
      { source: "/old/:second", destination: "/" },
    ]);
    expect(site.problems.map(({ code }) => code)).toEqual(["config-duplicate"]);
  });

  test("a problem in a long docs.json has a position, even if there are thousands of others", async () => {
    const site = await build(rules(5_000, () => ({ source: "/old", destination: "/" })));
    const places = site.problems.filter(({ code }) => code === "config-duplicate");
    expect(places).toHaveLength(4_999);
    expect(places.at(-1)!.line).toBeGreaterThan(15_000);
  });
});

/**
 * Redirects of an old deployment, which was built without limits, and a path that is expensive for a search
 * without limits.
 */
const hostile: [name: string, redirects: Rule[], path: string][] = [
  [
    "long texts between wildcards",
    rules(400, (i) => ({ source: `/:a*${"x".repeat(3_000)}${i}:b*`, destination: "/n" })),
    `/${"x".repeat(8_000)}`,
  ],
  [
    "long texts before wildcards",
    rules(100_000, (i) => ({ source: `/${"x".repeat(i % 500)}${i}*`, destination: "/n" })),
    `/${"x".repeat(900)}`,
  ],
  [
    "almost matching texts",
    rules(500, (i) => ({ source: `/:a*${"x".repeat(400)}y:b*z${i}`, destination: "/n" })),
    `/${"x".repeat(990)}z499`,
  ],
  [
    "texts after wildcards",
    rules(100_000, (i) => ({ source: `/*${"x".repeat(i % 500)}-${i}`, destination: "/n" })),
    `/${"x".repeat(900)}-none`,
  ],
  [
    "a growing destination",
    [{ source: "/:a*", destination: `/${":a*".repeat(4_000)}` }],
    `/${"x".repeat(999)}`,
  ],
  ["plain redirects", rules(300_000, (i) => ({ source: `/old/${i}`, destination: "/n" })), "/old/299999"],
];

test.each(hostile)("a lookup takes a few milliseconds at most: %s", (_, redirects, path) => {
  const table = openRedirects(redirects.map((rule) => ({ ...rule, permanent: true })));
  // The fastest of several rounds, so that other work on the machine doesn't affect the result.
  const rounds = Array.from({ length: 5 }, () => {
    const began = performance.now();
    firstRedirect(path, table);
    return performance.now() - began;
  });
  expect(Math.min(...rounds)).toBeLessThan(10);
});
