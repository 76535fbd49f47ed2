import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/engine/build.ts";
import { openPlatform } from "../../../test/service/platform.ts";
import { createDatabase } from "../../../test/shared/database.ts";
import { ulidMaker, ulidTime } from "../../base/ulid.ts";
import type { Scope } from "../core/scope.ts";
import { importConversations } from "./import-conversations.ts";

test("a large import updates the statistics that the database plans queries with", async () => {
  const folder = temporaryFolder();
  const { service, close } = await openPlatform({
    databaseUrl: await createDatabase(),
    storage: `file:${folder}/objects`,
    folder,
  });
  try {
    const organizationId = service.ulid();
    const projectId = service.ulid();
    await service.pool.query("insert into organizations (id, name, plan) values ($1, 'Acme', 'pro')", [
      organizationId,
    ]);
    await service.pool.query(
      `insert into projects (id, organization_id, name, subdomain, source) values ($1, $2, 'Docs', 'docs', '{"kind": "upload"}')`,
      [projectId, organizationId],
    );
    const next = ulidMaker(() => Date.UTC(2025, 1, 1), randomBytes);
    const ids = Array.from({ length: 4_000 }, next);
    const lines = ids.map((id) =>
      JSON.stringify({
        id,
        timestamp: new Date(ulidTime(id)).toISOString(),
        query: "How?",
        response: "So.",
        sources: [],
        resolutionStatus: "answered",
        queryCategory: null,
        pageUrl: null,
      }),
    );
    const result = await importConversations(
      service,
      { organizationId } as Scope,
      projectId,
      Readable.from(lines.map((line) => Buffer.from(`${line}\n`))),
    );
    expect(result).toEqual({ added: 4_000, existing: 0, failed: 0, errors: [] });
    // Without statistics, pages deep in a large export are sorted from all older messages.
    const analyzed = async () => {
      const { rows } = await service.pool.query(
        "select 1 from pg_stat_user_tables where relname like 'conversations%' and n_live_tup >= 4000 and last_analyze is not null",
      );
      return rows.length;
    };
    await expect.poll(analyzed).toBe(1);
  } finally {
    await close();
  }
});
