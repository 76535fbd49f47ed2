/**
 * Exports for an audience contain exactly what a reader in its groups may read on the hosted site: pages,
 * parts of pages, operations, examples, search and files for language models.
 */

import { writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { type BuiltSite, buildSiteFrom, siteOf, temporaryFolder } from "../../../test/engine/build.ts";
import { MemoryDirectory } from "../../../test/host/host.ts";
import { mayRead, type Reader } from "../../base/access.ts";
import { filesFrom } from "../../base/files.ts";
import { findTexts } from "../../bundle/read-bundle.ts";
import { variantFor } from "../../host/page-paths.ts";
import { readRedirectTable } from "../../host/resolve-path.ts";
import { fileKey } from "../../layout/site-manifest.ts";
import type { ExportTarget } from "../plan/export-target.ts";
import { buildSite } from "../site/build-site.ts";
import { reportAudience } from "./audience-report.ts";

const page = (title: string, text: string, lines = "") => `---\ntitle: ${title}\n${lines}---\n\n${text}\n`;

const operation = (word: string, groups?: string[]) => ({
  summary: `Call ${word}`,
  description: `Describes ${word}.`,
  ...(groups ? { "x-platform": { metadata: { groups } } } : {}),
  requestBody: {
    content: {
      "application/json": {
        schema: {
          type: "object",
          properties: { [`field${word}`]: { enum: [`value${word}`], example: `value${word}` } },
        },
      },
    },
  },
  responses: { 200: { description: `Returns ${word}` } },
});

/** Each word that starts with `canary` is in content with one access rule. */
const files = siteOf(
  {
    "index.mdx": page(
      "Home",
      'canaryopen <Visibility for="signed-in">canarysigned</Visibility> <Visibility for="signed-out">canaryvisitor</Visibility>\n\n<Visibility for={{ groups: ["partners"] }}>canarypartblock</Visibility>\n\n<Visibility for={{ groups: ["staff"] }}>canarystaffblock ![Dot](/staff.svg)</Visibility>\n\n[Staff page](/staff)',
      "public: true\n",
    ),
    "plain.mdx": page("Plain canaryplain", "Text."),
    "partners.mdx": page("Partners canarypartner", "canarypartnertext", 'groups: ["partners"]\n'),
    "staff.mdx": page(
      "Staff canarystaff",
      "canarystafftext",
      'groups: ["staff"]\ndescription: canarystaffdescription\n',
    ),
    "both.mdx": page("Both canaryboth", "canarybothtext", 'groups: ["partners", "staff"]\n'),
    "closed.mdx": page("Closed canaryclosed", "canaryclosedtext", "public: false\n"),
    "staff.svg": '<svg xmlns="http://www.w3.org/2000/svg"><text>canaryimage</text></svg>',
    "api.json": JSON.stringify({
      openapi: "3.1.0",
      info: { title: "API", version: "1" },
      servers: [{ url: "https://api.example.com" }],
      paths: {
        "/open": { post: operation("canaryopenop") },
        "/partners": { post: operation("canarypartnerop", ["partners"]) },
        "/staff": { post: operation("canarystaffop", ["staff"]) },
      },
    }),
  },
  {
    navigation: {
      groups: [
        { group: "All", pages: ["index", "plain", "partners", "staff", "both", "closed"] },
        { group: "API", openapi: "api.json" },
      ],
    },
  },
);
const canaries = [...new Set(JSON.stringify(files).match(/canary[a-z]+/g))];

/**
 * The words in the files that a reader of the hosted site can load: the best version of each page, and all
 * other files.
 */
async function wordsOnHost(reader: Reader | undefined): Promise<Set<string>> {
  const directory = new MemoryDirectory();
  await directory.publish("docs.example.com", files, { signIn: { mode: "password", passwordHash: "" } });
  const site = directory.sites.get("docs.example.com")!;
  const textAt = (path: string) =>
    directory.objects.get(fileKey(site.manifest.files[path]!.hash))!.toString();
  const redirects = readRedirectTable(Buffer.from(textAt("_octavo/redirects.json")));
  const readable = Object.keys(site.manifest.files).filter(
    (path) => mayRead(site.manifest.files[path]!.access, reader) && !path.startsWith("_octavo/versions/"),
  );
  return wordsIn(readable.map((path) => textAt(variantFor(path, site, { redirects }, reader) ?? path)));
}

const wordsIn = (texts: readonly string[]) =>
  new Set(canaries.filter((word) => texts.some((text) => text.includes(word))));

const exportFor = (audience: NonNullable<ExportTarget["audience"]>): Promise<BuiltSite> =>
  buildSiteFrom(files, { audience });

/** The words in the exported files of one kind. */
const wordsOf = (site: BuiltSite, kind: RegExp) =>
  wordsIn(site.paths.filter((path) => kind.test(path)).map((path) => site.read(path)));

const audiences: [name: string, groups: string[] | undefined][] = [
  ["the public", undefined],
  ["signed-in readers", []],
  ["partners", ["partners"]],
  ["staff", ["staff"]],
  ["partners and staff", ["partners", "staff"]],
  ["an unknown group", ["others"]],
];

describe.each(audiences)("an export for %s", (_, groups) => {
  test("contains the words that a reader of the hosted site can load, and no others", async () => {
    const site = await exportFor({ hasSignIn: true, ...(groups ? { groups } : {}) });
    const hosted = await wordsOnHost(groups && { groups });
    // On the hosted site, files without versions, such as llms-full.txt, contain what visitors see.
    if (groups) hosted.delete("canaryvisitor");
    expect([...wordsOf(site, /./)].sort()).toEqual([...hosted].sort());
  });

  test("contains them in each kind of file", async () => {
    const site = await exportFor({ hasSignIn: true, ...(groups ? { groups } : {}) });
    const texts = (...words: string[]) => words.filter((word) => mayHave(word, groups));
    const expected = texts(
      "canaryopen",
      "canarysigned",
      "canaryvisitor",
      "canarypartblock",
      "canarypartnertext",
      "canarystafftext",
      "canarybothtext",
    );
    for (const kind of [/\.html$/, /\.md$/, /^llms-full\.txt$/, /^_octavo\/passages\//])
      expect(
        [...wordsOf(site, kind)].filter((word) => expected.includes(word) || !mayHave(word, groups)),
        String(kind),
      ).toEqual(expect.arrayContaining(expected));
    for (const [kind, words] of [
      [/^llms\.txt$/, ["canarypartner", "canarystaff", "canaryboth"]],
      [/^api\.json$/, ["canaryopenop", "canarypartnerop", "canarystaffop"]],
    ] as const)
      expect(
        [...wordsOf(site, kind)].filter((word) => (words as readonly string[]).includes(word)).sort(),
      ).toEqual(texts(...words).sort());
    expect(
      site.paths.filter((path) => /sign-in|versions\/|(?:search|passages)-[0-9a-f]+\//.test(path)),
    ).toEqual([]);
  });
});

/** Whether a reader in these groups may read a word. */
function mayHave(word: string, groups: string[] | undefined): boolean {
  if (word === "canaryvisitor") return groups === undefined;
  if (/signed|plain|closed/.test(word)) return groups !== undefined;
  if (/both/.test(word)) return groups?.some((group) => group === "partners" || group === "staff") ?? false;
  if (/staff|image/.test(word)) return groups?.includes("staff") ?? false;
  if (/part/.test(word)) return groups?.includes("partners") ?? false;
  return groups !== undefined || word === "canaryopen";
}

test("on a site without sign-in, pages without a rule are in every export", async () => {
  const site = await exportFor({ groups: ["partners"] });
  expect(wordsOf(site, /./)).toContain("canaryplain");
  expect(wordsOf(site, /./)).not.toContain("canarystafftext");
});

test("the report names what is left out, and its texts are found in an export that contains it", async () => {
  const secret = "Only partners and their friends know about this plan";
  const site = siteOf({
    "index.mdx": page("Home", "Everyone may read this text on the home page."),
    "partners.mdx": page("Partners", secret, "groups: [partners]\n"),
  });
  const report = async (target: Partial<ExportTarget>) => {
    const built = await buildSite(filesFrom(site), { generator: "test", clock: Date.now });
    return reportAudience(built.site, { kind: "client-hosted", links: "html", ...target });
  };
  expect(await report({})).toBeUndefined();
  const { report: reported, texts } = (await report({ audience: {} }))!;
  expect(reported).toEqual({
    audience: "public",
    pages: 1,
    leftOut: { pages: [{ path: "/partners", readers: ["partners"] }], parts: [], contentOn: [] },
  });
  expect(texts).toEqual([secret]);
  const folder = temporaryFolder();
  writeFileSync(path.join(folder, "index.html"), "<p>Everyone may read this text on the home page.</p>");
  expect(await findTexts(folder, texts)).toEqual({ found: [], files: 1 });
  writeFileSync(path.join(folder, "leak.js"), `octavo(["${secret}"])`);
  expect(await findTexts(folder, texts)).toEqual({ found: ["leak.js"], files: 2 });
});

test("a file that is left out is found in an export that contains it under any name", async () => {
  const files = {
    "index.mdx": "![](/a.png)",
    "staff.mdx": "---\ngroups: [staff]\n---\n\n![](/b.png)",
    "a.png": "same",
    "b.png": "secret",
    "c.png": "same",
  };
  const built = await buildSite(filesFrom(siteOf(files)), { generator: "test", clock: Date.now });
  const { report, fileHashes } = reportAudience(built.site, {
    kind: "client-hosted",
    links: "html",
    audience: {},
  })!;
  expect(report.leftOut.files).toEqual(["/b.png", "/c.png"]);
  const folder = temporaryFolder();
  writeFileSync(path.join(folder, "a.png"), "same");
  expect(await findTexts(folder, [], fileHashes)).toEqual({ found: [], files: 1 });
  writeFileSync(path.join(folder, "copy.bin"), "secret");
  expect(await findTexts(folder, [], fileHashes)).toEqual({ found: ["copy.bin"], files: 2 });
});
