/** The bundle store follows no link out of the data folder. */

import { existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/engine/build.ts";
import { BundleStore } from "./bundle-store.ts";
import { EventLog } from "./event-log.ts";

test("a link instead of the folder of bundles is refused", () => {
  const data = temporaryFolder();
  symlinkSync(temporaryFolder(), path.join(data, "bundles"));
  expect(() => new BundleStore(data)).toThrow(/bundles is a symbolic link/);
});

test("events aren't written through a link", async () => {
  const outside = path.join(temporaryFolder(), "outside");
  mkdirSync(outside);
  const folder = path.join(temporaryFolder(), "analytics");
  symlinkSync(outside, folder);
  const problems: unknown[] = [];
  const log = new EventLog(folder, (problem) => problems.push(problem));
  log.add({}, "192.0.2.1");
  await log.flush();
  expect(String(problems)).toContain("is a symbolic link");
  expect(existsSync(outside) && readdirSync(outside)).toEqual([]);
});
