// Creates the cluster that new embedded databases start from, so that services don't have to run initdb and all migrations.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { PGlite } from "@electric-sql/pglite";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Path of a tar.gz with the files of a migrated cluster without data. It's created once for each version of PGlite and of the migrations. */
export async function databaseTemplate() {
  const { version } = JSON.parse(readFileSync(path.join(root, "node_modules/@electric-sql/pglite/package.json"), "utf8"));
  const migrations = path.join(root, "src/io/migrations");
  const files = readdirSync(migrations)
    .sort()
    .map((name) => ({ name, text: readFileSync(path.join(migrations, name), "utf8") }));
  const hash = createHash("sha256")
    .update(JSON.stringify([version, files]))
    .digest("hex")
    .slice(0, 16);
  const folder = path.join(root, "node_modules/.cache/octavo");
  const file = path.join(folder, `postgres-${hash}.tar.gz`);
  if (existsSync(file)) return file;
  mkdirSync(folder, { recursive: true });
  const database = await PGlite.create();
  // As in src/io/migrate.ts.
  await database.exec("create table migrations (name text primary key, applied_at timestamptz not null default now())");
  for (const { name, text } of files) {
    await database.exec(`begin; ${text}; commit`);
    await database.query("insert into migrations (name) values ($1)", [name]);
  }
  const archive = await database.dumpDataDir("gzip");
  writeFileSync(`${file}.new`, Buffer.from(await archive.arrayBuffer()));
  await database.close();
  renameSync(`${file}.new`, file);
  return file;
}
