/** Webhooks and emails about events: signatures, retries, secrets, tenants, blocked URLs, restarts. */

import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newMember } from "../../../test/service/dashboard.ts";
import { deploy, docs } from "../../../test/service/deploying.ts";
import { allowReceivers, isSigned, startReceiver } from "../../../test/service/event-receiver.ts";
import { startMailServer } from "../../../test/service/mail-server.ts";
import { newOrganization, type TestOrganization, type TestService } from "../../../test/service/service.ts";
import { trusting } from "../../../test/service/test-sites.ts";
import { createDatabase } from "../../../test/shared/database.ts";
import { openTestService } from "../../../test/shared/service.ts";
import { endpoints } from "../app/endpoints.ts";

let databaseUrl: string;
let service: TestService;
let mail: Awaited<ReturnType<typeof startMailServer>>;
let database: pg.Client;

const start = () =>
  openTestService({
    databaseUrl,
    env: {
      ...trusting,
      ...allowReceivers,
      OCTAVO_SMTP_URL: mail.url,
      OCTAVO_MAIL_FROM: "Octavo <docs@example.com>",
    },
  });

beforeAll(async () => {
  [databaseUrl, mail] = [await createDatabase(), await startMailServer()];
  database = new pg.Client(databaseUrl);
  await database.connect();
  service = await start();
}, 120_000);
afterAll(async () => {
  await service.stop();
  await mail.stop();
  await database.end();
});

const broken = { "docs.json": "{" };
/** Sends deliveries that wait for a retry, and events that wait for the end of their hour. */
const skipWaiting = async () => {
  await database.query(
    "update notification_deliveries set next_attempt_at = now() where status = 'pending' and attempt > 0",
  );
  await database.query("update notification_events set send_at = now() where send_at is not null");
  await service.runJobs();
};
const deliveriesOf = async ({ client }: TestOrganization, webhookId: string) =>
  (await client(endpoints.listWebhookDeliveries, { params: { webhookId } })).deliveries;
const emailsTo = (address: string) => mail.received.filter(({ to }) => to.includes(address));

async function withWebhook(url: string, events: string[], more: object = {}) {
  const organization = await newOrganization(service);
  const webhook = await organization.client(endpoints.createWebhook, {
    body: { url, events: events as never, ...more },
  });
  return { organization, webhook };
}

test("a failed deployment is sent once, signed, and retried after an error", async () => {
  const receiver = await startReceiver([500]);
  const { organization, webhook } = await withWebhook(receiver.url, ["deployment.failed"]);
  const deployment = await deploy(organization, broken);
  await service.until(async () => receiver.received.length === 1);
  expect((await deliveriesOf(organization, webhook.id))[0]).toMatchObject({
    event: "deployment.failed",
    status: "pending",
    attempt: 1,
    responseStatus: 500,
    error: "The receiver responded with status 500.",
  });
  await skipWaiting();
  expect((await deliveriesOf(organization, webhook.id))[0]).toMatchObject({
    status: "delivered",
    attempt: 2,
  });
  const [first, second] = receiver.received;
  expect(first!.json).toMatchObject({
    type: "deployment.failed",
    data: { deploymentId: deployment.id, projectId: organization.projectId, number: 1, branch: null },
  });
  expect(isSigned(first!, webhook.secret) && isSigned(second!, webhook.secret)).toBe(true);
  expect(second!.headers["webhook-id"]).toBe(first!.headers["webhook-id"]);
  expect(second!.body).toBe(first!.body);
  // A success isn't repeated, and the answer of the receiver isn't shown.
  await skipWaiting();
  await deploy(organization, docs("Fixed"));
  const [delivery] = await deliveriesOf(organization, webhook.id);
  expect(JSON.stringify(await deliveriesOf(organization, webhook.id))).not.toContain("secret-answer");
  expect(receiver.received).toHaveLength(2);
  // Unless an admin sends it again.
  await organization.client(endpoints.resendWebhookDelivery, {
    params: { webhookId: webhook.id, deliveryId: delivery!.id },
  });
  await service.until(async () => receiver.received.length === 3);
  expect(receiver.received[2]!.headers["webhook-id"]).toBe(first!.headers["webhook-id"]);
  await receiver.stop();
});

test("a webhook gets its events of its project only, and none while it is disabled", async () => {
  const receiver = await startReceiver();
  const organization = await newOrganization(service);
  const second = await service.operator(endpoints.createProject, {
    params: { organizationId: organization.id },
    body: { name: "Second", subdomain: `second-${organization.subdomain}` },
  });
  const { id } = await organization.client(endpoints.createWebhook, {
    body: { url: receiver.url, events: ["deployment.succeeded"], projectId: second.id },
  });
  await deploy(organization, docs("First project"));
  await deploy({ ...organization, projectId: second.id }, broken);
  const change = (body: object) =>
    organization.client(endpoints.changeWebhook, { params: { webhookId: id }, body });
  await change({ isEnabled: false });
  await deploy({ ...organization, projectId: second.id }, docs("While disabled"));
  await service.until(
    async () =>
      (await database.query("select 1 from notification_events where send_at <= now()")).rowCount === 0,
  );
  await change({ isEnabled: true });
  await deploy({ ...organization, projectId: second.id }, docs("Second project"));
  await service.until(async () => receiver.received.length > 0);
  expect(receiver.received.map(({ json }) => [json.type, json.data.projectName, json.data.number])).toEqual([
    ["deployment.succeeded", "Second", 3],
  ]);
  await receiver.stop();
});

test("the secret is shown once, and stored encrypted like the URL", async () => {
  const receiver = await startReceiver();
  const { organization, webhook } = await withWebhook(receiver.url, ["deployment.failed"]);
  expect(Buffer.from(webhook.secret.replace("whsec_", ""), "base64")).toHaveLength(32);
  const admin = await newMember(service, organization.id, "admin");
  const texts = [
    JSON.stringify(await organization.client(endpoints.listWebhooks)),
    JSON.stringify(
      await organization.client(endpoints.changeWebhook, {
        params: { webhookId: webhook.id },
        body: { isEnabled: true },
      }),
    ),
    (await admin.get(`${admin.home}/notifications`)).text,
    (await admin.get(`${admin.home}/notifications/${webhook.id}`)).text,
  ];
  for (const text of texts) expect(text).not.toContain(webhook.secret);
  const { rows } = await database.query("select url, secret from webhooks where id = $1", [webhook.id]);
  expect([rows[0].url, rows[0].secret].every((text: string) => text.startsWith("enc:"))).toBe(true);
  await receiver.stop();
});

test("another organization can't see, change or resend", async () => {
  const receiver = await startReceiver();
  const { organization, webhook } = await withWebhook(receiver.url, ["deployment.failed"]);
  await deploy(organization, broken);
  await service.until(async () => (await deliveriesOf(organization, webhook.id))[0]?.status === "delivered");
  const deliveryId = (await deliveriesOf(organization, webhook.id))[0]!.id;
  const other = await newOrganization(service);
  const own = await other.client(endpoints.createWebhook, {
    body: { url: receiver.url, events: ["deployment.failed"] },
  });
  const statusOf = async (method: string, path: string) =>
    (
      await other.ask(path, {
        method,
        ...(method === "PATCH" ? { body: "{}", headers: { "content-type": "application/json" } } : {}),
      })
    ).status;
  expect(await statusOf("GET", `/v1/webhooks/${webhook.id}/deliveries`)).toBe(404);
  expect(await statusOf("PATCH", `/v1/webhooks/${webhook.id}`)).toBe(404);
  expect(await statusOf("DELETE", `/v1/webhooks/${webhook.id}`)).toBe(404);
  expect(await statusOf("POST", `/v1/webhooks/${webhook.id}/deliveries/${deliveryId}/resend`)).toBe(404);
  expect(await statusOf("POST", `/v1/webhooks/${own.id}/deliveries/${deliveryId}/resend`)).toBe(404);
  const outsider = await newMember(service, other.id, "admin", "Otto");
  expect((await outsider.ask(`${outsider.home}/notifications/${webhook.id}`)).status).toBe(404);
  expect(receiver.received).toHaveLength(1);
  await receiver.stop();
});

test.each([
  ["a metadata address", "http://169.254.169.254/latest/meta-data"],
  ["an internal address", "http://10.0.0.7/hook"],
  ["a local name", "http://localhost/"],
  ["credentials", "https://user:password@example.com/"],
  ["another protocol", "file:///etc/passwd"],
])("%s is refused when it is saved, next to its field", async (_name, url) => {
  const organization = await newOrganization(service);
  const body = { url, events: ["deployment.failed"] };
  const answer = await organization.ask("/v1/webhooks", {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "content-type": "application/json" },
  });
  expect([answer.status, answer.json.error]).toEqual([400, "Invalid webhook"]);
  const admin = await newMember(service, organization.id, "admin");
  const page = await admin.submit(`${admin.home}/notifications`, { url });
  expect(page.status).toBe(400);
  expect(page.text).toMatch(
    /id="url-error" class="d-field-error">(?:URL must|[^<]*isn(?:&#39;|')t allowed to call)/,
  );
});

test("an address that became internal is refused when it is sent, and redirects aren't followed", async () => {
  const receiver = await startReceiver([302]);
  const { organization, webhook } = await withWebhook(receiver.url, ["deployment.failed"]);
  await deploy(organization, broken);
  expect((await deliveriesOf(organization, webhook.id))[0]).toMatchObject({
    responseStatus: 302,
    status: "pending",
  });
  // The stored value isn't encrypted, so it is used as it is.
  await database.query("update webhooks set url = 'http://169.254.169.254/' where id = $1", [webhook.id]);
  await skipWaiting();
  await expect
    .poll(async () => (await deliveriesOf(organization, webhook.id))[0]!.error)
    .toContain("Request blocked: this docs server isn't allowed to call 169.254.169.254");
  await receiver.stop();
});

test("Slack gets a message with escaped text", async () => {
  const receiver = await startReceiver();
  const { organization, webhook } = await withWebhook(receiver.url, ["deployment.failed"], {
    format: "slack",
  });
  await database.query("update projects set name = 'A <b> & c' where id = $1", [organization.projectId]);
  await deploy(organization, broken);
  await service.until(async () => receiver.received.length === 1);
  const { json } = receiver.received[0]!;
  expect(Object.keys(json)).toEqual(["text"]);
  expect(json.text).toMatch(
    /^\*"A &lt;b&gt; &amp; c": deployment 1 failed\*\n[\s\S]+\n<http\S+\|Open in Octavo>$/,
  );
  expect(webhook.format).toBe("slack");
  await receiver.stop();
});

test("events that were added before the service stopped are sent when it is back", async () => {
  const receiver = await startReceiver();
  const { organization, webhook } = await withWebhook(receiver.url, ["deployment.failed"]);
  await service.stop();
  // As left by a process that was killed after its commit, and by one that was killed while it was sending.
  for (const [id, sendAt] of [
    ["01KA00000000000000000000E1", "now()"],
    ["01KA00000000000000000000E2", "null"],
  ])
    await database.query(
      `insert into notification_events (id, organization_id, project_id, type, data, send_at)
       values ($1, $2, $3, 'deployment.failed', '{"projectName": "Acme"}', ${sendAt})`,
      [id, organization.id, organization.projectId],
    );
  await database.query(
    `insert into notification_deliveries (id, organization_id, event_id, webhook_id, attempt, next_attempt_at)
     values ('01KA00000000000000000000D2', $1, '01KA00000000000000000000E2', $2, 1, now())`,
    [organization.id, webhook.id],
  );
  service = await start();
  await service.until(async () => receiver.received.length === 2);
  expect(receiver.received.map(({ headers }) => headers["webhook-id"]).sort()).toEqual([
    "01KA00000000000000000000E1",
    "01KA00000000000000000000E2",
  ]);
  await receiver.stop();
}, 60_000);

test("a webhook that failed for 5 days is disabled, and its admins are told", async () => {
  const receiver = await startReceiver([500, 500]);
  const { organization, webhook } = await withWebhook(receiver.url, ["deployment.failed"]);
  const admin = await newMember(service, organization.id, "admin");
  await deploy(organization, broken);
  await service.until(async () => (await deliveriesOf(organization, webhook.id))[0]?.attempt === 1);
  await database.query("update webhooks set failing_since = now() - interval '6 days' where id = $1", [
    webhook.id,
  ]);
  await skipWaiting();
  expect((await organization.client(endpoints.listWebhooks)).webhooks[0]).toMatchObject({
    isEnabled: false,
    disabledAt: expect.any(String),
  });
  await service.until(async () =>
    emailsTo(admin.email).some(({ text }) => text.includes("Webhook disabled")),
  );
  expect((await admin.get(`${admin.home}/notifications/${webhook.id}`)).text).toContain(
    "because it had been failing for 5 days",
  );
  await receiver.stop();
});

test("members get the emails that they chose; admins get failed deployments by default", async () => {
  const organization = await newOrganization(service);
  const [admin, viewer, silent] = [
    await newMember(service, organization.id, "admin", "Ada"),
    await newMember(service, organization.id, "viewer", "Vi"),
    await newMember(service, organization.id, "viewer", "Si"),
  ];
  await viewer.submit(
    "/dashboard/account/notifications",
    { [`events-${organization.id}`]: "deployment.succeeded" },
    { from: "/dashboard/account/notifications" },
  );
  await deploy(organization, broken);
  await deploy(organization, docs("Hello"));
  await service.until(async () => emailsTo(admin.email).length > 0 && emailsTo(viewer.email).length > 0);
  // Quotation marks in a subject are encoded.
  const subjectOf = (text: string) =>
    /Subject: (.+)/
      .exec(text)![1]!
      .replace(/\?=? =\?UTF-8\?Q\?/g, "")
      .replaceAll("_", " ");
  const subjects = (address: string) => emailsTo(address).map(({ text }) => subjectOf(text));
  expect(subjects(admin.email)).toEqual([expect.stringContaining("deployment 1 failed")]);
  expect(subjects(viewer.email)).toEqual([expect.stringContaining("deployment 2 succeeded")]);
  expect(emailsTo(admin.email)[0]!.text).toContain("/dashboard/account/notifications");
  expect(emailsTo(silent.email)).toEqual([]);
  // A member who was removed gets no email that was queued before.
  const { rows } = await database.query("select id from users where email = $1", [viewer.email]);
  await database.query("delete from memberships where user_id = $1", [rows[0].id]);
  const queued = await database.query(
    `insert into notification_deliveries (id, organization_id, event_id, user_id)
     select '01KA00000000000000000000D3', organization_id, id, $2 from notification_events
     where organization_id = $1 and type = 'deployment.failed' returning id`,
    [organization.id, rows[0].id],
  );
  const status = () =>
    database.query("select status from notification_deliveries where id = $1", [queued.rows[0].id]);
  await service.until(async () => (await status()).rows[0].status === "failed");
  expect(emailsTo(viewer.email)).toHaveLength(1);
});

test("test events and repeated deliveries are limited", async () => {
  const receiver = await startReceiver();
  const { organization, webhook } = await withWebhook(receiver.url, ["deployment.failed"]);
  await deploy(organization, broken);
  await service.until(async () => (await deliveriesOf(organization, webhook.id))[0]?.status === "delivered");
  const path = `/v1/webhooks/${webhook.id}/deliveries/${(await deliveriesOf(organization, webhook.id))[0]!.id}/resend`;
  const statuses: number[] = [];
  for (let count = 0; count < 101; count++)
    statuses.push((await organization.ask(path, { method: "POST" })).status);
  expect([statuses.slice(0, 100).every((status) => status === 202), statuses[100]]).toEqual([true, 429]);
  await receiver.stop();
});

test("the dashboard creates a webhook, sends a test event and shows its delivery", async () => {
  const receiver = await startReceiver();
  const organization = await newOrganization(service);
  const admin = await newMember(service, organization.id, "admin");
  const list = `${admin.home}/notifications`;
  const created = await admin.submit(list, { url: receiver.url, events: "deployment.failed" });
  const secret = /aria-label="signing secret">(whsec_[^<]+)</.exec(created.text)![1]!;
  const [, path] = new RegExp(`href="(${list}/[0-9A-Z]{26})"`).exec(created.text)!;
  await admin.submit(`${path}/test`, {}, { from: path });
  await service.until(async () => receiver.received.length === 1);
  expect(receiver.received[0]!.json.type).toBe("webhook.test");
  expect(isSigned(receiver.received[0]!, secret)).toBe(true);
  await service.runJobs();
  expect((await admin.get(path!)).text).toContain(">Delivered<");
  await admin.submit(`${path}/delete`, { confirm: new URL(receiver.url).host });
  expect((await admin.get(list)).text).toContain("No webhooks yet");
  await receiver.stop();
});
