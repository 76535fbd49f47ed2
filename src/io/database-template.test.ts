import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { root, temporaryFolder } from "../../test/engine/build.ts";
import { prepareCluster } from "./database-template.ts";

const template = path.join(root, "dist/database/cluster.tar.br");

test("a new embedded database starts from the product's cluster, and an existing database is kept", async () => {
  const folder = path.join(temporaryFolder(), "postgres");
  await prepareCluster(template, folder);
  expect(readFileSync(path.join(folder, "PG_VERSION"), "utf8")).toMatch(/^\d+\n$/);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(path.join(folder, "global/pg_control")).mode & 0o777).toBe(0o600);
  writeFileSync(path.join(folder, "mine"), "");
  await prepareCluster(template, folder);
  expect(existsSync(path.join(folder, "mine"))).toBe(true);
});

test("files of an interrupted first start are replaced", async () => {
  const folder = path.join(temporaryFolder(), "postgres");
  mkdirSync(`${folder}.new/base`, { recursive: true });
  writeFileSync(path.join(`${folder}.new`, "base/partial"), "");
  await prepareCluster(template, folder);
  expect(existsSync(path.join(folder, "base/partial"))).toBe(false);
  expect(existsSync(`${folder}.new`)).toBe(false);
});
