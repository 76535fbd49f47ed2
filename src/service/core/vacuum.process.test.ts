/** Tables with frequent updates don't grow, although the embedded database has no autovacuum. */

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

test("3,000 updates of a rate limit don't grow the table", async () => {
  const database = await openDatabase<Tables>({
    folder,
    script: path.resolve("dist/database.js"),
    migrations: path.resolve("src/io/migrations"),
  });
  const size = async () =>
    (await database.pool.query<{ bytes: number }>("select pg_total_relation_size('rate_windows') as bytes")).rows[0]!.bytes;
  const sizes: number[] = [];
  for (let round = 0; round < 3; round++) {
    for (let n = 0; n < 1_000; n++) await admit(database.db, "organization", { name: "analytics", quota: 1_000, window_s: 3_600 });
    await vacuumTables(database.pool);
    sizes.push(await size());
  }
  expect(sizes[2]).toBeLessThanOrEqual(sizes[0]! * 1.5);
  await database.close();
});
