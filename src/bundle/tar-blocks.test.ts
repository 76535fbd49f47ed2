import { existsSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { root } from "../../test/engine/build.ts";
import { TarBlocks } from "./tar-blocks.ts";
import { newFile } from "./write-bundle.ts";

test.skipIf(!existsSync("/dev/full"))("a full disk is an error of the archive", async () => {
  const archive = new TarBlocks("/dev/full", path.join(root, "dist/gzip.js"));
  await archive.add(newFile("index.html", new TextEncoder().encode("text")));
  await expect(archive.end()).rejects.toMatchObject({ code: "ENOSPC" });
  await archive.close();
});
