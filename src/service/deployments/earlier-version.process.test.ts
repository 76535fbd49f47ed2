/** Deployments that a process of an earlier version completes during an upgrade. */

import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Member, newMember } from "../../../test/service/dashboard.ts";
import { deploy, docs } from "../../../test/service/deploying.ts";
import { newOrganization, type TestOrganization, type TestService } from "../../../test/service/service.ts";
import { createDatabase } from "../../../test/shared/database.ts";
import { openTestService } from "../../../test/shared/service.ts";
import { endpoints } from "../app/endpoints.ts";

let service: TestService;
let organization: TestOrganization;
let member: Member;
let database: pg.Pool;
let id = "";

beforeAll(async () => {
  const databaseUrl = await createDatabase();
  service = await openTestService({ databaseUrl });
  database = new pg.Pool({ connectionString: databaseUrl });
  organization = await newOrganization(service);
  member = await newMember(service, organization.id);
  ({ id } = await deploy(organization, docs("First")));
  await deploy(organization, docs("Second"));
});
afterAll(async () => {
  await database.end();
  await service.stop();
});

const superseded = "Superseded: a later deployment, or the one that you rolled back to, is live";

test.each([
  ["Live, with 2 errors", null, "replaced", "Replaced, with 2 errors"],
  ["Live", null, "replaced", "Replaced"],
  [superseded, null, "superseded", superseded],
  [`${superseded}, with 1 error`, null, "superseded", `${superseded}, with 1 error`],
  ["Held: 3 new errors", 3, "held", "Held: 3 new errors"],
])("its summary %s has an outcome", async (summary, held, liveState, shown) => {
  await database.query(
    "update deployments set status = 'in_progress', outcome = null, error_count = null where id = $1",
    [id],
  );
  await database.query(
    "update deployments set status = 'success', summary = $2, held_errors = $3 where id = $1",
    [id, summary, held],
  );
  expect(await organization.client(endpoints.getDeployment, { params: { id } })).toMatchObject({ liveState });
  const page = await member.get(`${member.home}/p/${organization.projectId}/deployments/${id}`);
  expect(page.text).toContain(shown);
});
