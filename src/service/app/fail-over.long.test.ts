/**
 * Fail-over of PostgreSQL: the primary is killed and its replica promoted while sites are read and
 * conversations are written.
 */

import { randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { deploy, docs, visit } from "../../../test/service/deploying.ts";
import { postgresPrograms, startReplicatedPostgres } from "../../../test/service/postgres-replicas.ts";
import { newOrganization } from "../../../test/service/service.ts";
import { startService } from "../../../test/shared/service.ts";
import { ulidMaker, ulidTime } from "../../base/ulid.ts";

if (!postgresPrograms) console.error("No fail-over is tested: Debian's postgresql package is not installed.");

test.skipIf(!postgresPrograms)(
  "nothing acknowledged is lost, sites are never down, and the API is back within 30 s",
  async () => {
    const database = await startReplicatedPostgres(postgresPrograms!);
    const service = await startService({
      databaseUrl: database.url,
      env: { OCTAVO_ANALYTICS_LIMIT: "1000000000" },
    });
    try {
      const organization = await newOrganization(service);
      await deploy(organization, docs("Hello"));
      const host = `${organization.subdomain}.localhost`;
      await expect.poll(async () => (await visit(service, host)).status).toBe(200);
      const next = ulidMaker(Date.now, randomBytes);
      const acknowledged: string[] = [];
      const visits: number[] = [];
      let isWriting = true;
      let writtenAt_ms = 0;
      const writing = (async () => {
        while (isWriting) {
          const ids = Array.from({ length: 5 }, next);
          const body = ids.map((id) => JSON.stringify(conversation(id))).join("\n");
          const headers = { "content-type": "application/x-ndjson" };
          const path = `/v1/analytics/${organization.projectId}/assistant/import`;
          const { status } = await organization.ask(path, { method: "POST", headers, body });
          expect([200, 500, 503]).toContain(status);
          if (status !== 200) continue;
          acknowledged.push(...ids);
          writtenAt_ms = performance.now();
        }
      })();
      const reading = (async () => {
        for (; isWriting; await wait(20)) visits.push((await visit(service, host)).status);
      })();
      await expect.poll(() => acknowledged.length).toBeGreaterThan(50);
      const killedAt_ms = performance.now();
      await database.failOver();
      const promotedAt_ms = performance.now();
      await expect
        .poll(() => writtenAt_ms, { timeout: 30_000 - (promotedAt_ms - killedAt_ms) })
        .toBeGreaterThan(promotedAt_ms);
      isWriting = false;
      await Promise.all([writing, reading]);
      expect(visits.filter((status) => status !== 200)).toEqual([]);
      const stored = new Set<string>();
      for (let cursor: string | null = ""; cursor !== null; ) {
        const query = `?limit=1000${cursor ? `&cursor=${cursor}` : ""}`;
        const { json } = await organization.ask(`/v1/analytics/${organization.projectId}/assistant${query}`);
        for (const { id } of json.conversations as { id: string }[]) stored.add(id);
        cursor = json.nextCursor;
      }
      expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
      expect((await deploy(organization, docs("After the fail-over"))).status).toBe("success");
    } finally {
      await service.stop();
      database.stop();
    }
  },
  240_000,
);

function conversation(id: string) {
  const timestamp = new Date(ulidTime(id)).toISOString();
  return {
    id,
    timestamp,
    query: "q",
    response: "r",
    sources: [],
    resolutionStatus: "answered",
    queryCategory: null,
    pageUrl: null,
  };
}
