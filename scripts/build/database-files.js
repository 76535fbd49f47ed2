// Prepares the files of the embedded database: PGlite's own, and the cluster that new databases start from.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";
import { PGlite } from "@electric-sql/pglite";

const root = fileURLToPath(new URL("../..", import.meta.url));
const pglite = path.join(root, "node_modules/@electric-sql/pglite");

/**
 * Folder with the files, compressed with Brotli. It's created once for each version of PGlite, of the
 * migrations and of this script.
 */
export async function databaseFiles() {
  const { version } = JSON.parse(readFileSync(path.join(pglite, "package.json"), "utf8"));
  const folderOfMigrations = path.join(root, "src/io/migrations");
  const migrations = readdirSync(folderOfMigrations)
    .sort()
    .map((name) => ({ name, text: readFileSync(path.join(folderOfMigrations, name), "utf8") }));
  const hash = createHash("sha256")
    .update(JSON.stringify([version, migrations, readFileSync(fileURLToPath(import.meta.url), "utf8")]))
    .digest("hex")
    .slice(0, 16);
  const folder = path.join(root, `node_modules/.cache/octavo/database-${hash}`);
  if (existsSync(folder)) return folder;
  const unfinished = `${folder}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  const write = (name, bytes) => writeFileSync(path.join(unfinished, `${name}.br`), compress(bytes));
  for (const name of ["pglite.wasm", "pglite.data", "initdb.wasm"])
    write(name, readFileSync(path.join(pglite, "dist", name)));
  write("cluster.tar", await migratedCluster(migrations));
  renameSync(unfinished, folder);
  return folder;
}

/**
 * Archive of a migrated cluster without data, so that services don't have to run initdb and all migrations.
 */
async function migratedCluster(migrations) {
  const database = await PGlite.create();
  // As in src/io/migrate.ts.
  await database.exec(
    "create table migrations (name text primary key, applied_at timestamptz not null default now())",
  );
  for (const { name, text } of migrations) {
    await database.exec(`begin; ${text}; commit`);
    await database.query("insert into migrations (name) values ($1)", [name]);
  }
  const archive = await database.dumpDataDir("none");
  await database.close();
  return Buffer.from(await archive.arrayBuffer());
}

/**
 * The files are a third of their size with gzip. A higher quality takes seven times as long and saves only a
 * tenth.
 */
function compress(bytes) {
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN, BROTLI_MAX_WINDOW_BITS } = constants;
  return brotliCompressSync(bytes, {
    params: { [BROTLI_PARAM_QUALITY]: 9, [BROTLI_PARAM_LGWIN]: BROTLI_MAX_WINDOW_BITS },
  });
}
