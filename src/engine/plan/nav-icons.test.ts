/** Tests navigation icons that are images of other hosts. */

import { describe, expect, test } from "vitest";
import { type BuiltSite, buildSiteFrom, siteOf } from "../../../test/engine/build.ts";
import { filesFrom } from "../../base/files.ts";
import { buildSite } from "../site/build-site.ts";
import { missingIcons } from "./nav-icons.ts";

const url = (name: string) => `https://${name}.example.com/${name}.svg`;
const files = siteOf(
  {
    "index.mdx": `---\nicon: ${url("page")}\n---\nText`,
    "other.mdx": `---\nicon: "//relative.example.com/a.svg"\n---\nText`,
  },
  {
    navbar: { links: [{ label: "A", href: "https://example.com", icon: { name: url("navbar") } }] },
    navigation: {
      tabs: [
        {
          tab: "A",
          icon: url("tab"),
          pages: ["index", { group: "G", icon: url("group"), pages: ["other"] }],
        },
      ],
    },
  },
);
const hosts = ["page", "navbar", "tab", "group", "relative"].map((name) => `${name}.example.com`);

/** Returns the site's style sheet that the home page loads without its script. */
function cssOf({ read }: BuiltSite): string {
  const [, path] = /href="\/?(_octavo\/site-[^"]*)"/.exec(read("index.html"))!;
  return read(path!);
}

describe("icons by URL in the navigation", () => {
  test.each(["cloud", "client-hosted"] as const)(
    "are images on %s sites, which allow their hosts",
    async (kind) => {
      const site = await buildSiteFrom(files, { kind, links: "clean" });
      expect(site.problems).toEqual([]);
      const css = cssOf(site);
      const html = site.read("index.html");
      const policy = site.read("_octavo/security.json");
      for (const host of hosts) {
        const [, name] = new RegExp(`\\.(o-i-url-\\d+)\\{mask:none;background:url\\("[^"]*//${host}`).exec(
          css,
        )!;
        expect(html).toMatch(new RegExp(`class="o-i ${name}"`));
        expect(policy).toMatch(new RegExp(`img-src[^;]*https://${host}`));
      }
    },
  );

  test("load on pages from disk only with the complete style sheet", async () => {
    const site = await buildSiteFrom(files);
    expect(cssOf(site)).not.toContain("example.com");
  });

  test("are left out of air-gapped sites and reported", async () => {
    const target = { kind: "air-gapped", links: "html" } as const;
    const built = await buildSiteFrom(files, target);
    expect(cssOf(built)).not.toContain("example.com");
    expect(built.read("index.html")).not.toContain("o-i-url");

    const { site } = await buildSite(filesFrom(files), { generator: "test", clock: Date.now });
    expect(missingIcons(site, { kind: "client-hosted", links: "html" })).toEqual([]);
    expect(
      missingIcons(site, target)
        .map(({ code, file }) => [code, file])
        .sort(),
    ).toEqual([
      ["unknown-icon", "docs.json"],
      ["unknown-icon", "docs.json"],
      ["unknown-icon", "docs.json"],
      ["unknown-icon", "index.mdx"],
      ["unknown-icon", "other.mdx"],
    ]);
  });
});
