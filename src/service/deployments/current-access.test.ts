import { expect, test } from "vitest";
import { buildSiteFrom, siteOf } from "../../../test/engine/build.ts";
import { mayRead } from "../../base/access.ts";
import type { SiteManifest } from "../../layout/site-manifest.ts";
import { withCurrentAccess } from "./current-access.ts";

test("content that isn't public stays closed if sign-in is turned off, until the next build", async () => {
  const site = await buildSiteFrom(
    siteOf(
      {
        "index.mdx": '---\npublic: true\n---\nOpen.\n\n<Visibility for="signed-in">canary</Visibility>\n',
        "default.mdx": "Opens.",
        "closed.mdx": "---\npublic: false\n---\ncanary\n\n![](/images/closed.svg)\n",
        "also-closed.mdx": "---\npublic: false\n---\n![](/images/closed.svg)\n",
        "below.mdx": "canary",
        "staff.mdx": "---\ngroups: [staff]\n---\ncanary\n",
        "images/closed.svg": "<svg><title>canary</title></svg>",
        "skills/closed/SKILL.md": "---\nname: closed\ndescription: Closed.\npublic: false\n---\ncanary\n",
      },
      {
        navigation: {
          groups: [
            { group: "Start", pages: ["index", "default", "closed", "also-closed", "staff"] },
            { group: "Below", public: false, pages: ["below"] },
          ],
        },
      },
    ),
    { kind: "cloud", links: "clean", readers: "signed-in", origin: "https://docs.example.com" },
  );

  const files = Object.fromEntries(site.paths.map((path) => [path, { access: site.access(path) }]));
  const manifest = { formatVersion: 1, hasSignIn: true, files } as unknown as SiteManifest;
  const now = withCurrentAccess(manifest, false).files;
  const isOpen = (path: string) => mayRead(now[path]!.access, undefined);
  const closed = site.paths.filter((path) => site.read(path).includes("canary"));
  expect(closed).toContain("images/closed.svg");
  expect(closed.length).toBeGreaterThan(8);
  expect(closed.filter(isOpen)).toEqual([]);
  expect(["index.html", "default.html", "default.md"].filter((path) => !isOpen(path))).toEqual([]);

  const reader = { groups: [] };
  expect(closed.filter((path) => !path.includes("staff") && mayRead(files[path]!.access!, reader))).toContain(
    "closed.md",
  );
});
