/** An upload that was accepted keeps its archive, whatever fails after it. */

import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { docs, ended, upload } from "../../../test/service/deploying.ts";
import type { OpenTestService } from "../../../test/service/open-test-service.ts";
import { newOrganization } from "../../../test/service/service.ts";
import { tarOf } from "../../../test/service/tar.ts";
import { openTestService } from "../../../test/shared/service.ts";
import { endpoints } from "../app/endpoints.ts";

let service: OpenTestService;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service?.stop());

test("the size of the archive can't be recorded", async () => {
  const organization = await newOrganization(service);
  const { db } = service.service;
  await sql`create function refuse() returns trigger language plpgsql as $$ begin raise 'full'; end $$`.execute(
    db,
  );
  await sql`create trigger refuse before update of stored_bytes on organizations
    for each row execute function refuse()`.execute(db);
  const { status } = await upload(organization, tarOf(docs("Kept text")));
  expect(status).toBe(500);
  await sql`drop trigger refuse on organizations`.execute(db);

  const { deployments } = await organization.client(endpoints.listDeployments, {
    params: { projectId: organization.projectId },
  });
  expect(deployments).toHaveLength(1);
  expect(await ended(organization, deployments[0]!.id)).toMatchObject({ status: "success", isLive: true });
});
