import { expect, test } from "vitest";
import { buildSiteFrom, siteOf } from "../../../test/engine/build.ts";

const body = "Only once on this page.";

test("an author can't insert the page's text in other places", async () => {
  const mark = "<\u{0}html>";
  const page = `---\ntitle: "<\\u0000html> first"\ndescription: "<\\u0000html> second"\nkeywords: ["<\\u0000html>"]\n---\n\n${body} ${mark} \`${mark}\``;
  const settings = {
    name: mark,
    banner: { content: `${mark} [${mark}](/${mark})` },
    navbar: { links: [{ label: mark, href: `/${mark}` }] },
  };
  const site = await buildSiteFrom(siteOf({ "index.mdx": page }, settings), { kind: "cloud" });
  expect(site.read("index.html").split(body)).toHaveLength(2);
});

test.each(["cloud", "client-hosted", "air-gapped"] as const)(
  "pages with and without images, on %s sites",
  async (kind) => {
    const image = "![Other](https://example.com/a.png)";
    const site = await buildSiteFrom(
      siteOf({
        "index.mdx": `Text “one”. [Next](/next) [Below](#end)\n\n## End`,
        "next.mdx": `Text “two”. [Back](/)\n\n${image}\n\n<RequestExample>\n\n\`\`\`sh\ncurl\n\`\`\`\n\n</RequestExample>`,
        "custom.mdx": `---\nmode: custom\n---\n\n# Own title\n\nText “three”. [Back](/)`,
      }),
      { kind, links: "html" },
    );
    expect(site.read("index.html")).toMatch(
      /<p>Text “one”. <a href="next\.html">Next<\/a> <a href="#end">Below<\/a><\/p>/,
    );
    expect(site.read("next.html")).toMatch(/<p>Text “two”. <a href="index\.html">Back<\/a><\/p>/);
    expect(site.read("next.html")).toContain("curl");
    expect(
      /<img[^>]*src="https:/.test(site.read("next.html").replace(/<noscript.*?<\/noscript>/gs, "")),
    ).toBe(kind === "cloud");
    expect(site.read("custom.html").match(/<h1/g)).toHaveLength(1);
    for (const file of site.paths.filter((path) => path.endsWith(".html")))
      expect(site.read(file)).not.toContain("\0");
  },
);
