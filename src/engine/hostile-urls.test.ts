/**
 * Tests that URLs that would run code, in every text setting and every frontmatter key, are not in the
 * output.
 */

import { describe, expect, test } from "vitest";
import { buildSiteFrom, siteOf } from "../../test/engine/build.ts";
import { docsJsonSchema } from "./config/docs-json-schema.ts";
import { frontmatterKeys } from "./config/frontmatter.ts";

const hostile = [
  "javascript:alert(1)",
  "JaVaScRiPt:alert(1)",
  " javascript:alert(1)",
  "java\tscript:alert(1)",
  "\u0001javascript:alert(1)",
  "vbscript:msgbox(1)",
  "data:text/html,<script>alert(1)</script>",
];

/** A value for each alternative of the schema, with `text` in all of its strings. */
function valuesOf(schema: Record<string, unknown>, text: string, depth = 0): unknown[] {
  const {
    type,
    properties,
    items,
    anyOf,
    oneOf,
    enum: choices,
    const: constant,
  } = schema as Record<string, never>;
  if (depth > 9) return [];
  if (constant !== undefined) return [constant];
  if (choices !== undefined) return [(choices as unknown[])[0]];
  const ways = (anyOf ?? oneOf) as Record<string, unknown>[] | undefined;
  if (ways) return ways.flatMap((way) => valuesOf(way, text, depth + 1)).slice(0, 6);
  if (type === "string") return [text];
  if (type === "boolean") return [true];
  if (type === "number" || type === "integer") return [1];
  if (type === "array")
    return valuesOf((items ?? {}) as Record<string, unknown>, text, depth + 1).map((value) => [value]);
  if (type !== "object") return [];
  const entries = Object.entries((properties ?? {}) as Record<string, Record<string, unknown>>).map(
    ([key, value]) => [key, valuesOf(value, text, depth + 1)] as const,
  );
  const most = Math.min(4, Math.max(1, ...entries.map(([, values]) => values.length)));
  return Array.from({ length: most }, (_, i) =>
    Object.fromEntries(
      entries.flatMap(([key, values]) => (values.length ? [[key, values[i % values.length]]] : [])),
    ),
  );
}

/** Matches URLs that would run code, in attributes, CSS, feeds, sitemaps, JSON and Markdown links. */
const leading =
  /(?:\b(?:href|src|srcset|action|formaction|poster|data|xlink:href|cite|background)\s*=\s*["']?|url\(["']?|<loc>|<link>|<guid>|"(?:href|url|destination|location|@id|item|logo|image)"\s*:\s*"|\]\()[\s\u0000-\u0020]*(?:j\s*a\s*v\s*a|vb)\s*script\s*:[^"'\n]{0,30}|(?:href|src|action)\s*=\s*["']?\s*data:text\/html[^"'\n]{0,30}|"(?:og|twitter):(?:url|image|video|audio|player)[\w:]*" content="\s*(?:javascript|vbscript|data):[^"]{0,30}/gi;

async function leaks(files: Parameters<typeof buildSiteFrom>[0]): Promise<string[]> {
  const { paths, read } = await buildSiteFrom(files, { origin: "https://docs.example.com" });
  const written = paths.filter(
    (path) => /\.(?:html|md|xml|txt|json|js)$/.test(path) && !/_octavo\/[\w-]+-[0-9a-f]{10}\.js$/.test(path),
  );
  return written.flatMap((path) => [...read(path).matchAll(leading)].map(([found]) => `${path}: ${found}`));
}

describe("settings", () => {
  const { properties } = docsJsonSchema as unknown as { properties: Record<string, Record<string, unknown>> };
  const names = Object.keys(properties).filter(
    (name) => !["$schema", "theme", "name", "colors", "navigation"].includes(name),
  );

  test.each(names)("%s", async (name) => {
    const found: string[] = [];
    for (const text of hostile)
      for (const value of valuesOf(properties[name]!, text))
        found.push(
          ...(await leaks(siteOf({ "index.mdx": "Text.", "next.mdx": "More." }, { [name]: value }))),
        );
    expect(found).toEqual([]);
  });

  test("navigation", async () => {
    const found: string[] = [];
    for (const href of hostile) {
      const link = { anchor: "A", href, icon: href };
      const rows: object[] = [
        {
          pages: ["index"],
          global: {
            anchors: [link],
            languages: [{ language: "en", href }],
            versions: [{ version: "1", href }],
            dropdowns: [{ dropdown: "D", href }],
          },
        },
        { anchors: [link, { anchor: "B", pages: ["index"], icon: href }] },
        {
          tabs: [
            { tab: "T", href },
            { tab: "U", pages: ["index"], menu: [{ item: "I", href }] },
          ],
        },
        {
          dropdowns: [
            { dropdown: "D", href },
            { dropdown: "E", pages: ["index"] },
          ],
        },
        {
          products: [
            { product: "P", href },
            { product: "Q", pages: ["index"] },
          ],
        },
        { pages: ["index", href, { group: "G", root: href, pages: [href], icon: href }] },
      ];
      for (const navigation of rows)
        found.push(...(await leaks(siteOf({ "index.mdx": "Text." }, { navigation }))));
    }
    expect(found).toEqual([]);
  });
});

describe("keys of a page", () => {
  const keys = Object.keys(frontmatterKeys).filter((key) => key !== "title");
  const more = ["og:image", "og:url", "twitter:image", "og:video", "refresh", "canonical_url"];

  test.each([...keys, ...more])("%s", async (key) => {
    const found: string[] = [];
    for (const text of hostile) {
      const value = JSON.stringify(
        ["related", "contextual", "groups", "keywords"].includes(key)
          ? [text, { title: "T", href: text, link: text }]
          : text,
      );
      found.push(
        ...(await leaks(
          siteOf({ "index.mdx": `---\n"${key}": ${value}\n---\n\nText.`, "next.mdx": "More." }),
        )),
      );
    }
    expect(found).toEqual([]);
  });
});
