import { existsSync, mkdirSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/engine/build.ts";
import { openDatabase } from "./postgres.ts";

test("an embedded database of a newer version is closed again", async () => {
  const root = temporaryFolder();
  const folder = path.join(root, "data");
  const older = path.join(root, "migrations");
  mkdirSync(older);
  const options = { folder, script: path.resolve("dist/database.js"), migrations: path.resolve("src/io/migrations") };
  await (await openDatabase(options)).close();
  await expect(openDatabase({ ...options, migrations: older })).rejects.toThrow("migrated by a newer version");
  const locks = [path.join(folder, "lock"), path.join(folder, "postgres", "lock")];
  expect(locks.filter((lock) => existsSync(lock))).toEqual([]);
});
