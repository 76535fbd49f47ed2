/** The operator's screens: who becomes an operator, lists, changes and their records. */

import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { firstAdmin, type Member, newMember } from "../../../test/service/dashboard.ts";
import { newOrganization, type TestOrganization, type TestService } from "../../../test/service/service.ts";
import { createDatabase } from "../../../test/shared/database.ts";
import { openTestService } from "../../../test/shared/service.ts";
import { limits } from "../../base/limits.ts";
import { endpoints } from "../app/endpoints.ts";

let service: TestService;
let database: Client;
let organization: TestOrganization;
let operator: Member;

const home = "/dashboard/operator";
const userId = async (member: Member) =>
  /data-copy="([0-9A-Z]{26})"/.exec((await member.get("/dashboard/account")).text)![1]!;

beforeAll(async () => {
  const databaseUrl = await createDatabase();
  service = await openTestService({ databaseUrl });
  database = new Client(databaseUrl);
  await database.connect();
  operator = await firstAdmin(service);
  organization = await newOrganization(service);
}, 120_000);
afterAll(async () => {
  await database.end();
  await service.stop();
});

const linksIn = (text: string) =>
  [...text.matchAll(/href="\/dashboard\/operator\/organizations\/([0-9A-Z]{26})"/g)].map(([, id]) => id!);

test("the first admin of an installation is an operator; later ones are not", async () => {
  expect((await operator.get(home)).status).toBe(200);
  expect((await operator.get("/dashboard/account")).text).toContain('href="/dashboard/operator"');
  const admin = await newMember(service, organization.id, "admin");
  expect((await admin.get(home)).status).toBe(404);
  expect((await admin.get("/dashboard/account")).text).not.toContain('href="/dashboard/operator"');
});

test("the operator API adds and removes operators; the change applies to the next request", async () => {
  const admin = await newMember(service, organization.id, "admin");
  const id = await userId(admin);
  expect(await service.operator(endpoints.addOperator, { body: { userId: id } })).toMatchObject({
    id,
    email: admin.email,
  });
  expect((await admin.get(home)).status).toBe(200);
  const { operators } = await service.operator(endpoints.listOperators, {});
  expect(operators.map((each: { id: string }) => each.id)).toContain(id);
  await service.operator(endpoints.removeOperator, { params: { userId: id } });
  expect((await admin.get(home)).status).toBe(404);
  await expect(
    service.operator(endpoints.addOperator, { body: { userId: "unknown" } }),
  ).rejects.toMatchObject({ status: 404 });
});

test("other admins of an operator's organization can't change how the operator signs in", async () => {
  const [admin, colleague] = [
    await newMember(service, organization.id, "admin"),
    await newMember(service, organization.id, "admin", "Olga"),
  ];
  const id = await userId(colleague);
  const path = `${admin.home}/members/${id}`;
  expect((await admin.get(path)).text).toContain("Create password reset link");
  await service.operator(endpoints.addOperator, { body: { userId: id } });
  expect((await admin.get(path)).text).not.toContain("Create password reset link");
  const _token = await admin.token("/dashboard/account");
  expect((await admin.post(`${path}/reset-link`, { _token })).status).toBe(403);
  expect((await admin.post(`${path}/two-factor/off`, { _token })).status).toBe(403);
  await service.operator(endpoints.removeOperator, { params: { userId: id } });
});

test("organizations are listed and searched page by page, without gaps or repetitions", async () => {
  const count = limits.listPage_count * 2 + 3;
  const names = Array.from({ length: count }, (_, n) => `Paged%_${String.fromCharCode(97 + (n % 3))}`);
  await Promise.all(
    names.map((name) => service.operator(endpoints.createOrganization, { body: { name, plan: "free" } })),
  );
  for (const first of [home, `${home}?q=pAGED%25_`]) {
    const seen: string[] = [];
    for (let path: string | undefined = first; path !== undefined; ) {
      const { text } = await operator.get(path);
      seen.push(...linksIn(text));
      path = /href="([^"]+)">Next page/.exec(text)?.[1]?.replaceAll("&amp;", "&");
    }
    expect(new Set(seen).size).toBe(seen.length);
    const { rows } = await database.query<{ count: number }>(
      `select count(*)::int as count from organizations ${first === home ? "" : "where name like 'Paged%'"}`,
    );
    expect(seen).toHaveLength(rows[0]!.count);
  }
  expect(linksIn((await operator.get(`${home}?q=${organization.id}`)).text)).toEqual([organization.id]);
  expect(linksIn((await operator.get(`${home}?q=%25`)).text)).toEqual([]);
});

test("malformed cursors and texts are ignored", async () => {
  for (const path of [
    "?after=x",
    "?q=%5C",
    "/queue?after=-1",
    "/sign-ins?after=01ARZ3NDEKTSV4RRFFQ69G5FAV+x",
    "/organizations/x",
  ])
    expect([200, 404], path).toContain((await operator.get(home + path)).status);
});

test("a changed plan applies and is in the organization's audit log, with the operator's email", async () => {
  const path = `${home}/organizations/${organization.id}`;
  const changed = await operator.submit(`${path}/plan`, { plan: "free" }, { from: path });
  expect(changed.text).toContain("Plan changed.");
  const { plan } = await service.operator(endpoints.getOrganization, {
    params: { organizationId: organization.id },
  });
  expect(plan).toBe("free");
  const { rows } = await database.query(
    "select actor, action, metadata from audit_log where organization_id = $1 order by number desc limit 1",
    [organization.id],
  );
  expect(rows).toEqual([
    { actor: `operator ${operator.email}`, action: "changePlan", metadata: { plan: "free" } },
  ]);
  const wrong = await operator.submit(`${path}/plan`, { plan: "gold" }, { from: path });
  expect([wrong.status, wrong.text.includes("Select a plan")]).toEqual([400, true]);
});

test("a session that the operator ends is signed out, and the user's organizations record it", async () => {
  const member = await newMember(service, organization.id, "viewer", "Vera");
  const { text } = await operator.get(`${home}/sign-ins`);
  const [, action] =
    /action="(\/dashboard\/operator\/sign-ins\/[^"]+\/end)"[^§]*?End session<span class="o-sr"> Vera/.exec(
      text.slice(text.lastIndexOf("<tr", text.indexOf(member.email))),
    )!;
  expect((await operator.submit(action!, {}, { from: `${home}/sign-ins` })).text).toContain("Session ended.");
  expect((await member.ask(member.home)).status).toBe(303);
  const { rows } = await database.query(
    "select actor from audit_log where organization_id = $1 and action = 'endSignIn'",
    [organization.id],
  );
  expect(rows).toEqual([{ actor: `operator ${operator.email}` }]);
});

test("changes need a recent confirmation, and their forms are only shown after it", async () => {
  const path = `${home}/organizations/${organization.id}`;
  const { forms } = await operator.get(path);
  expect(forms.some(({ action }) => action === `${path}/plan`)).toBe(true);
  const token = await operator.token("/dashboard/account");
  await database.query("update sessions set authenticated_at = now() - interval '1 hour'");
  const refused = await operator.post(`${path}/plan`, { _token: token, plan: "pro" });
  expect([refused.status, refused.headers.location]).toEqual([
    303,
    `/dashboard/account/confirm?next=${encodeURIComponent(path)}`,
  ]);
  expect(
    (await service.operator(endpoints.getOrganization, { params: { organizationId: organization.id } })).plan,
  ).toBe("free");
  const page = await operator.get(path);
  expect(page.forms.some(({ action }) => action === `${path}/plan`)).toBe(false);
  expect(page.text).toContain("to change the plan");
  expect((await operator.get(`${home}/sign-ins`)).text).not.toContain("End session");
});

test("queue, health and storage show state, not content", async () => {
  await database.query(
    "insert into jobs (name, payload, organization_id, priority, run_at, message) values ('categorize', '{\"text\": \"SECRET\"}', $1, 0, now() + interval '1 hour', 'SECRET')",
    [organization.id],
  );
  const queue = await operator.get(`${home}/queue`);
  expect(queue.text).toMatch(/categorize[\s\S]*Waiting/);
  expect(queue.text).not.toContain("SECRET");
  expect((await operator.get(`${home}/health`)).text).toMatch(
    /Database[\s\S]*OK[\s\S]*Object store[\s\S]*OK[\s\S]*PostgreSQL/,
  );
  await database.query("update organizations set stored_bytes = 10000000000 where id = $1", [
    organization.id,
  ]);
  expect(linksIn((await operator.get(`${home}/storage`)).text)[0]).toBe(organization.id);
});
