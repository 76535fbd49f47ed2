import { existsSync, mkdirSync, readdirSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder, writeFiles } from "../../test/engine/build.ts";
import { openDatabase } from "./postgres.ts";

const root = temporaryFolder();
const folder = path.join(root, "data");
const script = path.resolve("dist/database.js");

test("a new embedded database has the current schema without running migrations", async () => {
  const names = readdirSync("src/io/migrations");
  const migrations = writeFiles(
    path.join(root, "failing"),
    Object.fromEntries(names.map((name) => [name, "fail;"])),
  );
  await (await openDatabase({ folder, script, migrations })).close();
});

test("an embedded database of a newer version is closed again", async () => {
  const older = path.join(root, "migrations");
  mkdirSync(older);
  await expect(openDatabase({ folder, script, migrations: older })).rejects.toThrow(
    "migrated by a newer version",
  );
  const locks = [path.join(folder, "lock"), path.join(folder, "postgres", "lock")];
  expect(locks.filter((lock) => existsSync(lock))).toEqual([]);
});
