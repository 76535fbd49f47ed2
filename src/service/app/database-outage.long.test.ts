import { rmSync } from "node:fs";
import { expect, test } from "vitest";
import { deploy, docs, visit } from "../../../test/service/deploying.ts";
import { startPostgres } from "../../../test/service/postgres.ts";
import { newOrganization } from "../../../test/service/service.ts";
import { until } from "../../../test/service/until.ts";
import { startService } from "../../../test/shared/service.ts";

test("sites are served while the database is unavailable, and the API answers 503", async () => {
  const database = await startPostgres();
  const service = await startService({ databaseUrl: await database.createDatabase() });
  const organization = await newOrganization(service);
  const host = `${organization.subdomain}.localhost`;
  await deploy(organization, docs("Still here", { "other.mdx": "Not read before" }));
  await until(async () => (await visit(service, host)).status === 200);
  await database.stop();
  for (let look = 0; look < 15; look++) {
    expect((await visit(service, host)).text).toContain("Still here");
    expect((await visit(service, host, "/other")).text).toContain("Not read before");
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  const asked = await organization.ask("/v1/projects");
  expect(asked.status).toBe(503);
  expect(asked.headers["retry-after"]).toBeDefined();
  service.process.kill("SIGKILL");
  rmSync(service.dataFolder, { recursive: true, force: true });
}, 120_000);
