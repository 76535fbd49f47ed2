/** The service behind PgBouncer in transaction mode, with fewer connections than the processes open. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { deploy, docs, visit } from "../../../test/service/deploying.ts";
import { isPgBouncerInstalled, startPgBouncer } from "../../../test/service/pgbouncer.ts";
import { newOrganization } from "../../../test/service/service.ts";
import { createEmptyDatabase } from "../../../test/shared/database.ts";
import { startService } from "../../../test/shared/service.ts";

if (!isPgBouncerInstalled)
  console.error("No transaction pooling is tested: Debian's pgbouncer package is not installed.");

test.skipIf(!isPgBouncerInstalled)(
  "two processes migrate, deploy, serve and answer through a pooler",
  async () => {
    const database = await createEmptyDatabase();
    const pooler = await startPgBouncer(database, 3);
    const objects = mkdtempSync(path.join(tmpdir(), "octavo-pooling-"));
    const shared = {
      databaseUrl: pooler.urlOf(database),
      secret: "shared by both processes, long enough",
      storage: `file:${objects}`,
    };
    const services = await Promise.all([startService(shared), startService(shared)]);
    try {
      const [first, second] = services;
      const organization = await newOrganization(first);
      expect((await deploy(organization, docs("Hello"))).status).toBe("success");
      const host = `${organization.subdomain}.localhost`;
      for (const service of [first, second])
        await expect.poll(async () => (await visit(service, host)).status).toBe(200);
      const analytics = `/v1/analytics/${organization.projectId}/assistant`;
      const statuses = await Promise.all(
        Array.from({ length: 30 }, async () => (await organization.ask(analytics)).status),
      );
      expect(statuses).toEqual(Array.from({ length: 30 }, () => 200));
      const imports = await Promise.all(
        ["01KAJ4V7M2Q8R5T9W3X6Y1Z0AB", "01KAJ4V7M2Q8R5T9W3X6Y1Z0AC"].map((id) =>
          organization.ask(`${analytics}/import`, {
            method: "POST",
            headers: { "content-type": "application/x-ndjson" },
            body: JSON.stringify({ id, timestamp: "2025-11-21T00:00:00.000Z" }),
          }),
        ),
      );
      expect(imports.map(({ status }) => status)).toEqual([200, 200]);
      expect((await deploy(organization, docs("Again"))).status).toBe("success");
    } finally {
      await Promise.all(services.map((service) => service.stop()));
      await pooler.stop();
      rmSync(objects, { recursive: true, force: true });
    }
  },
);
