/** The page of a site without a live deployment, in a browser. */

import { beforeAll, expect, test } from "vitest";
import { looks, seriousFaults, sidewaysScroll, useChromium } from "../../test/browser/chromium.ts";
import { siteOf } from "../../test/engine/build.ts";
import { useHost } from "../../test/host/host.ts";

const { open } = useChromium();
const host = useHost();
beforeAll(() => host.listen());

test("opens the site as soon as it's live", async () => {
  const name = "first.localhost";
  host.directory.pending.set(name, "empty");
  await open(`http://${name}:${host.port}/guide`, async (page, complaints) => {
    await page.getByRole("heading", { name: "No deployment yet" }).waitFor();
    host.directory.pending.set(name, "building");
    await page.getByRole("heading", { name: "Your site is being built" }).waitFor();
    await host.directory.publish(
      name,
      siteOf({ "index.mdx": "Home.", "guide.mdx": "---\ntitle: The guide\n---\n\nText." }),
    );
    await page.getByRole("heading", { name: "The guide" }).waitFor();
    const expected = complaints.list.splice(0);
    expect(expected.filter((line) => !/\b(?:404|503)\b/.test(line))).toEqual([]);
  });
});

test.each(looks)("is accessible in $colorScheme mode at $viewport.width px", async (look) => {
  host.directory.pending.set("waiting.localhost", "building");
  await open(
    `http://waiting.localhost:${host.port}/`,
    async (page, complaints) => {
      expect(await seriousFaults(page)).toEqual([]);
      expect(await sidewaysScroll(page)).toBe(0);
      complaints.list.length = 0;
    },
    look,
  );
});
