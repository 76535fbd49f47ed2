/** Readers follow the link to support below an answer: what is recorded, and the event about it. */

import { afterAll, beforeAll, expect, test } from "vitest";
import { ask, bodyOf } from "../../../test/service/ask-assistant.ts";
import { newMember } from "../../../test/service/dashboard.ts";
import { allowReceivers, isSigned, startReceiver } from "../../../test/service/event-receiver.ts";
import { newReader, newSite, type TestSite, trusting } from "../../../test/service/test-sites.ts";
import { openTestService } from "../../../test/shared/service.ts";
import { endpoints } from "../app/endpoints.ts";
import { projectHref } from "../ui/dashboard-urls.ts";

let service: Awaited<ReturnType<typeof openTestService>>;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let site: TestSite;

beforeAll(async () => {
  receiver = await startReceiver();
  service = await openTestService({ env: { ...trusting, ...allowReceivers } });
  site = await newSite(service);
});
afterAll(async () => {
  await service.stop();
  await receiver.stop();
});

/** Sends what a page sends when its reader follows the link, and returns the status. */
async function handOver(turnId: string, headers: Record<string, string> = {}, at = site): Promise<number> {
  const path = "/_octavo/assistant/hand-over";
  return (await ask({ ...at, path, headers: { ...newReader(), ...headers }, body: { turnId } })).status;
}

const question = (more: object = {}) =>
  ask({ ...site, headers: newReader(), body: bodyOf("How do I install Acme?", more) });

test("is recorded once for a conversation, with a signed event that contains no text", async () => {
  const { organization } = site;
  const events = ["conversation.handed-over" as const];
  const webhook = await organization.client(endpoints.createWebhook, {
    body: { url: receiver.url, events },
  });

  const first = await question();
  expect(await handOver(first.turnId)).toBe(204);
  await service.until(async () => receiver.received.length > 0);
  const second = await question({ threadId: first.threadId });
  expect(second.threadId).toBe(first.threadId);
  for (const id of [first.turnId, second.turnId]) expect(await handOver(id)).toBe(204);

  const other = await question();
  expect(await handOver(other.turnId)).toBe(204);
  await service.until(async () => receiver.received.length > 1);

  expect(receiver.received.map(({ json }) => json.data.conversationId)).toEqual([
    first.threadId,
    other.threadId,
  ]);
  const [event] = receiver.received;
  expect(isSigned(event!, webhook.secret)).toBe(true);
  expect(event!.json.type).toBe("conversation.handed-over");
  expect(event!.json.data).toEqual({
    projectId: organization.projectId,
    projectName: expect.any(String),
    conversationId: first.threadId,
    messageId: first.turnId,
    url: expect.stringMatching(new RegExp(`/conversations/${first.threadId}$`)),
  });
});

test("is shown with the message in the dashboard, with the time of the first click", async () => {
  const { turnId, threadId } = await question();
  const member = await newMember(service, site.organization.id, "viewer");
  const shown = async () => {
    const { text } = await member.ask(
      projectHref(site.organization.id, site.organization.projectId, `/conversations/${threadId}`),
    );
    return /Contacted support:<\/strong> (.*?)<\/p>/.exec(text)?.[1];
  };
  expect(await shown()).toBeUndefined();
  await handOver(turnId);
  const time = await shown();
  expect(time).toContain("<time");
  await handOver(turnId);
  expect(await shown()).toBe(time);
});

test("is refused for another reader, another site, another origin, and unknown messages", async () => {
  const { turnId } = await question();
  const elsewhere = await newSite(service);
  const stranger = { cookie: "octavo_visitor=x.y" };
  expect({
    reader: await handOver(turnId, stranger),
    site: await handOver(turnId, {}, elsewhere),
    origin: await handOver(turnId, { origin: "https://evil.example" }),
    unknown: await handOver("01".padEnd(26, "0")),
    malformed: await handOver("x"),
  }).toEqual({ reader: 404, site: 404, origin: 403, unknown: 404, malformed: 400 });
});
