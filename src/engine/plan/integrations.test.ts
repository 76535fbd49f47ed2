import { describe, expect, test } from "vitest";
import { buildSiteFrom, siteOf } from "../../../test/engine/build.ts";

const named = (integrations: Record<string, unknown>, target = {}) =>
  buildSiteFrom(siteOf({ "index.mdx": "Hi" }, { integrations }), target);

describe("integrations", () => {
  test.each<[string, Record<string, unknown>, RegExp]>([
    ["measurementId", { ga4: { measurementId: "UA-1" } }, /starts with G/],
    ["measurementId", { ga4: {} }, /measurementId is required/],
    ["tagId", { gtm: { tagId: "1" } }, /starts with G/],
    ["domain", { plausible: { domain: "https://a.b" } }, /without https/],
    ["server", { plausible: { domain: "a.b", server: "https://c.d" } }, /without https/],
    ["apiKey", { posthog: { apiKey: "x" } }, /starts with phc_/],
    ["key", { segment: {} }, /key is required/],
    ["an unknown service", { nope: {} }, /"nope" isn't a setting in integrations/],
  ])("%s is reported", async (_, integrations, message) => {
    expect((await named(integrations)).problems).toMatchObject([
      { severity: "error", file: "docs.json", message: expect.stringMatching(message) },
    ]);
  });

  test("services that are not loaded yet are reported", async () => {
    const site = await named({
      amplitude: { apiKey: "x" },
      hotjar: { hjid: "1", hjsv: "2" },
      telemetry: { enabled: false },
    });
    expect(site.problems.map(({ code }) => code)).toEqual(["no-effect", "no-effect"]);
    expect(site.paths.filter((path) => path.includes("integrations"))).toEqual([]);
  });

  test("an air-gapped site has no script of a service", async () => {
    const site = await named({ ga4: { measurementId: "G-1" } }, { kind: "air-gapped" });
    expect(site.read("index.html")).not.toContain("integrations");
    expect(site.paths.filter((path) => path.includes("integrations"))).toEqual([]);
  });
});
