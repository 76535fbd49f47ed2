/** Tests that an access rule that can't be read or isn't known shows its content to no one. */

import { expect, test } from "vitest";
import { type BuiltSite, briefly, buildSiteFrom, type Sources, siteOf } from "../../../test/engine/build.ts";

const secret = "quokka";

/** Matches paths of files that only signed-in readers of a public page get. */
const forSignedIn = /^_octavo\/(?:versions\/|passages-|search-)/;

/** Builds a site with sign-in. Returns the paths of the public files with the secret word. */
async function outputsOf(files: Sources, settings: Record<string, unknown> = {}): Promise<{ found: string[]; site: BuiltSite }> {
  const site = await buildSiteFrom(siteOf(files, settings), { readers: "signed-in", origin: "https://docs.example.com" });
  return { found: site.paths.filter((path) => !forSignedIn.test(path) && site.read(path).includes(secret)), site };
}

test.each([
  ["without a closing tag", '<Visibility for="signed-in">\nquokka\n'],
  ["without a closing tag in a line", 'Text <Visibility for="signed-in">quokka'],
  ["closed in another element", '<Note>Text <Visibility for="signed-in">quokka</Note>'],
  ["with a stray closing tag inside", '<Visibility for="signed-in">\n\n</Card>\n\nquokka\n\n</Visibility>'],
  ["with an invalid expression", '<Visibility for={groups: ["staff"]}>\n\nquokka\n\n</Visibility>'],
  ["without quotes", "<Visibility for=internal>\n\nquokka\n\n</Visibility>"],
  ["with an open quote", '<Visibility for="signed-in>\n\nquokka\n\n</Visibility>'],
  ["that continues in the next cell", '| a | b |\n| - | - |\n| <Visibility for={{ groups: ["x"] }}>x | quokka</Visibility> | y |'],
  ["in lowercase", '<visibility for="signed-in">quokka</visibility>'],
  ["in capitals", '<VISIBILITY for="signed-in">quokka</VISIBILITY>'],
  ["with an unknown audience", '<Visibility for="Signed-In">quokka</Visibility>'],
  ["with a rule of a different component", '<Note for="signed-in">quokka</Note>'],
  ["with a rule of an unknown component", '<Restricted groups={["staff"]}>quokka</Restricted>'],
  ["with a rule of an HTML element", '<div audience="staff">quokka</div>'],
])("content for some readers, %s", async (_, mdx) => {
  const { found, site } = await outputsOf({ "index.mdx": `---\npublic: true\n---\n\nText.\n\n${mdx}\n` });
  expect(found).toEqual([]);
  expect(site.problems.map(({ code }) => code)).toContainEqual(expect.stringMatching(/^(?:mdx-syntax|unknown-audience|table-cells)$/));
});

test("props that only look like access rules hide nothing", async () => {
  const mdx =
    '<label for="signed-in">quokka</label>\n\n<div role="note">quokka</div>\n\n<Tabs group="os"><Tab title="A">quokka</Tab></Tabs>';
  const { site } = await outputsOf({ "index.mdx": `---\npublic: true\n---\n\n${mdx}\n` });
  expect(site.read("index.html").match(/quokka/g)!.length).toBe(3);
});

test.each([
  ["invalid YAML in braces", "---\n{title: T: b, groups: [staff]}\n---\nquokka", "frontmatter-syntax"],
  ["no line at the end", "---\ntitle: T\ngroups: staff\n\nquokka", "frontmatter-syntax"],
  ["a comment before it", "{/* Draft */}\n---\ntitle: T\ngroups: staff\n---\nquokka", "frontmatter-syntax"],
  ["TOML", '+++\ntitle = "T"\ngroups = ["staff"]\n+++\nquokka', "frontmatter-syntax"],
  ["no groups in groups", "---\ngroups:\n---\nquokka", "frontmatter-value"],
  ["visibility", "---\nvisibility: internal\n---\nquokka", "unknown-access-rule"],
  ["draft", "---\ndraft: true\n---\nquokka", "unknown-access-rule"],
  ["published", "---\npublished: false\n---\nquokka", "unknown-access-rule"],
  ["requiresAuth", "---\nrequires-auth: true\n---\nquokka", "unknown-access-rule"],
])("frontmatter with %s", async (_, page, code) => {
  const navigation = { groups: [{ group: "All", public: true, pages: ["index", "a"] }] };
  const { found, site } = await outputsOf({ "index.mdx": "Text.", "a.mdx": page }, { navigation });
  expect(found).toEqual([]);
  expect(briefly(site.problems)).toEqual([expect.stringMatching(new RegExp(`^${code} a.mdx:[1-3]$`))]);
});

test.each([["draft: false"], ["published: 2026-05-01"], ["internal: Team notes"], ["published: true"], ["visibility: public"]])(
  "frontmatter with %s isn't restricted",
  async (line) => {
    const { site } = await outputsOf({ "index.mdx": `---\npublic: true\n${line}\n---\nquokka` });
    expect(site.read("index.html")).toContain(secret);
    expect(site.problems).toEqual([]);
  },
);

test("a thematic break at the start of a page isn't frontmatter", async () => {
  const { site } = await outputsOf({ "index.mdx": "---\n\nNote: groups: quokka" }, { navigation: { pages: ["index"], public: true } });
  expect(site.read("index.html")).toContain(secret);
  expect(site.problems).toEqual([]);
});

test.each([
  ["names of groups", { group: "Staff", groups: ["staff"], pages: ["a"] }],
  ["an entry with a rule", { group: "Staff", pages: [{ page: "a", groups: ["staff"] }] }],
  ["a rule above", { group: "Staff", audience: "staff", pages: [{ group: "Inner", public: true, pages: ["a"] }] }],
])("navigation with %s, even if a different level lists the page, too", async (_, group) => {
  const navigation = { groups: [{ group: "All", public: true, pages: ["index", "a", group] }] };
  const { found, site } = await outputsOf({ "index.mdx": "Text.", "a.mdx": "quokka" }, { navigation });
  expect(found).toEqual([]);
  expect(site.problems.length).toBeGreaterThan(0);
});

test.each([
  ["a page", {}, "---\npublic: false\n---\nquokka"],
  ["a level of the navigation", { public: false }, "quokka"],
])("without sign-in, `public: false` of %s leaves out the page", async (_, level, page) => {
  const navigation = {
    groups: [
      { group: "All", pages: ["index"] },
      { group: "Staff", ...level, pages: ["a"] },
    ],
  };
  const site = await buildSiteFrom(siteOf({ "index.mdx": "Text.", "a.mdx": page }, { navigation }));
  expect(site.paths.filter((path) => site.read(path).includes(secret))).toEqual([]);
});
