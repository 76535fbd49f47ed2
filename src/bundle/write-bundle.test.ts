import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { openTar } from "./write-bundle.ts";

test.skipIf(!existsSync("/dev/full"))("a full disk is an error of the archive", async () => {
  const archive = openTar("/dev/full");
  await archive.add({ path: "index.html", bytes: new TextEncoder().encode("text") });
  await expect(archive.end()).rejects.toMatchObject({ code: "ENOSPC" });
});
