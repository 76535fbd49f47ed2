/** Migration of jobs from pg-boss, which earlier versions used, to the `jobs` table. */

import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { expect, test } from "vitest";
import { createEmptyDatabase } from "../../../test/shared/database.ts";
import { migrate } from "../../io/migrate.ts";

const migrations = path.resolve("src/io/migrations");

/** Schema of pg-boss 10 with the columns that were used. */
const oldQueue = `
  create schema pgboss;
  create type pgboss.job_state as enum ('created', 'retry', 'active', 'completed', 'cancelled', 'failed');
  create table pgboss.job (
    id uuid not null default gen_random_uuid(), name text not null, priority integer not null, data jsonb, state pgboss.job_state not null,
    retry_count integer not null default 0, start_after timestamptz not null default now(), started_on timestamptz,
    created_on timestamptz not null default now(), output jsonb
  ) partition by list (name);
  create table pgboss.all_jobs partition of pgboss.job default;
  insert into pgboss.job (id, name, priority, data, state, retry_count, start_after, started_on, created_on, output) values
    ('00000000-0000-0000-0000-000000000003', 'deploy', 0, '{"id": "d1", "organizationId": "a"}', 'active', 1, now(), now(), '2026-01-01', null),
    (default, 'static-export', -2, '{"id": "e1", "organizationId": "a"}', 'retry', 1, '2027-01-01', now(), '2026-01-02', '{"faults": 1, "message": "full"}'),
    (default, 'categorize', 0, '{"id": "p1 m1", "organizationId": "b"}', 'created', 0, '2026-01-03', null, '2026-01-03', null),
    (default, 'deploy', 0, '{"id": "d2", "organizationId": "b"}', 'completed', 0, '2026-01-03', now(), '2026-01-03', null);
  insert into job_leases values ('00000000-0000-0000-0000-000000000003', 'deploy', 2, '2026-01-05')`;

test("waiting and running jobs are moved, and older processes can't create jobs any more", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "octavo-migrations-"));
  const pool = new pg.Pool({ connectionString: await createEmptyDatabase() });
  try {
    const isEarlier = (file: string) => !/\/\d{4}-[\w-]+\.sql$/.test(file) || path.basename(file) < "0012";
    cpSync(migrations, folder, { recursive: true, filter: isEarlier });
    await migrate(pool, folder);
    await pool.query(oldQueue);
    await migrate(pool, migrations);
    const { rows } = await pool.query("select * from jobs order by id");
    const date = (text: string) => new Date(`${text}T00:00Z`);
    const moved = { faults: 0, message: "", priority: 0, leased_at: null };
    expect(rows).toMatchObject([
      {
        ...moved,
        name: "deploy",
        payload: { deploymentId: "d1" },
        organization_id: "a",
        attempt: 2,
        leased_at: date("2026-01-05"),
      },
      {
        ...moved,
        name: "static-export",
        payload: { exportId: "e1" },
        organization_id: "a",
        priority: -2,
        run_at: date("2027-01-01"),
        attempt: 2,
        faults: 1,
        message: "full",
      },
      {
        ...moved,
        name: "categorize",
        payload: { projectId: "p1", messageId: "m1" },
        organization_id: "b",
        attempt: 0,
      },
    ]);
    await expect(pool.query("select from pgboss.job")).rejects.toThrow(
      'relation "pgboss.job" does not exist',
    );
  } finally {
    await pool.end();
    rmSync(folder, { recursive: true, force: true });
  }
});
