/** A file that its author saves during a build doesn't make later builds wrong. */

import { expect, test } from "vitest";
import { siteOf } from "../../../../test/engine/build.ts";
import { type Files, filesFrom } from "../../../base/files.ts";
import { MemoryStore } from "../../incremental/store.ts";
import { buildSite } from "../build-site.ts";

test("a page that was saved between its reads isn't kept for the content before", async () => {
  const store = new MemoryStore(true);
  const before = filesFrom(siteOf({ "index.mdx": "Before" }));
  const after = filesFrom(siteOf({ "index.mdx": "After" }));
  let reads = 0;
  const saved: Files = {
    ...before,
    read: (path) => (path === "index.mdx" && ++reads > 1 ? after : before).read(path),
  };
  const textWith = async (files: Files) => {
    const { site } = await buildSite(files, { generator: "test", clock: Date.now, hasSignIn: false, store });
    return site.bodies.bodyPart("index.mdx", "html");
  };
  expect(await textWith(saved)).toContain("After");
  expect(await textWith(before)).toContain("Before");
});
