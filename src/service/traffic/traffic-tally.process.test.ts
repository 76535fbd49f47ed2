/** Views that are buffered while the database is unavailable. */

import { randomBytes } from "node:crypto";
import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createDatabase } from "../../../test/shared/database.ts";
import type { Tables } from "../core/tables.ts";
import { TrafficTally } from "./traffic-tally.ts";

const project = "01KAJ4V7M2Q8R5T9W3X6Y1Z0AB";

let pool: pg.Pool;
let tally: TrafficTally;
const errors: unknown[] = [];
beforeEach(async () => {
  errors.length = 0;
  pool = new pg.Pool({ connectionString: await createDatabase() });
  await pool.query("insert into organizations (id, name, plan) values ('o', 'Acme', 'pro')");
  await pool.query(
    `insert into projects (id, organization_id, name, subdomain, source) values ('${project}', 'o', 'Docs', 'docs', '{"kind": "upload"}')`,
  );
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  tally = new TrafficTally({ db, random: randomBytes }, (error) => errors.push(error));
});
afterEach(async () => {
  await tally.stop();
  await pool.end();
});

const breakDatabase = () => pool.query("alter table visitor_salts rename to visitor_salts_gone");
const repairDatabase = () => pool.query("alter table visitor_salts_gone rename to visitor_salts");
const written = async () => (await pool.query("select human_views, human_visitors from site_traffic")).rows;

function view(path: string, visitors: number, referrer?: string): void {
  for (let number = 0; number < visitors; number++)
    tally.add({
      projectId: project,
      path,
      kind: "human",
      address: `${path} ${number}`,
      userAgent: "",
      referrer,
    });
}

test("views are kept until they can be written", async () => {
  await breakDatabase();
  view("/", 3, "example.com");
  await tally.flush();
  view("/", 4, "example.com");
  await tally.flush();
  expect(errors).toHaveLength(2);

  await repairDatabase();
  await tally.flush();
  expect(await written()).toEqual([{ human_views: 7, human_visitors: 4 }]);
  expect((await pool.query("select host, views from referrers")).rows).toEqual([
    { host: "example.com", views: 7 },
  ]);
});

test("the buffer doesn't exceed its limit when views are put back", async () => {
  await breakDatabase();
  view("/a", 40_000);
  const failed = tally.flush();
  view("/b", 40_000);
  await failed;
  await repairDatabase();
  await tally.flush();
  // Two of the 50,000 entries are the pages.
  expect((await written())[0].human_visitors).toBe(49_998);
});
