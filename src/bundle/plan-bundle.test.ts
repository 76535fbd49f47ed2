/** `octavo bundle plan`: what readers notice when a bundle replaces another. */

import { beforeAll, describe, expect, test } from "vitest";
import { buildSiteFrom, type Sources, siteOf, temporaryFolder, writeFiles } from "../../test/engine/build.ts";
import { type BundlePlan, planBundle } from "./plan-bundle.ts";

async function bundleOf(pages: Sources, settings: Record<string, unknown> = {}): Promise<string> {
  const site = await buildSiteFrom(siteOf(pages, settings), { links: "clean" });
  const files = Object.fromEntries(site.paths.map((file) => [file, site.bytes(file)]));
  return writeFiles(temporaryFolder(), files);
}

const api = (...names: string[]) =>
  JSON.stringify({
    openapi: "3.1.0",
    info: { title: "Pets", version: "1" },
    paths: Object.fromEntries(
      names.map((name) => [
        `/${name}`,
        { get: { operationId: name, summary: `List ${name}`, responses: { 200: { description: "OK" } } } },
      ]),
    ),
  });

let plan: BundlePlan;
let before: string;
let after: string;

beforeAll(async () => {
  const download = { contextual: { options: ["copy", "download-spec"] } };
  before = await bundleOf(
    {
      "index.mdx": "Hello.",
      "same.mdx": "The same.",
      "guides/old.mdx": "Old.",
      "guides/moved.mdx": "Moves.",
      "guides/away.mdx": "Moves to another site.",
      "guides/loop.mdx": "Moves nowhere.",
      "sections.mdx": "## One\n\nText.\n\n## Two\n\nText.\n\n## Three\n\nText.",
      "api.json": api("cats", "dogs"),
    },
    { ...download, navigation: { pages: ["index"], openapi: "api.json" } },
  );
  after = await bundleOf(
    {
      "index.mdx": "Hello, world.",
      "same.mdx": "The same.",
      "guides/new.mdx": "New.",
      "sections.mdx": "## One\n\nText.\n\n## Four\n\nText.",
      "api.json": api("cats", "birds"),
    },
    {
      ...download,
      navigation: { pages: ["index"], openapi: "api.json" },
      redirects: [
        { source: "/guides/moved", destination: "/guides/new" },
        { source: "/guides/away", destination: "https://other.example/away" },
        { source: "/guides/loop", destination: "/guides/nowhere" },
        { source: "/sections#three", destination: "/sections#four" },
      ],
    },
  );
  const line = (path: string, method = "GET") =>
    `192.0.2.1 - - [30/Nov/2026:10:00:00 +0000] "${method} ${path} HTTP/1.1" 200 512 "-" "Mozilla"`;
  const log = [
    "/guides/old",
    "/guides/old?a=b",
    "/guides/old.md",
    "/guides/moved",
    "/same",
    "/never",
    "/%zz",
  ];
  plan = await planBundle(
    before,
    after,
    [...log.map((path) => line(path)), line("/guides/old", "POST")].join("\n"),
  );
});

describe("pages", () => {
  test("that are new, changed, redirected, and gone", () => {
    expect(plan.added).toEqual(["/api-reference/list-birds", "/guides/new"]);
    expect(plan.changed).toEqual(["/", "/sections"]);
    expect(plan.moved).toEqual([
      { path: "/guides/away", to: "https://other.example/away" },
      { path: "/guides/moved", to: "/guides/new" },
    ]);
    expect(plan.gone).toEqual(["/api-reference/list-dogs", "/guides/loop", "/guides/old"]);
  });

  test("whose anchors are missing and not redirected", () => {
    expect(plan.anchors).toEqual([{ path: "/sections", ids: ["two"] }]);
  });
});

test("changes of APIs", () => {
  expect(
    plan.apis.map(({ file, changes }) => [
      file,
      ...changes.map(({ rule, operations }) => `${rule} ${operations.join()}`),
    ]),
  ).toEqual([["api.json", "operation-removed GET /dogs", "operation-added GET /birds"]]);
});

test("requests of an access log that only the earlier bundle answers, the most frequent first", () => {
  expect(plan.requests).toEqual([
    { path: "/guides/old", count: 2 },
    { path: "/guides/old.md", count: 1 },
  ]);
});

test("a bundle compared with itself has no changes", async () => {
  expect(await planBundle(before, before)).toEqual({
    added: [],
    changed: [],
    moved: [],
    gone: [],
    anchors: [],
    apis: [],
    requests: [],
  });
});
