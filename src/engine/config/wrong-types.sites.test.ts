/**
 * Replaces each value of a large docs.json with values of other types. The pages of the site must still be
 * built.
 */

import { expect, test } from "vitest";
import { buildSiteFrom } from "../../../test/engine/build.ts";

const rich = {
  theme: "mint",
  name: "Acme",
  description: "All of it.",
  colors: { primary: "#0D9373", light: "#0D9373", dark: "#0D9373" },
  logo: { light: "/a.svg", dark: "/b.svg", href: "/" },
  favicon: { light: "/a.svg", dark: "/b.svg" },
  appearance: { default: "dark", strict: false },
  fonts: { family: "Inter", heading: { family: "Own", source: "/own.woff2", format: "woff2", weight: 600 } },
  icons: { library: "lucide" },
  background: {
    decoration: "grid",
    color: { light: "#ffffff", dark: "#000000" },
    image: { light: "/a.png", dark: "/b.png" },
  },
  styling: {
    eyebrows: "breadcrumbs",
    latex: true,
    codeblocks: { theme: { light: "github-light", dark: "dracula" }, languages: { custom: ["/a.json"] } },
  },
  navbar: {
    links: [{ label: "A", href: "/", icon: { name: "star", style: "solid" } }],
    primary: { type: "button", label: "B", href: "/" },
  },
  footer: {
    socials: { x: "https://x.example" },
    links: [{ header: "H", items: [{ label: "L", href: "/" }] }],
  },
  banner: { content: "Hi", dismissible: true, type: "info", color: { light: "#112233", dark: "#112233" } },
  contextual: {
    options: [
      "copy",
      {
        title: "T",
        description: "D",
        icon: "star",
        href: { base: "https://a.example", query: [{ key: "k", value: "v" }] },
      },
    ],
    display: "toc",
  },
  variables: { a: "b" },
  metadata: { timestamp: false },
  redirects: [{ source: "/a", destination: "/b", permanent: true }],
  errors: { 404: { redirect: false, title: "T", description: "D" } },
  markdown: { instructions: ["a"] },
  seo: {
    indexing: "all",
    metatags: { a: "b" },
    organization: { name: "N", sameAs: ["https://a.example"] },
    paths: [{ path: "a", metatags: { b: "c" } }],
  },
  api: {
    openapi: { source: "a.json", directory: "d" },
    playground: { display: "simple" },
    params: { expanded: "all", post: ["a"] },
    examples: { languages: ["curl"] },
    mdx: { server: ["https://a.example"], auth: { method: "bearer", name: "n" } },
  },
  navigation: {
    global: { anchors: [{ anchor: "G", href: "https://a.example", icon: "star" }] },
    languages: [
      {
        language: "en",
        banner: { content: "B" },
        footer: { socials: {} },
        navbar: { links: [] },
        tabs: [
          {
            tab: "T",
            icon: "star",
            menu: [
              {
                item: "I",
                description: "D",
                groups: [
                  {
                    group: "G",
                    root: "index",
                    directory: "card",
                    tag: "t",
                    expanded: true,
                    pages: ["index", { group: "H", pages: ["index"] }],
                  },
                ],
              },
            ],
          },
        ],
      },
    ],
  },
};

type Path = (string | number)[];

function* pathsOf(value: unknown, path: Path = []): Generator<Path> {
  if (path.length) yield path;
  if (typeof value === "object" && value !== null)
    for (const [key, child] of Object.entries(value))
      yield* pathsOf(child, [...path, Array.isArray(value) ? Number(key) : key]);
}

function replaced(value: unknown, [step, ...rest]: Path, by: unknown): unknown {
  if (step === undefined) return by;
  const copy = structuredClone(value) as Record<string | number, unknown>;
  if (by === undefined && rest.length === 0) delete copy[step];
  else copy[step] = replaced(copy[step], rest, by);
  return copy;
}

const wrong = [undefined, null, 5, "%", [], {}];

test("the unchanged settings are valid", async () => {
  const { problems } = await build(rich);
  expect(problems.filter(({ code }) => code.startsWith("config") || code.startsWith("nav"))).toEqual([]);
});

test.each([...pathsOf(rich)].map((path) => ({ name: path.join("."), path })))("$name", async ({ path }) => {
  for (const value of wrong) {
    const { read } = await build(replaced(rich, path, value));
    for (const file of ["index.html", "404.html", "llms.txt", "sitemap.xml", "index.md"])
      expect(read(file), JSON.stringify(value)).toMatch(/./);
    expect(read("index.html"), JSON.stringify(value)).toMatch("Text of the page.");
  }
});

function build(docsJson: unknown) {
  return buildSiteFrom(
    {
      "docs.json": JSON.stringify(docsJson),
      "index.mdx": "Text of the page.",
      "a.svg": "<svg/>",
      "a.json": JSON.stringify({ name: "own", scopeName: "source.own", patterns: [] }),
    },
    { origin: "https://docs.example.com" },
  );
}
