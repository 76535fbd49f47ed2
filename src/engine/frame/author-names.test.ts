/**
 * Tests that content can use each name of the page layout and of components: the names are read from the HTML
 * and the styles of a site.
 */

import { expect, test } from "vitest";
import { type BuiltSite, buildSiteFrom, productAssets, siteOf } from "../../../test/engine/build.ts";
import { tagsIn } from "../html/tags.ts";

const openapi = JSON.stringify({
  openapi: "3.1.0",
  info: { title: "A", version: "1" },
  security: [{ key: [] }],
  components: { securitySchemes: { key: { type: "apiKey", in: "header", name: "X-Key" } } },
  paths: { "/a": { get: { summary: "Get a", responses: { 200: { description: "OK" } } } } },
});
const everything = `<Tabs><Tab title="A">B</Tab></Tabs>
<Tooltip tip="a">b</Tooltip>
<Accordion title="More">C</Accordion>
<CodeGroup>
\`\`\`js A
a
\`\`\`
</CodeGroup>
<Steps><Step title="D">E</Step></Steps>
<View title="F">G</View>
<Update label="H" tags={["I"]}>J</Update>
<Columns><Card title="K" href="/a">L</Card></Columns>
`;

const settings = {
  navbar: { links: [{ label: "A", href: "/a" }], primary: { type: "button", label: "B", href: "/a" } },
  banner: { content: "C", dismissible: true },
  contextual: { options: ["copy"] },
  footer: { socials: { github: "https://github.com/a" } },
};

const build = (text: string): Promise<BuiltSite> =>
  buildSiteFrom(
    siteOf(
      {
        "index.mdx": text,
        "a.mdx": `---\nrelated: [index]\n---\n${everything}\n\n## One`,
        "api.json": openapi,
      },
      {
        ...settings,
        navigation: {
          groups: [
            { group: "G", pages: ["index", "a"] },
            { group: "H", openapi: "api.json" },
          ],
        },
      },
    ),
    { kind: "cloud" },
  );

/** Returns the ids and classes in the HTML files, and the classes in the styles. */
function namesOf({ paths, read }: BuiltSite): string[] {
  const names = new Set<string>();
  for (const path of paths.filter((one) => one.endsWith(".html")))
    for (const tag of tagsIn(read(path)))
      for (const value of [tag.value("id"), tag.value("class")])
        for (const name of (value ?? "").split(/\s+/)) if (name !== "") names.add(name);
  for (const [, name] of productAssets
    .read("octavo.css")
    .toString()
    .matchAll(/\.([a-z][\w-]*)/g))
    names.add(name!);
  return [...names].filter((name) => /^[a-z][a-z\d-]*$/.test(name));
}

const idsOf = (html: string) =>
  [...tagsIn(html)].flatMap((tag) => (tag.isEnd ? [] : (tag.value("id") ?? [])));

test("headings can have the name of each id and class, and links find them", async () => {
  const names = namesOf(await build(everything));
  expect(names.length).toBeGreaterThan(200);
  expect(names).toEqual(expect.arrayContaining(["navbar", "o-head", "feedback-thumbs-up", "card", "toc"]));

  const site = await build(names.map((name) => `## ${name}\n\n[Link](#${name})`).join("\n\n"));
  const html = site.read("index.html");
  const ids = idsOf(html);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  const headings = new Set([...html.matchAll(/<h2 id="([^"]*)"/g)].map(([, id]) => id!));
  expect(names.filter((name) => !headings.has(name))).toEqual([]);
  expect(site.problems).toEqual([]);
});

test("headings next to an operation can have the names of the operation's parts", async () => {
  const page = (text: string) =>
    buildSiteFrom(
      siteOf({ "index.mdx": `---\nopenapi: api.json GET /a\n---\n${text}`, "api.json": openapi }, settings),
    );
  const names = idsOf((await page("Text")).read("index.html")).filter((id) => /^[a-z][a-z\d-]*$/.test(id));
  expect(names).toEqual(expect.arrayContaining(["responses", "authorization"]));
  const ids = idsOf((await page(names.map((name) => `## ${name}`).join("\n\n"))).read("index.html"));
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

test("custom properties of styles and components have names of our own", async () => {
  const { paths, read } = await build(
    `${everything}\n\n<Color><Color.Item value={{ light: "#fff", dark: "#000" }} /></Color>`,
  );
  const styles = ["octavo.css", "reference.css", "search.css", "playground.css", "assistant.css"].map(
    (file) => productAssets.read(file).toString(),
  );
  const pages = paths.filter((path) => path.endsWith(".html")).map(read);
  const used = [...styles, ...pages].flatMap(
    (text) => text.match(/(?<=[{;"\s(])--[a-z][\w-]*(?=[:,)])/gi) ?? [],
  );

  expect(used.length).toBeGreaterThan(100);
  expect([...new Set(used)].filter((name) => !name.startsWith("--o-"))).toEqual([]);
});
