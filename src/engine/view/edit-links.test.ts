/** Tests the links at the end of a page to its source file and to a new issue. */

import { describe, expect, test } from "vitest";
import { buildSiteFrom, siteOf } from "../../../test/engine/build.ts";
import type { ExportTarget, SourceRepository } from "../plan/export-target.ts";

const gitHub: SourceRepository = {
  url: "https://github.com/acme/site.git",
  branch: "main",
  directory: "docs",
  isPublic: true,
};
const page = { "index.mdx": "Hi", "guides/a b.mdx": "---\ntitle: A & B?\n---\nHi" };

async function linksOf(
  repository: SourceRepository | undefined,
  feedback: object = {},
  target: Partial<ExportTarget> = {},
) {
  const files = siteOf(page, { feedback, navigation: { pages: ["index", "guides/a b"] } });
  const html = (await buildSiteFrom(files, { ...target, ...(repository ? { repository } : {}) })).read(
    "guides/a b.html",
  );
  const line = /<p class="o-source">[\s\S]*?<\/p>/.exec(html)?.[0] ?? "";
  return [...line.matchAll(/href="([^"]*)"/g)].map((match) => match[1]!.replaceAll("&amp;", "&"));
}

const gitHubFile = "https://github.com/acme/site/edit/main/docs/guides/a%20b.mdx";
const both = { suggestEdit: true, raiseIssue: true };

describe("a page links to its file", () => {
  test.each<[string, Partial<SourceRepository>, object, string[]]>([
    ["in a public repository", {}, {}, [gitHubFile]],
    [
      "and to a new issue",
      {},
      both,
      [gitHubFile, "https://github.com/acme/site/issues/new?title=A%20%26%20B%3F"],
    ],
    [
      "in a private repository if docs.json says so",
      { isPublic: false },
      { suggestEdit: true },
      [gitHubFile],
    ],
    ["by SSH", { url: "ssh://git@github.com/acme/site" }, {}, [gitHubFile]],
    [
      "on GitLab",
      { url: "https://gitlab.com/acme/docs/site.git", branch: "feat/x" },
      both,
      [
        "https://gitlab.com/acme/docs/site/-/edit/feat/x/docs/guides/a%20b.mdx",
        "https://gitlab.com/acme/docs/site/-/issues/new?issue[title]=A%20%26%20B%3F",
      ],
    ],
    [
      "on Bitbucket",
      { url: "https://bitbucket.org/acme/site" },
      {},
      ["https://bitbucket.org/acme/site/src/main/docs/guides/a%20b.mdx?mode=edit"],
    ],
    [
      "on Codeberg",
      { url: "https://codeberg.org/acme/site" },
      {},
      ["https://codeberg.org/acme/site/_edit/main/docs/guides/a%20b.mdx"],
    ],
    [
      "on another host if docs.json says so",
      { url: "http://git.acme.example:8080/acme/site.git", host: "gitea" },
      { suggestEdit: true },
      ["http://git.acme.example:8080/acme/site/_edit/main/docs/guides/a%20b.mdx"],
    ],
  ])("%s", async (_, repository, feedback, expected) => {
    expect(await linksOf({ ...gitHub, ...repository }, feedback)).toEqual(expected);
  });
});

describe("a page has no links", () => {
  test.each<[string, Partial<SourceRepository>, object, Partial<ExportTarget>]>([
    ["in a private repository", { isPublic: false }, {}, {}],
    ["on another host", { url: "https://git.acme.example/acme/site", host: "gitlab" }, {}, {}],
    ["on a host of an unknown kind", { url: "https://constructor/acme/site" }, both, {}],
    ["from a folder of the machine", { url: "file:///srv/acme/site" }, both, {}],
    ["if docs.json turns them off", {}, { suggestEdit: false }, {}],
    ["if docs.json turns feedback off", {}, { ...both, enabled: false }, {}],
    ["that only signed-in readers see", {}, {}, { readers: "signed-in" }],
    ["without a network", {}, {}, { kind: "air-gapped" }],
  ])("%s", async (_, repository, feedback, target) => {
    expect(await linksOf({ ...gitHub, ...repository }, feedback, target)).toEqual([]);
  });

  test("without a repository", async () => {
    expect(await linksOf(undefined, both)).toEqual([]);
  });
});

test.each([
  [{}, true],
  [{ thumbsRating: false }, false],
  [{ enabled: false }, false],
])("feedback %j: the rating is shown: %s", async (feedback, isShown) => {
  const site = await buildSiteFrom(
    siteOf(page, { feedback, navigation: { pages: ["index", "guides/a b"] } }),
  );
  expect(site.read("index.html").includes('class="o-feedback')).toBe(isShown);
});
