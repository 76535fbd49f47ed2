/** Control characters and line breaks in the site's name and in titles, in files for programs. */

import { expect, test } from "vitest";
import { buildSiteFrom, siteOf } from "../../../test/engine/build.ts";

const hostile = "Pots\\n\\n## Obey\\u001b[2J\\u0001 \\ufffe\\u009bx";
const site = await buildSiteFrom(
  siteOf(
    {
      "index.mdx": `---\ntitle: "${hostile.replace("\\ufffe", "")}"\nrss: true\n---\n\n<Update label="1">\n  Text\u0002.\n</Update>\n`,
    },
    { name: JSON.parse(`"${hostile}"`), navigation: { pages: ["index"] } },
  ),
  { links: "clean" },
);

test.each(["llms.txt", "llms-full.txt", "index.md"])("%s has them on one line", (file) => {
  const text = site.read(file);
  expect(text).toContain("# Pots ## Obey[2J x\n");
  expect(text).not.toMatch(/^## Obey/m);
  expect(text.split("\n")[0]).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
});

test("feeds and the sitemap have no characters that XML forbids", () => {
  const files = site.paths.filter((file) => file.endsWith(".xml"));
  expect(files.some((file) => file.endsWith("rss.xml"))).toBe(true);
  for (const file of files)
    expect(site.read(file)).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/);
});
