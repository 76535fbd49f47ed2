/**
 * Tests that the CPU time of a build grows at most linearly with each kind of content that authors can add:
 * four times as much content takes at most 4 × 1.2² as long.
 */

import { expect, test } from "vitest";
import { buildSiteFrom, type Sources, siteOf } from "../../test/engine/build.ts";

/** Largest increase in CPU time per unit of content when the content is doubled. */
const growth_factor = 1.2;
/** CPU time below which a difference is noise. */
const noise_ms = 60;

const lines = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => line(index)).join("\n");

const list = <T>(count: number, item: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => item(index));

const page = (text: string, settings: Record<string, unknown> = {}) =>
  siteOf({ "index.mdx": text }, settings);

/** A site with an OpenAPI document. `schema`: of the request body and the response. */
function api(schema: unknown, schemas: Record<string, unknown> = {}): Sources {
  const content = { "application/json": { schema } };
  const document = {
    openapi: "3.1.0",
    info: { title: "A", version: "1" },
    paths: {
      "/a": {
        post: {
          summary: "A",
          requestBody: { content },
          responses: { 200: { description: "OK", content } },
        },
      },
    },
    components: { schemas },
  };
  return siteOf(
    { "index.mdx": "Text.", "a.json": JSON.stringify(document) },
    {
      navigation: {
        groups: [
          { group: "A", pages: ["index"] },
          { group: "B", openapi: "a.json" },
        ],
      },
    },
  );
}

const object = (names: readonly string[]) => ({
  type: "object",
  required: names,
  properties: Object.fromEntries(
    names.map((name) => [name, { type: "string", description: `The ${name}.` }]),
  ),
});

const alternative = (index: number) => ({
  title: `Error ${index}`,
  type: "object",
  required: ["code", "message"],
  properties: {
    code: { type: "string", enum: [`E${index}`] },
    message: { type: "string" },
    details: object(["field", "reason", "hint"]),
  },
});

const nested = (depth: number): unknown =>
  depth === 0
    ? { type: "string" }
    : { type: "object", properties: { a: nested(depth - 1), b: { type: "string" } } };

/** By name: the size at which the time is measured first, and what is built. */
const generators: Record<string, [count: number, make: (count: number) => Sources]> = {
  "alternatives that are alike": [20, (n) => api({ oneOf: list(n, alternative) })],
  "alternatives of a reference": [
    20,
    (n) =>
      api(
        { oneOf: list(n, (i) => ({ $ref: `#/components/schemas/E${i}` })) },
        Object.fromEntries(list(n, (i) => [`E${i}`, alternative(i)])),
      ),
  ],
  "levels of a schema": [20, (n) => api(nested(n))],
  "properties of a schema": [250, (n) => api(object(list(n, (i) => `property${i}`)))],
  "values of an enum": [2_000, (n) => api({ type: "string", enum: list(n, (i) => `value-${i}`) })],
  "operations of a document": [
    50,
    (n) => {
      const paths = Object.fromEntries(
        list(n, (i) => [
          `/a${i}`,
          { get: { summary: `Get ${i}`, responses: { 200: { description: "OK" } } } },
        ]),
      );
      const document = { openapi: "3.1.0", info: { title: "A", version: "1" }, paths };
      return siteOf(
        { "index.mdx": "Text.", "a.json": JSON.stringify(document) },
        {
          navigation: {
            groups: [
              { group: "A", pages: ["index"] },
              { group: "B", openapi: "a.json" },
            ],
          },
        },
      );
    },
  ],
  pages: [
    100,
    (n) => siteOf(Object.fromEntries(list(n, (i) => [`p${i}.mdx`, `## Part ${i}\n\nText ${i}.`]))),
  ],
  "links to missing anchors": [
    1_000,
    (n) => page(`${lines(n, (i) => `## Heading ${i}`)}\n\n${lines(n, (i) => `[a](#heding-${i}-x)\n`)}`),
  ],
  "links to missing pages": [1_000, (n) => page(lines(n, (i) => `[a](/guides/missing-${i})\n`))],
  redirects: [
    1_200,
    (n) => page("Text.", { redirects: list(n, (i) => ({ source: `/old/${i}`, destination: "/" })) }),
  ],
  "redirects to missing pages": [
    1_200,
    (n) => page("Text.", { redirects: list(n, (i) => ({ source: `/old/${i}`, destination: `/new/${i}` })) }),
  ],
  "redirects in a row": [
    1_200,
    (n) =>
      page("Text.", {
        redirects: list(n, (i) => ({
          source: `/old/${i}`,
          destination: i === n - 1 ? "/" : `/old/${i + 1}`,
        })),
      }),
  ],
  tabs: [
    100,
    (n) => page(`<Tabs>\n${lines(n, (i) => `<Tab title="Tab ${i}">\nText ${i}.\n</Tab>`)}\n</Tabs>`),
  ],
  languages: [
    5,
    (n) => {
      const codes = "en fr de es it pt nl pl sv da fi nb cs hu ro el tr uk bg hr".split(" ").slice(0, n);
      return siteOf(
        Object.fromEntries(codes.flatMap((code) => list(20, (i) => [`${code}/p${i}.mdx`, "Text."]))),
        {
          navigation: {
            languages: codes.map((language) => ({ language, pages: list(20, (i) => `${language}/p${i}`) })),
          },
        },
      );
    },
  ],
  "components on a page": [
    300,
    (n) => page(lines(n, (i) => `<Card title="Card ${i}" icon="star">\nText.\n</Card>`)),
  ],
  "expressions on a page": [2_000, (n) => page(lines(n, (i) => `Value {${i} + 1}.\n`))],
  "components with functions": [
    50,
    (n) => page(`export const Row = ({ n }) => <b>{n * 2}</b>;\n\n${lines(n, (i) => `<Row n={${i}} />\n`)}`),
  ],
  "table cells": [2_000, (n) => page(`| a | b |\n| - | - |\n${lines(n, (i) => `| ${i} | \`x${i}\` |`)}`)],
  "lines of code": [2_000, (n) => page(`\`\`\`ts\n${lines(n, (i) => `const a${i} = f("${i}");`)}\n\`\`\``)],
  "blocks of code": [400, (n) => page(lines(n, (i) => `\`\`\`ts\nconst a${i} = f("${i}");\n\`\`\`\n`))],
  formulas: [500, (n) => page(lines(n, (i) => `The sum $a_${i} + b^2$ is.\n`))],
  diagrams: [10, (n) => page(lines(n, (i) => `\`\`\`mermaid\ngraph TD\n  A${i} --> B${i}\n\`\`\`\n`))],
  "comments in a line": [20_000, (n) => page("a <!-- b --> ".repeat(n))],
  "dollar signs in a line": [4_000, (n) => page("costs $5 or `a` ".repeat(n))],
  "brackets of formulas in a line": [20_000, (n) => page("a \\( b ".repeat(n))],
  "quotation marks in a paragraph": [2_000, (n) => page('it\'s "a" and\n'.repeat(n))],
  "tags without closing tags": [500, (n) => page("<Note>\n\na\n\n".repeat(n))],
  "braces without closing braces": [500, (n) => page("{a\n\n".repeat(n))],
  "subtypes that extend the type that lists them": [
    10,
    (n) =>
      api(
        { $ref: "#/components/schemas/A" },
        {
          A: {
            type: "object",
            properties: { kind: { type: "string" } },
            discriminator: { propertyName: "kind" },
            oneOf: list(n, (i) => ({ $ref: `#/components/schemas/B${i}` })),
          },
          ...Object.fromEntries(
            list(n, (i) => [
              `B${i}`,
              {
                allOf: [{ $ref: "#/components/schemas/A" }],
                type: "object",
                properties: { next: { $ref: "#/components/schemas/A" }, [`p${i}`]: { type: "string" } },
              },
            ]),
          ),
        },
      ),
  ],
  "bold text in a paragraph": [2_000, (n) => page("a **b** c\n".repeat(n))],
  "bold text in Chinese": [500, (n) => page("他说**「好」**了，说*对。*的。\n\n".repeat(n))],
  "bare URLs with quotation marks": [
    500,
    (n) => page('see "https://a.test/b" and "https://a.test/c".\n\n'.repeat(n)),
  ],
  "repairs on a page": [15, (n) => page(lines(n, (i) => `<b>text ${i}\n\nMore.`))],
  headings: [1_500, (n) => page(lines(n, () => "## Same heading\n\nText.\n"))],
  footnotes: [
    300,
    (n) => page(`${lines(n, (i) => `Text[^${i}].\n`)}\n${lines(n, (i) => `[^${i}]: Note.\n`)}`),
  ],
  "definitions of links": [
    500,
    (n) => page(`${lines(n, (i) => `[a][r${i}]\n`)}\n${lines(n, (i) => `[r${i}]: /\n`)}`),
  ],
  "items of a list": [4_000, (n) => page(lines(n, (i) => `- item ${i}`))],
  "levels of the navigation": [
    10,
    (n) => {
      const group = (depth: number): unknown => ({
        group: `G${depth}`,
        pages: depth === 0 ? ["index"] : [group(depth - 1)],
      });
      return page("Text.", { navigation: { groups: [group(n)] } });
    },
  ],
};

async function cpuTime(sources: Sources): Promise<number> {
  const start = process.cpuUsage();
  const site = await buildSiteFrom(sources);
  for (const file of site.paths) if (/\.(?:html|md|json)$|search/.test(file)) site.bytes(file);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

async function median(sources: Sources): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < 3; run++) times.push(await cpuTime(sources));
  return times.sort((a, b) => a - b)[1]!;
}

test.each(Object.entries(generators).map(([name, [count, make]]) => ({ name, count, make })))(
  "$name",
  async ({ name, count, make }) => {
    await cpuTime(make(count));
    const base = await cpuTime(page("Text."));
    const [once, fourTimes] = [await median(make(count)), await median(make(4 * count))];
    const ratio = Math.max(0, fourTimes - base) / Math.max(noise_ms, once - base);
    console.log(
      `${name}: ${count} in ${Math.round(once)} ms, ${4 * count} in ${Math.round(fourTimes)} ms, ratio ${ratio.toFixed(2)}`,
    );
    expect(ratio).toBeLessThan(4 * growth_factor ** 2);
  },
);
