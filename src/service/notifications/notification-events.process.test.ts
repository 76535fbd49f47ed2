/** When events are added: unanswered questions, expiring keys, broken links, ends of exports, weekly summaries and digests. */

import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/engine/build.ts";
import { ask, bodyOf } from "../../../test/service/ask-assistant.ts";
import { newMember } from "../../../test/service/dashboard.ts";
import { deploy, docs, upload } from "../../../test/service/deploying.ts";
import { allowReceivers, startReceiver } from "../../../test/service/event-receiver.ts";
import { download, ended as exported, start as startExport } from "../../../test/service/exports.ts";
import { openPlatform } from "../../../test/service/platform.ts";
import { importAll, recorded } from "../../../test/service/recorded.ts";
import { newOrganization, type TestOrganization, type TestService } from "../../../test/service/service.ts";
import { tarOf } from "../../../test/service/tar.ts";
import { newReader, newSite, trusting } from "../../../test/service/test-sites.ts";
import { createDatabase } from "../../../test/shared/database.ts";
import { openTestService } from "../../../test/shared/service.ts";
import { endpoints } from "../app/endpoints.ts";
import type { ChosenEventType } from "../core/notification-events.ts";
import type { Service } from "../core/service.ts";
import { eventText } from "./event-text.ts";
import { sweepExpiringKeys } from "./expiring-keys.ts";
import { sweepWeeklyEvents } from "./weekly-events.ts";

const folder = temporaryFolder();
let service: TestService;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let database: pg.Client;
/** The service's dependencies in this process, to run sweeps at chosen times. */
let platform: Service;
let close: () => Promise<void>;

beforeAll(async () => {
  const databaseUrl = await createDatabase();
  const storage = `file:${path.join(folder, "objects")}`;
  receiver = await startReceiver();
  service = await openTestService({ databaseUrl, storage, env: { ...trusting, ...allowReceivers } });
  database = new pg.Client(databaseUrl);
  await database.connect();
  ({ service: platform, close } = await openPlatform({ databaseUrl, storage, folder }));
}, 120_000);
afterAll(async () => {
  await close();
  await database.end();
  await service.stop();
  await receiver.stop();
});

async function subscribe(organization: TestOrganization, event: ChosenEventType): Promise<void> {
  await organization.client(endpoints.createWebhook, { body: { url: receiver.url, events: [event] } });
}

const ofProject = ({ projectId }: TestOrganization) =>
  receiver.received.filter(({ json }) => json.data.projectId === projectId);
const nothingDue = () =>
  service.until(async () => {
    const due =
      "select 1 from notification_events where send_at <= now() union all select 1 from notification_deliveries where status = 'pending'";
    return (await database.query(due)).rowCount === 0;
  });

test("new unanswered questions of an hour are one event, with one question of each group", async () => {
  const site = await newSite(service);
  await subscribe(site.organization, "question.unanswered");
  const questions = ["Zebra quotas?", "What about zebra quotas?", "Do you sell umbrellas?"];
  for (const text of questions) await ask({ ...site, headers: newReader(), body: bodyOf(text) });
  await nothingDue();
  expect(ofProject(site.organization)).toEqual([]);
  await database.query(
    "update notification_events set send_at = now() where project_id = $1 and send_at is not null",
    [site.organization.projectId],
  );
  await service.until(async () => ofProject(site.organization).length === 1);
  const [event] = ofProject(site.organization);
  expect(event!.json).toMatchObject({ type: "question.unanswered", data: { count: 2 } });
  expect((event!.json.data.questions as { question: string }[]).map(({ question }) => question)).toEqual([
    questions[0],
    questions[2],
  ]);
  // A deleted question disappears from the event, too.
  const [{ id }] = event!.json.data.questions as [{ id: string }];
  const { projectId } = site.organization;
  await site.organization.ask(`/v1/analytics/${projectId}/assistant/${id}`, { method: "DELETE" });
  const stored = await database.query(
    "select data::text as text from notification_events where project_id = $1 and type = 'question.unanswered'",
    [projectId],
  );
  expect(stored.rows[0].text).toContain(questions[2]);
  expect(stored.rows[0].text).not.toContain(questions[0]);
  // The group is known now.
  await ask({ ...site, headers: newReader(), body: bodyOf(questions[1]!) });
  const { rowCount } = await database.query(
    "select 1 from notification_events where type = 'question.unanswered' and send_at is not null",
  );
  expect(rowCount).toBe(0);
});

test("a key is announced 7 days and 1 day before it expires, once each", async () => {
  const organization = await newOrganization(service);
  await subscribe(organization, "key.expiring");
  const { id } = await service.operator(endpoints.createKey, {
    params: { organizationId: organization.id },
    body: { name: "CI", expiresAt: new Date(Date.now() + 30 * 86_400_000).toISOString() },
  });
  await database.query("update api_keys set created_at = now() - interval '60 days' where id = $1", [id]);
  const received = () => receiver.received.filter(({ json }) => json.data.keyId === id);
  for (const [days, count] of [
    [8, 0],
    [6, 1],
    [2, 1],
    [0.5, 2],
  ] as const) {
    await database.query("update api_keys set expires_at = now() + $2 * interval '1 day' where id = $1", [
      id,
      days,
    ]);
    await sweepExpiringKeys(platform);
    await sweepExpiringKeys(platform);
    await nothingDue();
    await service.until(async () => received().length === count);
  }
  // A key with a short life isn't announced when it is created, and a revoked one never.
  await database.query(
    "update api_keys set created_at = now() - interval '1 hour', expires_at = now() + interval '7 days' where id = $1",
    [id],
  );
  await database.query("delete from notification_events where type = 'key.expiring'");
  await sweepExpiringKeys(platform);
  expect(
    (await database.query("select 1 from notification_events where type = 'key.expiring'")).rowCount,
  ).toBe(0);
});

test("broken links are listed by file, downloaded, and announced if the live deployment didn't have them", async () => {
  const organization = await newOrganization(service);
  await subscribe(organization, "links.broken");
  const viewer = await newMember(service, organization.id, "viewer");
  const list = `${viewer.home}/p/${organization.projectId}/broken-links`;
  expect((await viewer.get(list)).text).toContain("No live deployment");
  const other = { "other.mdx": "---\ntitle: Other\n---\n\n[Gone](/gone)\n" };
  await deploy(organization, docs("Fine"));
  expect((await viewer.get(list)).text).toContain("No broken links");
  await deploy(organization, docs("Fine", other));
  await deploy(organization, docs("[A](/other#missing)\n\n![B](/b.png)", other));
  await deploy(organization, docs("Moved.\n\n[A](/other#missing)", other));
  await nothingDue();
  await service.until(async () => ofProject(organization).length === 2);
  expect(
    ofProject(organization).map(({ json }) =>
      (json.data.links as { code: string }[]).map(({ code }) => code),
    ),
  ).toEqual([["dead-link"], ["dead-anchor", "missing-image"]]);
  const { text } = await viewer.get(list);
  for (const part of [">index.mdx<", ">other.mdx<", "<code>/gone</code>", "<code>/other#missing</code>"])
    expect(text).toContain(part);
  const csv = await viewer.ask(`${list}?format=csv`);
  expect(csv.text.replace("\uFEFF", "").split("\r\n").slice(0, 3)).toEqual([
    "file,line,kind,target,hint",
    "index.mdx,7,anchor,/other#missing,",
    "other.mdx,5,link,/gone,",
  ]);
});

test("a change of the live site is announced after a few seconds: deployments, rollbacks, domains and sign-in", async () => {
  const organization = await newOrganization(service);
  const { projectId, subdomain } = organization;
  const params = { projectId };
  const own = `${subdomain}.localhost`;
  const domain = `${subdomain}.example.com`;
  const expectNext = async (reason: string, hosts: string[], count: number) => {
    await service.until(async () => ofProject(organization).length >= count);
    expect(ofProject(organization).at(-1)!.json).toMatchObject({
      type: "site.published",
      data: { reason, hosts },
    });
  };
  await service.operator(endpoints.addOperatorDomain, { params, body: { domain } });
  await subscribe(organization, "site.published");
  const committed_ms = Date.now();
  const first = await deploy(organization, docs("First"));
  await expectNext("deployment", [own, domain], 1);
  expect(Date.now() - committed_ms).toBeGreaterThan(3_000);
  expect(ofProject(organization)[0]!.json.data).toMatchObject({
    siteUrl: expect.stringContaining(domain),
    projectName: subdomain,
  });
  await organization.client(endpoints.rollBack, { params: { id: first.id } });
  await expectNext("rollback", [own, domain], 2);
  await organization.client(endpoints.removeDomain, { params: { ...params, domain } });
  await expectNext("domains", [own, domain], 3);
  await organization.client(endpoints.changeProject, { params, body: { name: "Renamed" } });
  await organization.client(endpoints.changeProject, {
    params,
    body: { signIn: { mode: "password", password: "for readers only" } },
  });
  await expectNext("sign-in", [own], 4);
});

test("the end of an export is announced, unless it was canceled", async () => {
  const organization = await newOrganization(service);
  const { projectId, subdomain } = organization;
  const domain = `${subdomain}.localhost`;
  const job = async () => (await startExport(organization, { domain })).json.jobId as string;
  await subscribe(organization, "export.failed");
  await subscribe(organization, "export.completed");
  const announced = () => ofProject(organization).map(({ json }) => [json.type, json.data.jobId]);

  await upload(organization, tarOf({ "docs.json": "{" }));
  const failed = await job();
  const { error } = await exported(organization, failed);
  await service.until(async () => ofProject(organization).length === 1);
  expect(ofProject(organization)[0]!.json).toMatchObject({
    type: "export.failed",
    data: { projectName: subdomain, jobId: failed, domain, error },
  });

  await deploy(organization, docs("Text"));
  const canceled = await job();
  await organization.client(endpoints.cancelOwnExport, { params: { jobId: canceled } });
  const completed = await job();
  await exported(organization, completed);
  await service.until(async () => ofProject(organization).length === 2);
  const { sha256 } = await download(organization, completed);
  expect(ofProject(organization)[1]!.json).toMatchObject({
    type: "export.completed",
    data: { projectId, jobId: completed, domain, pages: 1, sha256, url: expect.stringContaining(completed) },
  });
  await nothingDue();
  expect(announced()).toEqual([
    ["export.failed", failed],
    ["export.completed", completed],
  ]);
});

test("a weekly digest is sent once, from Monday 8:00 UTC on, and not without activity", async () => {
  const [busy, idle] = [await newSite(service), await newSite(service)];
  for (const { organization } of [busy, idle]) await subscribe(organization, "digest.weekly");
  const today = Math.floor(Date.now() / 86_400_000);
  const monday_ms = (today - ((today + 3) % 7)) * 86_400_000;
  const at = monday_ms - 3 * 86_400_000;
  await importAll(busy.organization, [
    recorded(at, "What is it?"),
    recorded(at + 1, "Zebra quotas?", { resolutionStatus: "unanswered" }),
    recorded(monday_ms - 8 * 86_400_000, "Too old"),
  ]);
  await sweepWeeklyEvents(platform, monday_ms + 7 * 3_600_000);
  await nothingDue();
  expect(ofProject(busy.organization)).toEqual([]);
  // Several workers, and a service that was off on Monday.
  await Promise.all([
    sweepWeeklyEvents(platform, monday_ms + 9 * 3_600_000),
    sweepWeeklyEvents(platform, monday_ms + 9 * 3_600_000),
  ]);
  await sweepWeeklyEvents(platform, monday_ms + 4 * 86_400_000);
  await service.until(async () => ofProject(busy.organization).length > 0);
  await nothingDue();
  expect(ofProject(busy.organization).map(({ json }) => json.data)).toEqual([
    expect.objectContaining({
      questions: 2,
      answered: 1,
      from: new Date(monday_ms - 7 * 86_400_000).toISOString().slice(0, 10),
      unansweredQuestions: [{ question: "Zebra quotas?", count: 1 }],
    }),
  ]);
  expect(ofProject(idle.organization)).toEqual([]);
});

test("unanswered questions of a week are one summary, with one question of each open group, and without those that were deleted", async () => {
  const [busy, idle] = [await newSite(service), await newSite(service)];
  for (const { organization } of [busy, idle]) await subscribe(organization, "questions.weekly");
  const today = Math.floor(Date.now() / 86_400_000);
  const monday_ms = (today - ((today + 3) % 7)) * 86_400_000;
  const at = (days: number, text: string, status: "answered" | "unanswered" = "unanswered") =>
    recorded(monday_ms - days * 86_400_000, text, { resolutionStatus: status });
  const ignored = at(4, "Do you sell umbrellas?");
  await importAll(busy.organization, [
    at(5, "Zebra quotas?"),
    at(4, "What about zebra quotas?"),
    at(3, "Where is the moon?"),
    at(3, "What is it?", "answered"),
    at(9, "Too old?"),
    ignored,
  ]);
  await importAll(idle.organization, [at(3, "What is it?", "answered"), at(9, "Too old?")]);
  const params = { projectId: busy.organization.projectId, questionId: ignored.id };
  await busy.organization.client(endpoints.changeUnanswered, { params, body: { status: "ignored" } });
  await sweepWeeklyEvents(platform, monday_ms + 7 * 3_600_000);
  await nothingDue();
  expect(ofProject(busy.organization)).toEqual([]);
  // Several workers.
  await Promise.all([9, 9, 10].map((hour) => sweepWeeklyEvents(platform, monday_ms + hour * 3_600_000)));
  await service.until(async () => ofProject(busy.organization).length > 0);
  await nothingDue();
  expect(ofProject(busy.organization).map(({ json }) => [json.type, json.data.questions])).toEqual([
    [
      "questions.weekly",
      [
        { id: expect.any(String), question: "What about zebra quotas?", count: 2 },
        { id: expect.any(String), question: "Where is the moon?", count: 1 },
      ],
    ],
  ]);
  expect(ofProject(idle.organization)).toEqual([]);
  const { data } = ofProject(busy.organization)[0]!.json;
  expect(eventText("questions.weekly", data).paragraphs.join()).toContain(
    '\n- "What about zebra quotas?" (2)\n- "Where is the moon?" (1)',
  );
  const moon = (data.questions as { id: string }[])[1]!;
  await busy.organization.client(endpoints.deleteConversation, {
    params: { projectId: busy.organization.projectId, id: moon.id },
  });
  const { rows } = await database.query(
    "select data from notification_events where project_id = $1 and type = 'questions.weekly'",
    [busy.organization.projectId],
  );
  expect(JSON.stringify(rows)).not.toContain("moon");
});
