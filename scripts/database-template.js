// Creates the cluster that new embedded databases start from, so that services don't have to run initdb.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { PGlite } from "@electric-sql/pglite";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Path of a tar.gz with the files of an empty cluster. It's created once for each version of PGlite. */
export async function databaseTemplate() {
  const { version } = JSON.parse(readFileSync(path.join(root, "node_modules/@electric-sql/pglite/package.json"), "utf8"));
  const folder = path.join(root, "node_modules/.cache/octavo");
  const file = path.join(folder, `postgres-${version}.tar.gz`);
  if (existsSync(file)) return file;
  mkdirSync(folder, { recursive: true });
  const database = await PGlite.create();
  const archive = await database.dumpDataDir("gzip");
  writeFileSync(`${file}.new`, Buffer.from(await archive.arrayBuffer()));
  await database.close();
  renameSync(`${file}.new`, file);
  return file;
}
