/** Tests the pages that a host shows itself: errors, and sites that can't be shown yet. */

import { beforeAll, describe, expect, test } from "vitest";
import { siteOf } from "../../test/engine/build.ts";
import { browser, useHost } from "../../test/host/host.ts";

const host = useHost();
const acme = "docs.acme.test";

beforeAll(async () => {
  await host.directory.publish(acme, siteOf({ "index.mdx": "Home." }, { name: "Acme <b>" }));
  await host.listen();
});

describe("a browser gets errors as a page that says what to do, and search engines don't index it", () => {
  test.each([
    ["an unknown host", () => host.ask("evil.test", "/", browser), 404, "Site not found"],
    ["an unreadable URL", () => host.ask(acme, "/%E0%A4%A", browser), 400, "Bad request"],
    [
      "a URL that is too long",
      () => host.ask(acme, `/${"a".repeat(9_000)}`, browser),
      414,
      "The URL is too long",
    ],
    ["a method of forms", () => host.ask(acme, "/", browser, "POST"), 405, "Method not allowed"],
  ] as const)("%s", async (_, ask, expected, title) => {
    const { status, headers, text } = await ask();
    expect([status, headers["content-type"]]).toEqual([expected, "text/html; charset=utf-8"]);
    expect(text).toContain(`<h1>${title}</h1>`);
    expect(text).toContain('<meta name="robots" content="noindex">');
    // Firefox reports an icon that the policy forbids.
    expect(text).toContain('<link rel="icon" href="data:,">');
    expect(headers["content-security-policy"]).toContain("img-src data:");
  });
});

test("pages of the service have the product's logo, and those of a site have its name, which can't add HTML", async () => {
  expect((await host.ask("evil.test", "/", browser)).text).toMatch(/<header><svg.*<\/svg>Octavo<\/header>/);
  const { text } = await host.ask(acme, "/", browser, "POST");
  expect(text).toContain("<header>Acme &lt;b&gt;</header>");
});

describe("a site without a live deployment", () => {
  test.each([
    ["building", 503, "Your site is being built"],
    ["failed", 404, "The build failed"],
    ["empty", 404, "No deployment yet"],
    ["no-bundle", 404, "No bundle yet"],
  ] as const)("%s", async (state, expected, title) => {
    host.directory.pending.set("new.test", state);
    const page = await host.ask("new.test", "/guide", browser);
    expect([page.status, page.headers["cache-control"]]).toEqual([expected, "no-store"]);
    expect(page.text).toContain(`<h1>${title}</h1>`);
    expect(page.text).toContain('<meta name="robots" content="noindex">');
    expect(page.headers["retry-after"]).toBe(expected === 503 ? "2" : undefined);
    const plain = await host.ask("new.test", "/guide");
    expect([plain.status, plain.headers["content-type"], plain.text]).toEqual([
      expected,
      "text/plain; charset=utf-8",
      `${title}\n`,
    ]);
  });
});
