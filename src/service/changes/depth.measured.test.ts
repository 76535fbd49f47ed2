/** The time of a page at any depth of a feed with a million events. */

import { afterAll, beforeAll, expect, test } from "vitest";
import type { OpenTestService } from "../../../test/service/open-test-service.ts";
import { newOrganization, type TestOrganization } from "../../../test/service/service.ts";
import { createDatabase } from "../../../test/shared/database.ts";
import { openTestService } from "../../../test/shared/service.ts";

const events_count = 1_000_000;
/** Pages are read in turns, and the fastest of each depth counts, because other load only adds time. */
const rounds_count = 60;

let server: OpenTestService;
let organization: TestOrganization;

beforeAll(async () => {
  const env = { OCTAVO_ANALYTICS_LIMIT: "1000000000" };
  server = await openTestService({ databaseUrl: await createDatabase(), env });
  organization = await newOrganization(server);
  const client = await server.service.pool.connect();
  await client.query("set statement_timeout = 0");
  await client.query(
    `insert into change_events (project_id, sequence, id, at, kind, record_type, record_id, is_resolved, digest)
     select $1, number, lpad(number::text, 26, '0'), now(), 'deleted', 'search', lpad((number % 50000)::text, 40, '0'), false,
       sha256(convert_to(number::text, 'UTF8')) from generate_series(1, $2::integer) as number`,
    [organization.projectId, events_count],
  );
  await client.query("insert into change_feeds (project_id, sequence) values ($1, $2)", [
    organization.projectId,
    events_count,
  ]);
  await client.query("vacuum analyze change_events");
  client.release(true);
}, 600_000);
afterAll(() => server.stop());

test("a page takes at most 1.1 times as long as the first one", async () => {
  const { rows } = await server.service.pool.query<{ sequence: number; digest: Buffer }>(
    "select sequence, digest from change_events where sequence = any($1)",
    [[1, 100_000, 500_000, 990_000]],
  );
  const cursors = rows.map(
    ({ sequence, digest }) => `${sequence}-${digest.toString("base64url").slice(0, 22)}`,
  );
  const times = new Map<string, number[]>(cursors.map((cursor) => [cursor, []]));
  for (let round = 0; round < rounds_count; round++)
    for (let turn = 0; turn < cursors.length; turn++) {
      const cursor = cursors[(turn + round) % cursors.length]!;
      const began = performance.now();
      const { json } = await organization.ask(
        `/v1/analytics/${organization.projectId}/changes?limit=1000&cursor=${cursor}`,
      );
      times.get(cursor)!.push(performance.now() - began);
      expect(json.events.length).toBe(1_000);
    }

  const fastest = [...times.values()].map((each) => Math.min(...each));
  console.log(`fastest page in ms, by depth: ${fastest.map((each) => each.toFixed(1)).join(", ")}`);
  for (const time of fastest) expect(time).toBeLessThan(fastest[0]! * 1.1);
});
