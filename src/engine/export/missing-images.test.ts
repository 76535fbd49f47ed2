/** Images that don't exist cause no failing requests on an air-gapped site. */

import { expect, test } from "vitest";
import { buildSiteFrom, mainOf, siteOf } from "../../../test/engine/build.ts";

const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10" />';

async function shown(mdx: string): Promise<string> {
  const files = siteOf({ "index.mdx": mdx, "images/a.svg": svg, "images/b,c.svg": svg });
  const site = await buildSiteFrom(files, { kind: "air-gapped" });
  return mainOf(site.read("index.html"));
}

test.each([
  [
    "an image becomes its alternative text",
    '<img src="/images/gone.svg" alt="A diagram" />',
    ["A diagram"],
    ["gone.svg"],
  ],
  ["an image without text becomes its file name", '<img src="/images/gone.svg" />', [">gone.svg<"], ["<img"]],
  [
    "a source of a picture is removed",
    '<picture><source srcset="/images/gone.svg 2x" /><img src="/images/a.svg" alt="A" /></picture>',
    ['src="images/a.svg"'],
    ["<source", "gone.svg"],
  ],
  [
    "a missing file is removed from a set, and the others stay",
    '<picture><source srcset="/images/gone.svg 2x, /images/a.svg" /><img src="/images/a.svg" srcset="/images/b,c.svg, /images/gone.svg 2x" alt="A" /></picture>',
    ['<source srcset="images/a.svg"', 'src="images/a.svg"', 'srcset="images/b,c.svg"'],
    ["gone.svg"],
  ],
  [
    "a set without files is removed, and the image stays",
    '<img src="/images/a.svg" srcset="/images/gone.svg 2x" alt="A" />',
    ['src="images/a.svg"'],
    ["srcset", "gone.svg"],
  ],
  [
    "sets of files that exist stay",
    '<picture><source srcset="/images/b,c.svg, /images/a.svg 2x" /><img src="/images/a.svg" srcset="/images/a.svg 1x" alt="A" /></picture>',
    ['<source srcset="images/b,c.svg, images/a.svg 2x"', 'srcset="images/a.svg 1x"'],
    [],
  ],
])("%s", async (_name, mdx, present, absent) => {
  const html = await shown(mdx);
  for (const text of present) expect(html).toContain(text);
  for (const text of absent) expect(html).not.toContain(text);
});
