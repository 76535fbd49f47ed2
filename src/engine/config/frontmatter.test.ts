/** Tests the effects of frontmatter keys on a built site. */

import { describe, expect, test } from "vitest";
import { briefly, buildSiteFrom, mainOf, siteOf } from "../../../test/engine/build.ts";
import { expectAll } from "../../../test/engine/rows.ts";

type Wanted = (string | RegExp | { not: string | RegExp })[];
interface Row {
  /** Expected in the main element of the page that has the key. */
  page?: Wanted;
  /** Expected in the head of the page that has the key. */
  head?: Wanted;
  /** Expected in the sidebar of the home page. */
  sidebar?: Wanted;
}

/** Builds a site with a page that has the given frontmatter, a page before it and a page after it. */
async function build(frontmatter: string, body = "## Section\n\nText.") {
  const page = (title: string) => `---\ntitle: ${title}\n---\n\nText.`;
  const site = await buildSiteFrom(
    siteOf({
      "index.mdx": page("Home"),
      "guides/my-page.mdx": `---\n${frontmatter}\n---\n\n${body}\n`,
      "last.mdx": page("Last"),
      "images/og.png": "png",
    }),
    { origin: "https://docs.example.com" },
  );
  const html = site.read("guides/my-page.html");
  return {
    site,
    main: mainOf(html),
    head: html.slice(0, html.indexOf("</head>")),
    html,
    sidebar: /<nav id="sidebar"[\s\S]*?<\/nav>/.exec(site.read("index.html"))![0],
  };
}

const meta = (name: string, content: string) =>
  new RegExp(`<meta (?:name|property)="${name}" content="${content}"/?>`);
const entry = (label: string) =>
  new RegExp(`<a href="guides/my-page\\.html"[^>]*>(?:<i[^>]*></i>)?(?:<span>)?${label}(?:</span>)?`);

const rows: [name: string, frontmatter: string, wanted: Row][] = [
  [
    "title",
    "title: My title",
    {
      page: [/<h1 id="page-title">My title/],
      head: ["<title>My title - Acme</title>", meta("og:title", "My title")],
      sidebar: [entry("My title")],
    },
  ],
  [
    "no title: from the file's name",
    "description: x",
    { page: [/<h1 id="page-title">My page/], sidebar: [entry("My page")] },
  ],
  [
    "description",
    "description: In short.",
    {
      page: [/o-lead">In short\./],
      head: [
        meta("description", "In short\\."),
        meta("og:description", "In short\\."),
        meta("twitter:description", "In short\\."),
      ],
    },
  ],
  [
    "description with components",
    'description: "<Warning>Sold **out**</Warning> {id} <Odd>"',
    {
      page: [
        /<div class="o-lead o-flow"><div class="o-callout callout o-callout-warning"[\s\S]*?<p>Sold <strong>out<\/strong><\/p>[\s\S]*?\{id\} &lt;Odd>/,
      ],
      head: [meta("description", "Sold out \\{id\\} &lt;Odd&gt;"), { not: "Warning" }],
    },
  ],
  [
    "sidebarTitle",
    "title: Long\nsidebarTitle: Short",
    { page: [/<h1 id="page-title">Long/], sidebar: [entry("Short")] },
  ],
  ["icon", "title: A\nicon: rocket", { sidebar: [/my-page\.html"[^>]*><i class="o-i [\w-]+"><\/i>/] }],
  [
    "iconType",
    "title: A\nicon: star\niconType: regular",
    { sidebar: [/my-page\.html"[^>]*><i class="o-i [\w-]*star[\w-]*"><\/i>/] },
  ],
  ["tag", "title: A\ntag: NEW", { sidebar: [/my-page\.html"[^>]*>[\s\S]*?o-tag">NEW<\/small>/] }],
  [
    "deprecated",
    "title: A\ndeprecated: true",
    {
      page: [/o-tag-warning">Deprecated/],
      sidebar: [/my-page\.html"[^>]*><span>A<\/span><small class="o-tag o-tag-warning">deprecated/i],
    },
  ],
  ["keywords", "title: A\nkeywords: [one, two]", { head: [meta("keywords", "one, two")] }],
  [
    "og:title",
    'title: A\n"og:title": Card',
    { head: [meta("og:title", "Card"), meta("twitter:title", "Card")] },
  ],
  [
    "og:description",
    'title: A\n"og:description": Card words',
    { head: [meta("og:description", "Card words")] },
  ],
  [
    "og:image",
    'title: A\n"og:image": /images/og.png',
    {
      head: [
        meta("og:image", "https://docs.example.com/images/og.png"),
        meta("twitter:image", "https://docs.example.com/images/og.png"),
        meta("og:image:width", "1200"),
        meta("og:image:height", "630"),
      ],
    },
  ],
  [
    "og:image:alt, whose text isn't a URL",
    'title: A\n"og:image": /images/og.png\n"og:image:alt": "javascript: a guide"\n"og:video": "javascript:alert(1)"',
    { head: [meta("og:image:alt", "javascript: a guide"), { not: "og:video" }] },
  ],
  [
    "twitter:title",
    'title: A\n"twitter:title": Bird',
    { head: [meta("twitter:title", "Bird"), meta("og:title", "A")] },
  ],
  [
    "canonical",
    "title: A\ncanonical: https://example.com/a",
    { head: [/<link rel="canonical" href="https:\/\/example\.com\/a">/] },
  ],
  ["robots", "title: A\nrobots: nofollow", { head: [meta("robots", "nofollow")] }],
  ["hidden", "title: A\nhidden: true", { head: [meta("robots", "noindex")], sidebar: [{ not: "my-page" }] }],
  [
    "noindex",
    "title: A\nnoindex: true",
    { head: [meta("robots", "noindex"), { not: "ld\\+json" }], sidebar: [entry("A")] },
  ],
  [
    "url",
    "title: A\nurl: https://example.com/elsewhere",
    { sidebar: [/<a href="https:\/\/example\.com\/elsewhere" target="_blank" rel="noopener noreferrer">A/] },
  ],
  ["version", "title: A\nversion: v2", { page: [/o-tag-plain">v2/] }],
  ["api", "title: A\napi: GET https://api.example.com/users/{id}", { sidebar: [/o-m-get">GET/] }],
  ["api with a path", "title: A\napi: DELETE /users", { sidebar: [/o-m-delete"[^>]*>DEL/] }],
  ["openapi METHOD /path", "title: A\nopenapi: POST /users", { sidebar: [/o-m-post">POST/] }],
  ["openapi FILE METHOD /path", "title: A\nopenapi: api.yaml PUT /users", { sidebar: [/o-m-put">PUT/] }],
  [
    "openapi FILE webhook NAME",
    "title: A\nopenapi: api.yaml webhook orderCreated",
    { sidebar: [/o-m-webhook"[^>]*>HOOK/] },
  ],
  ["authMethod: accepted", "title: A\nauthMethod: bearer", { page: ["Text."] }],
  ["hideApiMarker", "title: A\napi: GET /a\nhideApiMarker: true", { sidebar: [{ not: "o-m-get" }] }],
  ["mode: wide", "title: A\nmode: wide", { page: [/<h1/, { not: "table-of-contents" }] }],
  [
    "mode: custom",
    "title: A\nmode: custom",
    { page: [{ not: "table-of-contents" }, { not: '<footer id="footer"' }, { not: 'id="page-title"' }] },
  ],
  ["mode: frame", "title: A\nmode: frame", { page: [{ not: "table-of-contents" }] }],
  ["mode: center", "title: A\nmode: center", { page: [/<h1/, { not: "table-of-contents" }] }],
  ["no mode", "title: A", { page: [/<h1/, /table-of-contents[\s\S]*href="#section"/] }],
  ["hideFooterPagination", "title: A\nhideFooterPagination: true", { page: [{ not: 'id="pagination"' }] }],
  [
    "no hideFooterPagination",
    "title: A",
    { page: [/rel="prev" href="\.\.\/index\.html"/, /rel="next" href="\.\.\/last\.html"/] },
  ],
  [
    "related",
    "title: A\nrelated: [/last, https://example.com/r, { Named: / }]",
    {
      page: [
        /id="related"[\s\S]*href="\.\.\/last\.html"[\s\S]*?Last[\s\S]*https:\/\/example\.com\/r[\s\S]*href="\.\.\/index\.html"[\s\S]*?Named/,
      ],
    },
  ],
  [
    "lastUpdatedDate with timestamp",
    "title: A\ntimestamp: true\nlastUpdatedDate: 2026-03-04",
    { page: [/<time dateTime="2026-03-04[^"]*">March 4, 2026/i] },
  ],
  ["contextual", "title: A\ncontextual:\n  options: [view]", { page: [/href="\.\.\/guides\/my-page\.md"/] }],
  ["unknown keys are accepted", "title: A\nteam: x\ncategory: x\nreview_count: 3", { page: ["Text."] }],
];

describe("keys", () => {
  test.each(rows)("%s", async (_name, frontmatter, wanted) => {
    const { site, main, head, sidebar } = await build(frontmatter);
    expectAll(main, wanted.page ?? []);
    expectAll(head, wanted.head ?? []);
    expectAll(sidebar, wanted.sidebar ?? []);
    expect(briefly(site.problems).filter((found) => !/^openapi-(?:operation-)?missing/.test(found))).toEqual(
      [],
    );
  });

  test("lastUpdatedDate is in the sitemap", async () => {
    const { site } = await build("title: A\nlastUpdatedDate: 2026-03-04");
    const entries = site.read("sitemap.xml").match(/<url>.*<\/url>/g)!;
    expect(entries.filter((url) => url.includes("lastmod"))).toEqual([
      expect.stringMatching(/my-page<\/loc><lastmod>2026-03-04<\/lastmod>/),
    ]);
  });
  test("the feed has inline code, and no code blocks", async () => {
    const { site } = await build(
      "title: A\nrss: true",
      '<Update label="June">\nSet `PORT` and pass `-q`.\n\n```\nblock\n```\n</Update>',
    );
    expect(site.read("guides/my-page/rss.xml")).toMatch(
      "<description>Set `PORT` and pass `-q`.</description>",
    );
  });
  test.each([
    ["> [!IMPORTANT]\n> Back up **first**.\n\nText.", "Back up first."],
    ["> [!note]\n>\n> Back up.\n", "Back up."],
  ])("the summary of a page that begins with an alert: %j", async (body, summary) => {
    const { site } = await build("title: A", body);
    expect(site.read("llms.txt")).toMatch(`my-page.md): ${summary}\n`);
  });
  test("rss", async () => {
    const { main, head, site } = await build("title: A\nrss: true", '<Update label="June">Words.</Update>');
    expect(main).toMatch(/href="\.\.\/guides\/my-page\/rss\.xml"/);
    expect(head).toMatch(/<link rel="alternate" type="application\/rss\+xml"/);
    expect(site.read("guides/my-page/rss.xml")).toMatch("<title>June</title>");
  });

  test("an operation that is in no document is reported", async () => {
    expect(briefly((await build("title: A\nopenapi: GET /users")).site.problems)).toEqual([
      "openapi-operation-missing guides/my-page.mdx:3",
    ]);
  });
});

describe("values of the wrong type are ignored and reported", () => {
  test.each([
    ["title: [a, b]", 2],
    ["title: A\nhidden: maybe", 3],
    ["title: A\nmode: wider", 3],
    ["title: A\nboost: -1", 3],
    ["title: A\nopenapi: { a: 1 }", 3],
    ["title: A\nicon: true", 3],
    ["title: A\ncontextual: 5", 3],
    ["title: A\ncontextual:\n  options: [nonsense]", 3],
  ])("%j", async (frontmatter, line) => {
    const { site, main } = await build(frontmatter);
    expect(briefly(site.problems)).toEqual([`frontmatter-value guides/my-page.mdx:${line}`]);
    expect(main).toMatch("Text.");
  });
});

describe("invalid YAML", () => {
  test.each([
    [
      "a quoted value below its key that ends at the margin",
      "title: 'A'\ndescription:\n  \"One\n  two,\nthree\"",
      "One two, three",
      0,
    ],
    [
      "a quoted value at the margin below its key",
      "title: 'A'\ndescription:\n'One\ntwo'\nicon: star",
      "One two",
      0,
    ],
    [
      "a wrapped value in an object",
      "title: A\nicon:\n  name: star\n  style: 'so\n  lid'\ndescription: One",
      "One",
      0,
    ],
    ["a quoted value that continues on the next line", 'title: A\ndescription: "One\ntwo"', "One two", 0],
    ["a colon in a value", "title: A\ndescription: Note: this", "Note: this", 1],
    [
      "a colon in a value below its key",
      "title: 'A'\ndescription:\n  Note: this: that",
      "Note: this: that",
      1,
    ],
    ["a tab before a key", "title: A\n\tdescription: x", "", 1],
    ["a list instead of keys", "- a\n- b", "", 1],
    ["an alias to the list that contains it", "description: Note\nfoo: &a [*a]", "Note", 1],
    ["an alias without an anchor", "description: Note\nfoo: *a", "Note", 1],
    ["empty", "", "", 0],
    ["numbers and dates as text", "title: 2026\ndescription: 2026-01-02", "2026-01-02", 0],
  ])("%s", async (_name, frontmatter, description, problems) => {
    const { site, main, head } = await build(frontmatter);
    expect(site.problems.filter((found) => found.code === "frontmatter-syntax")).toHaveLength(problems);
    expect(main).toMatch("Text.");
    if (description) expect(head).toMatch(meta("description", description));
  });
});

test("without a site URL, a page with a canonical URL has no structured data with relative ids", async () => {
  const site = await buildSiteFrom(
    siteOf({ "index.mdx": "---\ntitle: A\ncanonical: https://example.com/a\n---\n\nText." }),
  );
  const html = site.read("index.html");
  expect(html).toContain('<link rel="canonical" href="https://example.com/a">');
  expect(html).not.toContain("undefined/");
});

test.each([
  ["nothing", "---\n---\n"],
  ["a blank line", "---\n\n---\n"],
  ["blanks", "---  \n---\t\n"],
  ["a comment", "---\n# Nothing yet\n---\n"],
])("frontmatter with %s ends at its own line", async (_, start) => {
  const site = await buildSiteFrom(
    siteOf({ "index.mdx": `${start}\nFirst words\n\n---\n\nLast: words\n\n---\n` }),
  );
  expect(mainOf(site.read("index.html"))).toMatch(/First words[\s\S]*<hr[\s\S]*Last: words/);
  expect(site.problems).toEqual([]);
});

test("a heading at the start of the page that repeats the title is shown once", async () => {
  const { main } = await build("title: Hi", "# Hi\n\nText.");
  expect(main.match(/<h1/g)).toHaveLength(1);
  expect((await build("title: Hi", "# Hello\n\nText.")).main.match(/<h1/g)).toHaveLength(2);
});
