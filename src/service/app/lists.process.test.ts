/**
 * All lists have the same paging: `limit` and `cursor`, `nextCursor` and `hasMore`. Pages of one item have
 * the same items as one page, also while others are added and deleted.
 */

import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newMember } from "../../../test/service/dashboard.ts";
import { docs } from "../../../test/service/deploying.ts";
import { allowReceivers } from "../../../test/service/event-receiver.ts";
import type { OpenTestService } from "../../../test/service/open-test-service.ts";
import { tarOf } from "../../../test/service/tar.ts";
import { newSite, type TestSite, trusting } from "../../../test/service/test-sites.ts";
import { openTestService } from "../../../test/shared/service.ts";
import { ulidMaker } from "../../base/ulid.ts";
import { dayOf, spans_days } from "../core/day-blocks.ts";
import type { Endpoint } from "../core/endpoint.ts";
import { recordFeedback } from "../feedback/record-feedback.ts";
import { recordSearches } from "../searches/searches.ts";
import { type Client, itemsOf } from "./client.ts";
import { endpoints } from "./endpoints.ts";

let service: OpenTestService;
let site: TestSite;
let webhookId: string;

beforeAll(async () => {
  service = await openTestService({ env: { ...trusting, ...allowReceivers } });
  site = await newSite(service);
  const body = { url: "http://127.0.0.1:9999/", events: ["deployment.failed"] as const };
  webhookId = (await site.organization.client(endpoints.createWebhook, { body })).id;
});
afterAll(() => service?.stop());

type Item = Record<string, unknown>;
const newUlid = ulidMaker(Date.now, randomBytes);
const params = () => ({
  projectId: site.organization.projectId,
  organizationId: site.organization.id,
  webhookId,
});

/** Adds an item to a list. */
type Add = (index: number) => Promise<unknown>;
/** Deletes an item that the API returned. */
type Remove = (item: Item) => Promise<unknown>;

const addViews: Add = (index) =>
  service.service.db
    .insertInto("page_traffic")
    .values(
      spans_days.map((span) => ({
        project_id: site.organization.projectId,
        span_days: span,
        first_day: Math.floor(dayOf(Date.now()) / span) * span,
        path: `/page-${index}`,
        human_views: 1 + (index % 3),
        ai_views: 1,
        human_visitors: 1,
        ai_visitors: index % 2,
      })),
    )
    .execute();
const removeViews: Remove = ({ path }) =>
  service.service.db
    .deleteFrom("page_traffic")
    .where("path", "=", path as string)
    .execute();
const addConversation: Add = (index) =>
  site.organization.client(endpoints.importConversations, {
    params: params(),
    body: JSON.stringify({
      ...conversationAt(index),
      query: ["How do I fly?", "Where are invoices?", "Which colors exist?", "What costs it?"][index % 4],
    }),
  });
const removeConversation: Remove = ({ id }) =>
  site.organization.client(endpoints.deleteConversation, { params: { ...params(), id: id as string } });
const addFeedback: Add = (index) =>
  recordFeedback(service.service, site.organization.projectId, {
    path: `/page-${index}`,
    helpful: true,
    comment: `Comment ${index}`,
  });

function conversationAt(index: number) {
  const id = newUlid();
  const time = Number.parseInt(
    [...id.slice(0, 10)]
      .map((digit) => "0123456789ABCDEFGHJKMNPQRSTVWXYZ".indexOf(digit).toString(32))
      .join(""),
    32,
  );
  return {
    id,
    timestamp: new Date(time).toISOString(),
    query: `Question ${index}`,
    response: "Answer",
    sources: [],
    resolutionStatus: "unanswered",
    queryCategory: null,
    pageUrl: null,
  };
}

const lists: Record<string, { add: Add; remove?: Remove; keyOf(item: Item): unknown; isOperator?: true }> = {
  listConversations: { add: addConversation, remove: removeConversation, keyOf: ({ id }) => id },
  listUnanswered: { add: addConversation, keyOf: ({ terms }) => terms },
  listFeedback: {
    add: addFeedback,
    remove: ({ id }) =>
      service.service.db
        .deleteFrom("feedback")
        .where("id", "=", id as string)
        .execute(),
    keyOf: ({ id }) => id,
  },
  listFeedbackByPage: { add: (index) => addFeedback(100 + index), keyOf: ({ path }) => path },
  listSearches: {
    add: (index) =>
      recordSearches(service.service, site.organization.projectId, "web", [
        { query: `query ${index}`, resultsCount: 1 },
      ]),
    keyOf: ({ searchQuery }) => searchQuery,
  },
  listChanges: {
    add: async (index) => [await addFeedback(index), await service.runJobs()],
    keyOf: ({ id }) => id,
  },
  listViews: { add: addViews, remove: removeViews, keyOf: ({ path }) => path },
  listVisitors: { add: (index) => addViews(100 + index), remove: removeViews, keyOf: ({ path }) => path },
  listExports: {
    add: (index) =>
      site.organization.client(endpoints.startExport, {
        body: { domain: `${site.organization.subdomain}.localhost`, version: `v${index}` },
      }),
    keyOf: ({ jobId }) => jobId,
  },
  listDeployments: {
    add: (index) =>
      site.organization.client(endpoints.createDeployment, {
        params: params(),
        body: tarOf(docs(`Text ${index}`)),
      }),
    keyOf: ({ id }) => id,
  },
  listProjects: {
    add: (index) => addProject(index),
    remove: ({ id }) => service.operator(endpoints.deleteProject, { params: { projectId: id as string } }),
    keyOf: ({ id }) => id,
  },
  listOrganizationProjects: {
    add: (index) => addProject(50 + index),
    keyOf: ({ id }) => id,
    isOperator: true,
  },
  listDomains: {
    add: (index) => addDomain(index),
    remove: ({ domain }) =>
      site.organization.client(endpoints.removeDomain, {
        params: { ...params(), domain: domain as string },
      }),
    keyOf: ({ id }) => id,
  },
  listOperatorDomains: { add: (index) => addDomain(40 + index), keyOf: ({ id }) => id, isOperator: true },
  listWebhooks: {
    add: (index) =>
      site.organization.client(endpoints.createWebhook, {
        body: { url: `http://127.0.0.1:9999/${index}`, events: ["deployment.failed"] },
      }),
    remove: ({ id }) =>
      site.organization.client(endpoints.deleteWebhook, { params: { webhookId: id as string } }),
    keyOf: ({ id }) => id,
  },
  listWebhookDeliveries: { add: addDelivery, keyOf: ({ id }) => id },
  listAudit: {
    add: (index) =>
      site.organization.client(endpoints.changeProject, {
        params: params(),
        body: { name: `Name ${index}` },
      }),
    keyOf: ({ number }) => number,
  },
  listOrganizations: {
    add: (index) =>
      service.operator(endpoints.createOrganization, { body: { name: `Acme ${index}`, plan: "free" } }),
    remove: ({ id }) =>
      service.operator(endpoints.deleteOrganization, { params: { organizationId: id as string } }),
    keyOf: ({ id }) => id,
    isOperator: true,
  },
  listKeys: {
    add: (index) =>
      service.operator(endpoints.createKey, { params: params(), body: { name: `Key ${index}` } }),
    keyOf: ({ id }) => id,
    isOperator: true,
  },
  listOperators: {
    async add() {
      await newMember(service, site.organization.id);
      const users = await service.service.db.selectFrom("users").select("id").execute();
      for (const { id: userId } of users) await service.operator(endpoints.addOperator, { body: { userId } });
    },
    remove: ({ id }) => service.operator(endpoints.removeOperator, { params: { userId: id as string } }),
    keyOf: ({ id }) => id,
    isOperator: true,
  },
};

const addProject = (index: number) =>
  service.operator(endpoints.createProject, {
    params: params(),
    body: { name: "x", subdomain: `x${index}-${site.organization.subdomain}` },
  });
const addDomain = (index: number) =>
  site.organization.client(endpoints.addDomain, {
    params: params(),
    body: { domain: `${["docs", "Docs-a", "docs.a", "api"][index % 4]}${index}.acme.example` },
  });

async function addDelivery(): Promise<void> {
  const { db } = service.service;
  const id = newUlid();
  const organization_id = site.organization.id;
  await db
    .insertInto("notification_events")
    .values({ id, organization_id, type: "deployment.failed", data: JSON.stringify({}) })
    .execute();
  await db
    .insertInto("notification_deliveries")
    .values({ id: newUlid(), organization_id, event_id: id, webhook_id: webhookId })
    .execute();
}

test("each list has the same parameters and fields", () => {
  const arrays = Object.entries(endpoints as Record<string, Endpoint>).filter(
    ([, { method, success }]) =>
      method === "GET" &&
      Object.values((success.schema?.properties ?? {}) as Record<string, { type?: string }>).some(
        ({ type }) => type === "array",
      ),
  );
  const names = arrays.map(([name]) => name).filter((name) => name.startsWith("list"));
  expect(names.sort()).toEqual(Object.keys(lists).sort());
  for (const name of names) {
    const { query, success } = (endpoints as Record<string, Endpoint>)[name]!;
    expect(Object.keys(query ?? {}), name).toEqual(expect.arrayContaining(["limit", "cursor"]));
    expect(Object.keys(success.schema?.properties ?? {}), name).toEqual(
      expect.arrayContaining(["nextCursor", "hasMore"]),
    );
  }
});

test.each(Object.entries(lists))(
  "%s: pages of one item have the items of one page",
  async (name, { add, remove, keyOf, isOperator }) => {
    const endpoint = (endpoints as Record<string, Endpoint>)[name]!;
    const client: Client = isOperator ? service.operator : site.organization.client;
    const wanted = Object.fromEntries(
      Object.entries(params()).filter(([param]) => endpoint.params && param in endpoint.params),
    );
    const read = (limit?: number) =>
      itemsOf(client, endpoint, {
        params: wanted,
        ...(limit === undefined ? {} : { query: { limit } }),
      } as never) as AsyncGenerator<Item>;
    const keysOf = async (limit?: number) => {
      const keys: unknown[] = [];
      for await (const item of read(limit)) keys.push(keyOf(item));
      return keys;
    };

    for (let index = 0; index < 5; index++) await add(index);
    const whole = await keysOf();
    expect(whole.length).toBeGreaterThanOrEqual(4);
    expect(new Set(whole).size).toBe(whole.length);
    // Reading the audit log doesn't add to it, and no other list changes by being read.
    expect(await keysOf(1)).toEqual(whole);

    // Other tests need these.
    const needed: unknown[] = Object.values(params());
    const removeOther = async (item: Item) => needed.includes(item.id) || (await remove?.(item));
    const seen: Item[] = [];
    for await (const item of read(1)) {
      seen.push(item);
      if (seen.length === 2) {
        await add(name === "listUnanswered" ? 2 : 20);
        await removeOther(seen[1]!);
      }
      if (seen.length === 3) await removeOther(seen[0]!);
    }
    const keys = seen.map(keyOf);
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys.filter((key) => whole.includes(key))).toEqual(whole);
  },
);
