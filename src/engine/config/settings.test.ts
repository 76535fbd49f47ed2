/** Tests the effects of docs.json settings on a built site, and the reports of invalid settings. */

import { describe, expect, test } from "vitest";
import { type BuiltSite, briefly, buildSiteFrom, siteOf } from "../../../test/engine/build.ts";
import { expectAll } from "../../../test/engine/rows.ts";
import { jsonSchemaFile } from "./reference-pages.ts";

type Wanted = (string | RegExp | { not: string | RegExp })[];
/** Name of the key, settings, expected HTML of the page, and expected CSS of the site. */
type Row = [key: string, settings: Record<string, unknown>, page: Wanted, styles?: Wanted];

const page = '---\ntitle: Page\n---\n\n## Section\n\n```js\nlet a = 1;\n```\n\n<Icon icon="camera" />\n';
const files = {
  "index.mdx": page,
  "guides/next.mdx": "---\ntitle: Next\n---\n\nText.",
  "logo/light.svg": "<svg/>",
  "logo/dark.svg": "<svg/>",
  "favicon.svg": "<svg/>",
  "bg.png": "png",
  "fonts/own.woff2": "font",
  "fonts/head.woff": "font",
};

async function build(
  settings: Record<string, unknown>,
): Promise<{ site: BuiltSite; html: string; styles: string }> {
  const site = await buildSiteFrom(siteOf(files, settings), { origin: "https://docs.example.com" });
  return {
    site,
    html: site.read("index.html"),
    styles: site.read(site.paths.find((path) => /^_octavo\/site-.*\.css$/.test(path))!),
  };
}

const ga = { measurementId: "G-123" };

const look: Row[] = [
  ["$schema", { $schema: "https://example.com/docs.json" }, ["Page"]],
  ...["mint", "maple", "palm", "willow", "linden", "almond", "aspen", "sequoia", "luma"].map(
    (theme): Row => ["theme", { theme }, [`data-theme="${theme}"`]],
  ),
  [
    "name",
    { name: "Nautilus" },
    [
      "<title>Page - Nautilus</title>",
      /o-logo nav-logo"[^>]*>Nautilus<\/a>/,
      /og:site_name" content="Nautilus"/,
    ],
  ],
  ["description", { description: "All of it." }, [/name="description" content="All of it\."/]],
  ["colors.primary", { colors: { primary: "#AA1133" } }, [], [/#aa1133/i]],
  ["colors.light", { colors: { primary: "#AA1133", light: "#FFBBCC" } }, [], [/#ffbbcc/i]],
  ["colors.dark", { colors: { primary: "#AA1133", dark: "#770022" } }, [], [/#770022/i]],
  ["logo", { logo: "/logo/light.svg" }, [/<img src="logo\/light\.svg" alt="Acme"/]],
  [
    "logo.light and logo.dark",
    { logo: { light: "/logo/light.svg", dark: "/logo/dark.svg" } },
    [/o-only-light" src="logo\/light\.svg"/, /o-only-dark" src="logo\/dark\.svg"/],
  ],
  [
    "logo.href",
    { logo: { light: "/logo/light.svg", dark: "/logo/dark.svg", href: "https://acme.example" } },
    [/o-logo nav-logo" href="https:\/\/acme\.example"/],
  ],
  ["favicon", { favicon: "/favicon.svg" }, [/<link rel="icon" href="favicon\.svg"/]],
  [
    "favicon.light and favicon.dark",
    { favicon: { light: "/logo/light.svg", dark: "/logo/dark.svg" } },
    [
      /rel="icon" href="logo\/light\.svg" media="\(prefers-color-scheme:light\)"/,
      /rel="icon" href="logo\/dark\.svg" media="\(prefers-color-scheme:dark\)"/,
    ],
  ],
  ["no favicon: the initial in the site's color", {}, [/rel="icon"[^>]*href="_octavo\/favicon\.svg"/]],
  ["appearance.default", { appearance: { default: "dark" } }, [/<html[^>]* data-mode="dark"/]],
  [
    "appearance.strict",
    { appearance: { default: "dark", strict: true } },
    [/<html[^>]* data-strict/, { not: "o-theme" }],
  ],
  [
    "background.color.light and .dark",
    { background: { color: { light: "#FAFAF0", dark: "#0A0A12" } } },
    [],
    [/#fafaf0/i, /#0a0a12/i],
  ],
  ["background.decoration none", { background: { decoration: "none" } }, [], [/^(?![\s\S]*body::before)/]],
  ["background.decoration", { background: { decoration: "grid" } }, [], [/linear-gradient/]],
  ["background.image", { background: { image: "/bg.png" } }, [], [/url\("?\.\.\/bg\.png"?\)/]],
  ["fonts.family", { fonts: { family: "Inter" } }, [], [/@font-face[^}]*Inter/]],
  [
    "fonts.heading.family and fonts.body.family",
    { fonts: { heading: { family: "Manrope" }, body: { family: "Roboto" } } },
    [],
    [/@font-face[^}]*Manrope/, /@font-face[^}]*Roboto/],
  ],
  [
    "fonts.heading.weight and fonts.body.weight",
    { fonts: { heading: { family: "Manrope", weight: 650 }, body: { family: "Roboto", weight: 350 } } },
    [],
    [/650/, /350/],
  ],
  [
    "fonts.heading.source and format",
    { fonts: { heading: { family: "Own", source: "/fonts/own.woff2", format: "woff2" } } },
    [],
    [/@font-face\s?\{[^}]*font-family:\s?"?Own"?[^}]*url\("?\.\.\/fonts\/own\.woff2"?\)[^}]*\}/],
  ],
  [
    "icons.library",
    { icons: { library: "lucide" } },
    [/o-ico"><svg[^>]*viewBox="0 0 24 24"[\s\S]*?stroke="currentColor"/],
  ],
  [
    "styling.eyebrows: section",
    { navigation: { groups: [{ group: "G", pages: ["index"] }] } },
    [/o-eyebrow[\s\S]*?G</],
  ],
  [
    "styling.eyebrows: breadcrumbs",
    {
      styling: { eyebrows: "breadcrumbs" },
      navigation: { tabs: [{ tab: "T", groups: [{ group: "G", pages: ["index"] }] }] },
    },
    [/o-eyebrow[\s\S]*?T<[\s\S]*?G</],
  ],
  [
    "styling.eyebrows: the theme's default, also if another key of styling is set",
    {
      theme: "aspen",
      styling: { latex: false },
      navigation: { tabs: [{ tab: "T", groups: [{ group: "G", pages: ["index"] }] }] },
    },
    [/o-eyebrow[\s\S]*?T<[\s\S]*?G</],
  ],
  [
    "styling.codeblocks: a Shiki theme",
    { styling: { codeblocks: "github-dark" } },
    [/class="o-code code-block" data-themed/],
  ],
  [
    "styling.codeblocks.theme.light and .dark",
    { styling: { codeblocks: { theme: { light: "github-light", dark: "dracula" } } } },
    [/data-themed/],
  ],
  ["styling.codeblocks: dark", { styling: { codeblocks: "dark" } }, [{ not: "data-themed" }]],
];

const chrome: Row[] = [
  [
    "navbar.links label and href",
    { navbar: { links: [{ label: "Help", href: "https://help.example" }] } },
    [/<header[\s\S]*<a href="https:\/\/help\.example"[^>]*>Help/],
  ],
  [
    "navbar.links icon",
    { navbar: { links: [{ label: "Help", href: "/", icon: "star" }] } },
    [/<i class="o-i [^"]*star[^"]*"><\/i>Help/],
    [/\.o-i-[\w-]*star/],
  ],
  [
    "navbar.links type",
    { navbar: { links: [{ type: "github", href: "https://github.com/a/b" }] } },
    [/GitHub/],
  ],
  [
    "navbar.primary button",
    { navbar: { primary: { type: "button", label: "Start", href: "https://app.example" } } },
    [
      /<a id="topbar-cta-button" class="o-primary o-primary-button" href="https:\/\/app\.example">Start/,
      /<li><a class="o-primary" href="https:\/\/app\.example">Start/,
    ],
  ],
  [
    "navbar.primary github",
    { navbar: { primary: { type: "github", href: "https://github.com/a/b" } } },
    [/o-primary-github" href="https:\/\/github\.com\/a\/b">GitHub/],
  ],
  ...[
    "x",
    "website",
    "facebook",
    "youtube",
    "discord",
    "slack",
    "github",
    "linkedin",
    "instagram",
    "hacker-news",
    "medium",
    "telegram",
    "twitter",
    "x-twitter",
    "earth-americas",
    "bluesky",
    "threads",
    "reddit",
    "podcast",
  ].map(
    (name): Row => [
      `footer.socials.${name}`,
      { footer: { socials: { [name]: "https://social.example/acme" } } },
      [/<footer id="footer">[\s\S]*<a href="https:\/\/social\.example\/acme"[\s\S]*?<svg/],
    ],
  ),
  [
    "footer.links",
    {
      footer: {
        links: [
          {
            header: "More",
            items: [
              { label: "Terms", href: "https://acme.example/terms" },
              { label: "Next", href: "/guides/next" },
            ],
          },
        ],
      },
    },
    [
      /<footer[\s\S]*<p>More<\/p>[\s\S]*href="https:\/\/acme\.example\/terms"[^>]*>Terms[\s\S]*href="guides\/next\.html">Next/,
    ],
  ],
  [
    "banner.content",
    { banner: { content: "**New** [version](/guides/next)" } },
    [/id="banner"[\s\S]*<strong>New<\/strong> <a href="guides\/next\.html">version/, { not: "data-dismiss" }],
  ],
  ["banner.dismissible", { banner: { content: "New", dismissible: true } }, [/data-dismiss="\w+"/]],
  ["banner.type", { banner: { content: "New", type: "critical" } }, ["o-banner-critical"]],
  [
    "banner.color",
    { banner: { content: "New", color: { light: "#112233", dark: "#001122" } } },
    [/--o-banner:\s?#112233/],
  ],
  ["interaction.drilldown", { interaction: { drilldown: false } }, ["Page"]],
  [
    "contextual.options",
    { contextual: { options: ["copy", "view", "chatgpt", "claude"] } },
    [/data-copy>[\s\S]*href="index\.md"[\s\S]*https:\/\/chatgpt\.com\/[\s\S]*https:\/\/claude\.ai\/new/],
  ],
  [
    "contextual.options with a custom entry",
    {
      contextual: {
        options: [
          { title: "Ask us", description: "By mail", icon: "star", href: "https://ask.example/?p=$path" },
        ],
      },
    },
    [/href="https:\/\/ask\.example\/\?p=%2F"[\s\S]*Ask us/],
  ],
  [
    "contextual.options with a custom entry that has a query",
    {
      contextual: {
        options: [
          "copy",
          {
            title: "Ask",
            description: "By mail",
            href: { base: "https://ask.example", query: [{ key: "q", value: "$path" }] },
          },
        ],
      },
    },
    [/href="https:\/\/ask\.example\?q=%2F"[\s\S]*By mail/],
  ],
  [
    "contextual.options with an icon from a library",
    {
      contextual: {
        options: [
          "copy",
          { title: "Ask", icon: { name: "rocket", library: "lucide" }, href: "https://ask.example" },
        ],
      },
    },
    [/href="https:\/\/ask\.example"[^>]*><span class="o-svg"><svg[\s\S]*Ask/],
  ],
  [
    "contextual.display",
    { contextual: { options: ["copy"], display: "toc" } },
    [/class="o-aside">[\s\S]*data-copy>/],
  ],
  ["metadata.timestamp", { metadata: { timestamp: true } }, ["Page"]],
  [
    "seo.metatags",
    { seo: { metatags: { "og:image": "https://img.example/x.png", custom: "yes" } } },
    [/property="og:image" content="https:\/\/img\.example\/x\.png"/, /name="custom" content="yes"/],
  ],
];

/** Settings that must be accepted, although this page shows no effect. */
const accepted: Row[] = [
  [
    "integrations",
    {
      integrations: {
        ga4: ga,
        gtm: { tagId: "G-1" },
        posthog: { apiKey: "phc_1", apiHost: "https://ph.example" },
      },
    },
    [{ not: /googletagmanager|posthog|ph\.example/ }],
  ],
  [
    "feedback.thumbsRating and suggestEdit",
    { feedback: { thumbsRating: true, suggestEdit: true } },
    ["Page"],
  ],
  ["search.prompt", { search: { prompt: "Find…" } }, ["Page"]],
  [
    "api",
    {
      api: {
        openapi: "openapi.json",
        mdx: { server: "https://api.example.com", auth: { method: "bearer", name: "Key" } },
        playground: { display: "simple" },
      },
    },
    ["Page"],
  ],
];

describe.each([
  ["look", look],
  ["chrome", chrome],
  ["accepted", accepted],
])("%s", (_part, rows) => {
  test.each(rows)("%s", async (_key, settings, wanted, styles = []) => {
    const built = await build(settings);
    expectAll(built.html, wanted);
    expectAll(built.styles, styles);
    expect(briefly(built.site.problems)).toEqual([]);
  });
});

describe("redirects, 404 and indexing", () => {
  test("redirects[].permanent", async () => {
    const { site } = await build({
      redirects: [
        { source: "/a", destination: "/guides/next" },
        { source: "/b", destination: "/guides/next", permanent: false },
      ],
    });
    expect(
      JSON.parse(site.read("_octavo/redirects.json")).redirects.map(
        ({ status }: { status: number }) => status,
      ),
    ).toEqual([308, 307]);
    expect(site.read("a.html")).toMatch('url=guides/next.html"');
  });

  test("errors.404.redirect", async () => {
    expect(JSON.parse((await build({})).site.read("_octavo/redirects.json")).notFound).toBe("home");
    expect(
      JSON.parse((await build({ errors: { 404: { redirect: false } } })).site.read("_octavo/redirects.json"))
        .notFound,
    ).toBe("page");
  });

  test("seo.indexing", async () => {
    const settings = { navigation: { pages: ["index"] } };
    expect((await build(settings)).site.read("sitemap.xml")).not.toMatch("guides/next");
    expect((await build({ ...settings, seo: { indexing: "all" } })).site.read("sitemap.xml")).toMatch(
      "guides/next",
    );
  });

  test("external assistants are offered only if they can read the page", async () => {
    const settings = { contextual: { options: ["copy", "chatgpt"] } };
    expect((await buildSiteFrom(siteOf(files, settings))).read("index.html")).not.toMatch("chatgpt.com");
    expect(
      (
        await buildSiteFrom(siteOf(files, settings), {
          origin: "https://docs.example.com",
          kind: "air-gapped",
        })
      ).read("index.html"),
    ).not.toMatch("chatgpt.com");
  });
});

describe("invalid settings are reported, and the site is built", () => {
  type Row = [string, Record<string, unknown>, string, string?];
  const rows: Row[] = [
    ["theme", { theme: "mintt" }, "config-value", 'Did you mean "mint"?'],
    ["colors without alpha", { colors: { primary: "#11223344" } }, "config-value"],
    ["an extra key in colors", { colors: { primary: "#112233", secondary: "#445566" } }, "config-value"],
    ["icon with fa-", { navbar: { links: [{ label: "a", href: "/", icon: "fa-star" }] } }, "config-value"],
    ["logo of two letters", { logo: "ab" }, "config-value"],
    ["fonts.source without format", { fonts: { source: "/fonts/own.woff2" } }, "config-value"],
    [
      "five footer columns",
      { footer: { links: Array(5).fill({ items: [{ label: "a", href: "/" }] }) } },
      "config-value",
    ],
    [
      "footer link by http",
      { footer: { links: [{ items: [{ label: "a", href: "http://a.example" }] }] } },
      "config-value",
    ],
    [
      "footer link to an svg",
      { footer: { links: [{ items: [{ label: "a", href: "/a.svg" }] }] } },
      "config-value",
    ],
    [
      "footer link without a scheme",
      { footer: { links: [{ items: [{ label: "a", href: "//a.example" }] }] } },
      "config-value",
    ],
    [
      "duplicate redirect",
      {
        redirects: [
          { source: "/a", destination: "/" },
          { source: "/a", destination: "/" },
        ],
      },
      "config-duplicate",
    ],
    ["duplicate contextual option", { contextual: { options: ["copy", "copy"] } }, "config-duplicate"],
    [
      "unknown language",
      { navigation: { languages: [{ language: "eng", pages: ["index"] }] } },
      "config-value",
      'Did you mean "en"?',
    ],
    ["empty tabs", { navigation: { tabs: [] } }, "nav-empty"],
    ["empty groups", { navigation: { groups: [] } }, "nav-empty"],
    [
      "an extra key in navigation.global",
      { navigation: { global: { groups: [] }, pages: ["index"] } },
      "config-value",
    ],
    ["an unknown key", { navbarr: {} }, "config-unknown-key", 'Did you mean "navbar"?'],
    [
      "a key of another level",
      { codeBlock: "dark" },
      "config-unknown-key",
      "Did you mean styling.codeblocks?",
    ],
    [
      "a key of another level, in an object",
      { styling: { playgrund: {} } },
      "config-unknown-key",
      "Did you mean api.playground?",
    ],
    [
      "a key that exists nowhere",
      { colors: { primary: "#112233", mmmmmmmm: 1 } },
      "config-value",
      "Allowed: primary, light, dark.",
    ],
    [
      "a key that exists nowhere, at a level with many keys",
      { mmmmmmmm: 1 },
      "config-unknown-key",
      "Allowed: theme, name, description, colors, logo, favicon, appearance, fonts, icons, background, styling, thumbnails and 18 others. The settings reference lists all of them.",
    ],
    [
      "a redirect to a javascript: URL",
      { redirects: [{ source: "/a", destination: "javascript:alert(1)" }] },
      "config-value",
    ],
    ...[
      "https://*.example.com",
      "https://example.com/",
      "https://example.com:443",
      "https://Example.com",
      "example.com",
      "null",
      "*",
    ].map(
      (origin): Row => [
        `${origin} as an origin of the widget`,
        { assistant: { widget: { origins: [origin] } } },
        "config-value",
      ],
    ),
    ...["javascript:alert(1)", "http://example.com/contact", "https://user@example.com/", "mailto:"].map(
      (support): Row => [`${support} as the link to support`, { assistant: { support } }, "config-value"],
    ),
    [
      "a font family that is not bundled",
      { fonts: { family: "Lato" } },
      "font-unavailable",
      "Add a .woff2 file to the folder and set source and format.",
    ],
    [
      "a misspelled font family",
      { fonts: { family: "Jetbrain Mono" } },
      "font-unavailable",
      "Did you mean JetBrains Mono?",
    ],
  ];
  test.each(rows)("%s", async (_name, settings, code, hint) => {
    const { site, html } = await build(settings);
    expect(site.problems.map((found) => found.code)).toContain(code);
    if (hint) expect(site.problems.map((found) => found.hint)).toContain(hint);
    expect(html).toMatch("Section");
  });

  test("a font without a file falls back to the fonts of the theme", async () => {
    const { styles: css } = await build({ theme: "sequoia", fonts: { family: "Lato" } });
    expect(css).toContain('--o-font:"Lato","Figtree","Figtree fallback",ui-sans-serif');
    expect(css).toContain('--o-font-heading:"Lato","Crimson Pro","Crimson Pro fallback",var(--o-font)');
    expect(css).toMatch(/@font-face\{font-family:"Crimson Pro"/);
  });

  test("an object instead of a list in navigation.global", async () => {
    const { site } = await build({ navigation: { global: { tabs: {} }, pages: ["index"] } });
    expect(site.problems.map((found) => found.message)).toEqual([
      "global.tabs must be a list in square brackets",
    ]);
  });

  test("a `$ref` next to a `$ref` to an invalid file is resolved", async () => {
    const settings = { footer: { $ref: "./broken.json", socials: { $ref: "./socials.json" } } };
    const own = { ...files, "broken.json": "{", "socials.json": '{ "githb": "https://github.com/acme" }' };
    expect(briefly((await buildSiteFrom(siteOf(own, settings))).problems)).toEqual([
      "config-syntax broken.json:1",
      "config-unknown-key socials.json:1",
    ]);
  });

  describe("sign-in settings of other platforms", () => {
    const files = (settings: object) => siteOf({ "index.mdx": "Text." }, settings as Record<string, unknown>);
    test.each<[string, object, string[]]>([
      ["auth", { auth: { method: "oauth" } }, ["config-sign-in docs.json:12"]],
      [
        "userAuth",
        { userAuth: { method: "jwt", loginUrl: "https://example.com" } },
        ["config-sign-in docs.json:12"],
      ],
      ["an empty object", { userAuth: {} }, ["config-sign-in docs.json:12"]],
      ["true", { auth: true }, ["config-sign-in docs.json:12"]],
      ["false and null", { auth: false, userAuth: null }, []],
    ])("%s", async (_name, settings, expected) => {
      expect(briefly((await buildSiteFrom(files(settings))).problems)).toEqual(expected);
    });

    test("the report explains the consequences", async () => {
      const [found] = (await buildSiteFrom(files({ auth: {} }))).problems;
      expect(found).toMatchObject({
        severity: "warning",
        message: expect.stringContaining("this site can be read without signing in"),
      });
      expect(found!.hint).toMatch(
        /deployments are rejected.*Static builds and exports don't support sign-in/,
      );
    });

    test("are not reported if readers sign in", async () => {
      expect(
        (await buildSiteFrom(files({ auth: {} }), { readers: "signed-in", links: "clean" })).problems,
      ).toEqual([]);
    });
  });

  test("an empty list of pages is valid", async () => {
    expect((await build({ navigation: { groups: [{ group: "Later", pages: [] }] } })).site.problems).toEqual(
      [],
    );
  });

  test.each(["theme", "name", "colors", "navigation"])("%s is required", async (key) => {
    const files = siteOf({ "index.mdx": "Text." });
    const { [key]: _, ...rest } = JSON.parse(files["docs.json"] as string);
    const site = await buildSiteFrom({ ...files, "docs.json": JSON.stringify(rest) });
    expect(briefly(site.problems)).toEqual(["config-required docs.json:1"]);
    expect(site.read("index.html")).toMatch("Text.");
  });
});

test("the JSON Schema for editors has every setting, and no keywords of our own", () => {
  const { properties } = JSON.parse(jsonSchemaFile()) as {
    properties: Record<string, { properties?: object; strict?: unknown }>;
  };
  expect(Object.keys(properties.appearance!.properties!)).toEqual(["default", "strict"]);
  expect(properties.colors).not.toHaveProperty("strict");
});
