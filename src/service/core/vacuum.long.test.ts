/**
 * Tables with frequent updates don't grow, and statistics are up to date, although the embedded database has
 * no autovacuum.
 */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { openDatabase } from "../../io/postgres.ts";
import { admit } from "./sliding-window.ts";
import type { Tables } from "./tables.ts";
import { vacuumTables } from "./vacuum.ts";

const folder = mkdtempSync(path.join(tmpdir(), "octavo-upkeep-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const opened = () =>
  openDatabase<Tables>({
    folder: mkdtempSync(path.join(folder, "database-")),
    script: path.resolve("dist/database.js"),
    migrations: path.resolve("src/io/migrations"),
  });

test("3,000 updates of a rate limit don't grow the table", async () => {
  const database = await opened();
  const size = async () =>
    (await database.pool.query<{ bytes: number }>("select pg_total_relation_size('rate_windows') as bytes"))
      .rows[0]!.bytes;
  const sizes: number[] = [];
  for (let round = 0; round < 3; round++) {
    for (let n = 0; n < 1_000; n++)
      await admit(database.db, "organization", { name: "analytics", quota: 1_000, window_s: 3_600 });
    await vacuumTables(database.pool);
    sizes.push(await size());
  }
  expect(sizes[2]).toBeLessThanOrEqual(sizes[0]! * 1.5);
  await database.close();
});

test("statistics are updated once a tenth of a table's rows has changed", async () => {
  const { pool, close } = await opened();
  await pool.query("insert into organizations (id, name, plan) values ('o', 'Acme', 'pro')");
  await pool.query(
    `insert into projects (id, organization_id, name, subdomain, source) values ('p', 'o', 'Docs', 'docs', '{"kind": "upload"}')`,
  );
  const addMessages = (from: number, to: number) =>
    pool.query(
      `insert into conversations (project_id, id, thread_id, query, response, sources, resolution_status, caller)
        select 'p', '01JB' || lpad(n::text, 22, '0'), '01JB' || lpad(n::text, 22, '0'), 'q', 'r', '[]', 'answered', 'web'
        from generate_series($1::integer, $2::integer) n`,
      [from, to],
    );
  const known = async () =>
    (
      await pool.query<{ rows: number }>(
        "select reltuples as rows from pg_class where relname = 'conversations_first'",
      )
    ).rows[0]!.rows;
  await addMessages(1, 5_000);
  await vacuumTables(pool);
  expect(await known()).toBe(5_000);
  await addMessages(5_001, 5_200);
  await vacuumTables(pool);
  expect(await known()).toBe(5_000);
  await addMessages(5_201, 6_000);
  await vacuumTables(pool);
  expect(await known()).toBe(6_000);
  await close();
});
