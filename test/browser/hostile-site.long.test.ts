/**
 * No payload in docs.json, frontmatter or page text runs in a reader's browser, with or without a content
 * security policy.
 */

import { beforeAll, describe, expect, test } from "vitest";
import { type BuiltSite, buildSiteFrom } from "../engine/build.ts";
import { useChromium } from "./chromium.ts";
import { crawl } from "./hostile-crawl.ts";
import { documentFiles, hostileDocumentSite, payloads } from "./hostile-document.ts";

const { open } = useChromium();
let site: BuiltSite;

const tabGroups_count = 13;
const fields = ["title", "sidebarTitle", "description", "tag", "og:title", "icon"] as const;

/** A page with a payload in each frontmatter field, in its text, and in names. */
function pageOf(payload: string, number: number): string {
  // Expressions in braces are the author's code and may run.
  const text = payload.replaceAll("{", "\\{");
  const front = fields.map(
    (field) => `"${field}": ${JSON.stringify(field === "title" ? `${number} ${payload}` : payload)}`,
  );
  return [
    `---\n${front.join("\n")}\n"keywords": [${JSON.stringify(payload)}]\n---\n`,
    text,
    `## ${text.replaceAll("\n", " ")}`,
    `<Card title={${JSON.stringify(payload)}} href={${JSON.stringify(payload)}} icon={${JSON.stringify(payload)}}>{${JSON.stringify(payload)}}</Card>`,
    `<Tooltip tip={${JSON.stringify(payload)}}>x</Tooltip>`,
    `| a |\n| - |\n| ${text.replaceAll("\n", " ").replaceAll("|", "")} |`,
    `\`\`\`js ${payload.replaceAll("\n", " ").replaceAll("`", "")}\n${payload.replaceAll("`", "")}\n\`\`\``,
  ].join("\n\n");
}

beforeAll(async () => {
  const pages = Object.fromEntries(
    payloads.map((payload, number) => [`p${number}.mdx`, pageOf(payload, number)]),
  );
  const [first, second, third, fourth] = payloads;
  site = await buildSiteFrom({
    "docs.json": JSON.stringify({
      theme: "mint",
      name: first,
      description: second,
      colors: { primary: "#0D9373" },
      banner: { content: payloads.slice(0, 20).join(" ") },
      navbar: { links: payloads.slice(0, 40).map((label) => ({ label, href: label })) },
      footer: {
        socials: { x: third },
        links: [{ header: fourth, items: payloads.map((label) => ({ label, href: label })) }],
      },
      // In several tabs, because pages with a long sidebar load slowly.
      navigation: {
        tabs: Array.from({ length: Math.ceil(payloads.length / tabGroups_count) }, (_, tab) => {
          const from = tab * tabGroups_count;
          const groups = payloads.slice(from, from + tabGroups_count).map((group, index) => ({
            group,
            tag: group,
            icon: group,
            pages: [...(from + index ? [] : ["index"]), `p${from + index}`],
          }));
          return { tab: payloads[from], groups };
        }),
      },
    }),
    "index.mdx": "Home",
    ...pages,
  });
}, 300_000);

test("there are 1,000 places with a payload", () => {
  expect(payloads.length * (fields.length + 7)).toBeGreaterThanOrEqual(1_000);
});

describe.each([
  ["without a policy", false],
  ["with a strict policy", true],
])("%s", (_, isStrict) => {
  test("no page runs anything", { timeout: 900_000 }, async () => {
    const found = site.paths.filter((path) => /^p\d+\.html$/.test(path));
    expect(found.length).toBe(payloads.length);
    expect(await crawl(open, site, found, isStrict, true)).toEqual([]);
  });
});

test("no page of an OpenAPI document runs anything with a strict policy", { timeout: 400_000 }, async () => {
  const documented = await hostileDocumentSite();
  expect(await crawl(open, documented, documentFiles(documented), true)).toEqual([]);
});
