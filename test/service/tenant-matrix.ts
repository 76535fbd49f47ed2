/**
 * Matrix of requests that must be refused: every route, with every credential without access, and every kind
 * of id. The routes are those of the contracts and the dashboard, so new ones are included.
 */

import { randomBytes } from "node:crypto";
import { Client } from "pg";
import { ulidMaker, ulidTime } from "../../src/base/ulid.ts";
import { endpoints } from "../../src/service/app/endpoints.ts";
import { dashboardRoutes } from "../../src/service/app/routes.ts";
import type { Endpoint } from "../../src/service/core/endpoint.ts";
import { mayActAs } from "../../src/service/core/identity.ts";
import type { MemberRole } from "../../src/service/core/tables.ts";
import { gitRoutes } from "../../src/service/git/git-api.ts";
import { type Member, newMember, visitor } from "./dashboard.ts";
import { deploy, docs } from "./deploying.ts";
import {
  type Answer,
  newOrganization,
  operatorToken,
  type Sent,
  send,
  type TestOrganization,
  type TestService,
} from "./service.ts";
import { until } from "./until.ts";

interface Route {
  name: string;
  method: string;
  /** Path with parameters in braces. */
  path: string;
  body?: { type: string; text: string };
  /** Required credential. Admin keys and sessions also need the role. */
  caller: "admin" | "assistant" | "operator" | "session";
  role: MemberRole;
  /** Whether a key needs the scope for changes, which by default depends on the method. */
  isChange?: boolean;
}

interface Credential {
  name: string;
  kind: "none" | "key" | "session";
  headers(route: Route): Record<string, string>;
  /** CSRF token of a session. */
  token?: string;
  /** Whether the credential belongs to the attacking (`ours`) or the attacked organization (`theirs`). */
  of?: "ours" | "theirs";
  /** Whether the credential has access to the route in its own organization. */
  may(route: Route): boolean;
}

export interface Cell {
  title: string;
  request: Omit<Sent, "port">;
  /** Whether this is a control request, which must succeed. It shows that the ids exist. */
  isControl: boolean;
  /** Whether the response must not contain canaries. Members of the organization may see its names. */
  isUntrusted: boolean;
}

export interface Matrix {
  cells: Cell[];
  /** Texts that no response to a stranger may contain. */
  canaries: string[];
  /** Hashes of the attacked organization's rows, by table. */
  state(): Promise<Record<string, string>>;
}

/** A PNG image of one pixel. */
export const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

const nothing = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
const malformed = [
  "x",
  "%00",
  "..%2F..%2F",
  "%27%20or%201%3D1",
  "a".repeat(120),
  "%F0%9F%98%80",
  "null",
  "-1",
  "*",
  "%25",
];

const bodies: Record<string, unknown> = {
  startExport: { domain: "docs.example.com" },
  preview: { branch: "main" },
  changeProject: { name: "Changed" },
  addDomain: { domain: "docs.stolen.example" },
  createOrganization: { name: "x", plan: "free" },
  changeOrganization: { plan: "free" },
  createInvitation: { email: "eve@example.com", role: "admin" },
  createKey: { name: "x" },
  createOwnProject: { name: "x", subdomain: "stolen" },
  createProject: { name: "x", subdomain: "stolen" },
  addOperatorDomain: { domain: "docs.stolen.example" },
  askAssistant: { messages: [{ role: "user", content: "What?" }] },
  searchSite: { query: "canary" },
  getPage: { path: "index" },
  changeUnanswered: { status: "ignored" },
  createWebhook: { url: "https://stolen.example/", events: ["deployment.failed"] },
};
const form = {
  role: "viewer",
  confirm: "test",
  name: "x",
  email: "eve@example.com",
  domain: "docs.stolen.example",
  status: "resolved",
  type: "admin",
  expires: "7",
};

const apiRoutes: Route[] = (Object.entries(endpoints) as [string, Endpoint][]).map(
  ([name, { method, path, body, caller, role }]) => ({
    name,
    method,
    path,
    caller,
    role: role ?? "admin",
    ...(body
      ? {
          body: {
            type: body.type,
            text: body.type === "application/json" ? JSON.stringify(bodies[name] ?? {}) : "",
          },
        }
      : {}),
  }),
);

/** Without a body, Git responds with an error to requests that have access. */
const repositoryRoutes: Route[] = gitRoutes.map(({ method, path, role }) => ({
  name: path,
  method,
  path,
  caller: "admin",
  role,
  isChange: role === "editor",
  ...(method === "POST" ? { body: { type: "application/x-git", text: "0000" } } : {}),
}));

const dashboard = dashboardRoutes({
  cookies: undefined as never,
  provider: { name: "Acme" } as never,
  hasPasswords: true,
  report() {},
});
const pageRoutes: Route[] = dashboard.flatMap((route) =>
  "about" in route
    ? [
        {
          name: route.name,
          method: route.method,
          path: route.path.replace(/:(\w+)/g, "{$1}"),
          caller: "session" as const,
          role: route.access,
        },
      ]
    : [],
);

/** Creates an organization with an object of each kind, and returns their ids. */
async function createVictim(
  service: TestService,
): Promise<{ organization: TestOrganization; ids: Record<string, string>; boss: Member }> {
  const organization = await newOrganization(service);
  const { client, projectId, subdomain, id } = organization;
  const deployment = await deploy(organization, docs(`canary-page-${subdomain}`));
  const { jobId } = await client(endpoints.startExport, { body: { domain: `${subdomain}.localhost` } });
  const { domain } = await client(endpoints.addDomain, {
    params: { projectId },
    body: { domain: `docs.${subdomain}.example` },
  });
  const threadId = ulidMaker(Date.now, randomBytes)();
  const message = {
    id: threadId,
    timestamp: new Date(ulidTime(threadId)).toISOString(),
    query: `canary-question-${subdomain}`,
    response: "r",
  };
  const line = {
    ...message,
    sources: [],
    resolutionStatus: "unanswered",
    queryCategory: null,
    pageUrl: null,
  };
  await client(endpoints.importConversations, { params: { projectId }, body: JSON.stringify(line) });
  // Reading the feed adds the events of new records, so that later reads change nothing.
  await client(endpoints.listChanges, { params: { projectId } });
  const boss = await newMember(service, id, "admin", "Boss");
  const [, userId] = /\/members\/([0-9A-Z]{26})"/.exec((await boss.get(`${boss.home}/members`)).text)!;
  await boss.submit(`${boss.home}/members`, { email: `canary-${subdomain}@example.com`, role: "viewer" });
  const [, invitationId] = /\/invitations\/([0-9A-Z]{26})\/withdraw/.exec(
    (await boss.get(`${boss.home}/members`)).text,
  )!;
  await boss.postFile(
    `${boss.home}/settings/logo`,
    { _token: await boss.token("/dashboard/account") },
    { name: "logo.png", bytes: pixel },
  );
  // A public IP address, to which nothing is sent: no deployment fails.
  const webhook = await client(endpoints.createWebhook, {
    body: { url: `https://1.1.1.1/canary-${subdomain}`, events: ["deployment.failed"] },
  });
  const ids = {
    organizationId: id,
    webhookId: webhook.id,
    deliveryId: webhook.id,
    projectId,
    id: deployment.id,
    deploymentId: deployment.id,
    statusId: deployment.id,
    jobId,
    threadId,
    messageId: threadId,
    questionId: threadId,
    keyId: organization.keyId,
    userId: userId!,
    invitationId: invitationId!,
    feedbackId: threadId,
    domain,
    repository: `${projectId}.git`,
  };
  return { organization, ids, boss };
}

export async function tenantMatrix(service: TestService, databaseUrl: string): Promise<Matrix> {
  const [victim, attacker] = [await createVictim(service), await createVictim(service)];
  const credentials = await credentialsOf(service, victim, attacker);
  const cells: Cell[] = [];
  const add = (
    route: Route,
    credential: Credential,
    kind: string,
    ids: (name: string) => string,
    isControl = false,
  ) => {
    const path = route.path.replace(/\{(\w+)\}/g, (_all, name: string) => ids(name));
    const body =
      route.caller === "session" && route.method === "POST"
        ? new URLSearchParams({ ...form, _token: credential.token ?? "" }).toString()
        : route.body?.text;
    const type = route.caller === "session" ? "application/x-www-form-urlencoded" : route.body?.type;
    const headers = {
      ...(body === undefined || !type ? {} : { "content-type": type }),
      ...credential.headers(route),
    };
    const request = { method: route.method, path, headers, ...(body === undefined ? {} : { body }) };
    cells.push({
      title: `${route.method} ${route.path} · ${credential.name} · ${kind}`,
      request,
      isControl,
      isUntrusted: credential.of !== "theirs",
    });
  };
  for (const route of [...apiRoutes, ...repositoryRoutes, ...pageRoutes]) {
    const names = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
    // For assistant keys the domain is the subdomain.
    const idsOf = ({ ids, organization }: typeof victim) =>
      route.caller === "assistant" ? { ...ids, domain: organization.subdomain } : ids;
    const [theirs, ours] = [idsOf(victim), idsOf(attacker)] as Record<string, string>[];
    for (const credential of credentials) {
      const may = credential.may(route);
      const own = credential.of === "theirs" ? theirs! : ours!;
      if (may && credential.of === "theirs") {
        if (route.method === "GET" && !names.includes("feedbackId"))
          add(route, credential, "their own: answered", (name) => own[name]!, true);
      } else if (!may || (names.length && credential.of === "ours"))
        add(route, credential, "theirs", (name) => theirs![name]!);
      // Routes without parameters are about the credential's own organization.
      if (!names.length) continue;
      add(route, credential, "nothing", () => nothing);
      for (const text of malformed) add(route, credential, `malformed ${text.slice(0, 12)}`, () => text);
      const inner = names.filter((name) => name !== "organizationId");
      if (credential.of === "ours" && inner.length && inner.length < names.length)
        add(route, credential, "theirs below ours", (name) =>
          name === "organizationId" ? own[name]! : theirs![name]!,
        );
      const last = names.at(-1)!;
      if (credential.of === "ours" && names.includes("projectId") && last !== "projectId")
        add(route, credential, "theirs in our project", (name) =>
          name === "organizationId" || name === "projectId" ? own[name]! : theirs![name]!,
        );
    }
  }
  const { subdomain, key } = victim.organization;
  return {
    cells,
    canaries: [subdomain, key, victim.organization.projectId, victim.boss.email],
    state: () => stateOf(service, databaseUrl, victim.ids),
  };
}

async function credentialsOf(
  service: TestService,
  victim: Awaited<ReturnType<typeof createVictim>>,
  attacker: typeof victim,
): Promise<Credential[]> {
  const { operator } = service;
  const keyOf = async ({ organization: { id } }: typeof victim, body: object) =>
    operator(endpoints.createKey, { params: { organizationId: id }, body: { name: "matrix", ...body } });
  const bearer = (name: string, key: string, more: Partial<Credential> = {}): Credential => ({
    name,
    kind: "key",
    headers: () => ({ authorization: `Bearer ${key}` }),
    may: () => false,
    ...more,
  });
  const session = async (
    name: string,
    member: Member,
    more: Partial<Credential> = {},
  ): Promise<Credential> => {
    const cookie = member
      .storageState()
      .cookies.map(({ name, value }) => `${name}=${value}`)
      .join("; ");
    return {
      name,
      kind: "session",
      token: await member.token("/dashboard/account"),
      headers: () => ({ cookie }),
      may: () => false,
      ...more,
    };
  };
  const revoked = await keyOf(victim, {});
  await operator(endpoints.revokeKey, {
    params: { organizationId: victim.organization.id, keyId: revoked.id },
  });
  const expired = await keyOf(victim, { expiresAt: new Date(Date.now() + 1_000).toISOString() });
  const asExpired = {
    port: service.port,
    path: "/v1/projects",
    headers: { authorization: `Bearer ${expired.key}` },
  };
  await until(async () => (await send(asExpired)).status === 401);
  const isChange = (route: Route) => route.isChange ?? route.method !== "GET";
  const isAdminCall = ({ caller }: Route) => caller === "admin";
  const asRole = (role: MemberRole) => (route: Route) => isAdminCall(route) && mayActAs(role, route.role);
  /** A key whose creator was an admin and now has a lower role. */
  const keyOfFormer = async (role: "editor" | "viewer") => {
    const member = await newMember(service, victim.organization.id, "admin", `Former${role}`);
    const made = await member.submit(`${member.home}/keys`, { name: "matrix", scopes: "write" });
    const list = (await victim.boss.get(`${victim.boss.home}/members`)).text;
    const path = [...list.matchAll(/href="([^"]+)"[^>]*>Change<span class="o-sr"> (\w+)/g)].find(
      ([, , name]) => name === member.name,
    )![1]!;
    await victim.boss.submit(`${path}/role`, { role }, { from: path });
    return /oct_[0-9A-Za-z]{42}/.exec(made.text)![0];
  };
  const [editor, viewer, ended] = await Promise.all([
    newMember(service, victim.organization.id, "editor", "Ed"),
    newMember(service, victim.organization.id, "viewer", "Vi"),
    newMember(service, victim.organization.id, "admin", "Gone"),
  ]);
  const endedSession = await session("an ended session", ended);
  await ended.submit("/dashboard/sign-out", {}, { from: "/dashboard/account" });
  const pages = (role: MemberRole) => (route: Route) =>
    route.caller === "session" && mayActAs(role, route.role);
  const stranger = visitor(service);
  const { projectId } = victim.organization;
  return [
    {
      name: "nobody",
      kind: "none",
      token: await stranger.token("/dashboard/sign-in"),
      headers: () => ({}),
      may: () => false,
    },
    bearer("no key", "oct_unknown"),
    bearer("a revoked key", revoked.key),
    bearer("an expired key", expired.key),
    bearer("the operator's token", operatorToken, { may: ({ caller }) => caller === "operator" }),
    bearer("a key of others", attacker.organization.key, { of: "ours", may: isAdminCall }),
    bearer("a reading key of others", (await keyOf(attacker, { scopes: ["read"] })).key, {
      of: "ours",
      may: (route) => isAdminCall(route) && !isChange(route),
    }),
    bearer(
      "an assistant key of others",
      (await keyOf(attacker, { type: "assistant", projectId: attacker.organization.projectId })).key,
      {
        of: "ours",
        may: ({ caller }) => caller === "assistant",
      },
    ),
    bearer("their own key", victim.organization.key, { of: "theirs", may: isAdminCall }),
    bearer("their reading key", (await keyOf(victim, { scopes: ["read"] })).key, {
      of: "theirs",
      may: (route) => isAdminCall(route) && !isChange(route),
    }),
    bearer("their assistant key", (await keyOf(victim, { type: "assistant", projectId })).key, {
      of: "theirs",
      may: ({ caller }) => caller === "assistant",
    }),
    bearer("a key of a former admin, now editor", await keyOfFormer("editor"), {
      of: "theirs",
      may: asRole("editor"),
    }),
    bearer("a key of a former admin, now viewer", await keyOfFormer("viewer"), {
      of: "theirs",
      may: asRole("viewer"),
    }),
    await session("an admin of others", attacker.boss, { of: "ours", may: pages("admin") }),
    await session("their editor", editor, { of: "theirs", may: pages("editor") }),
    await session("their viewer", viewer, { of: "theirs", may: pages("viewer") }),
    endedSession,
  ];
}

/** Error message if the response to a cell is wrong, otherwise undefined. */
export function problemOf(
  { isControl, isUntrusted, request }: Cell,
  { status, headers, text }: Answer,
  canaries: readonly string[],
): string | undefined {
  if (isControl) return status < 400 || status === 409 ? undefined : `${status} for who may`;
  const isToSignIn = status === 303 && String(headers.location).startsWith("/dashboard/sign-in");
  // Updates and previews have a rate limit, also for unknown projects.
  if (status === 429 && /^\/v1\/project\/(?:update|preview)\//.test(request.path)) return undefined;
  if (!isToSignIn && ![400, 401, 403, 404, 405, 414, 415].includes(status))
    return `${status} ${String(headers.location ?? "")}`;
  const leaked = isUntrusted ? canaries.find((canary) => text.includes(canary)) : undefined;
  return leaked === undefined ? undefined : `${status} tells ${leaked}`;
}

/**
 * Sends the requests of all cells, each from a different network because of rate limits. Resolves with
 * messages of failed cells.
 */
export async function requestAll(
  { port }: Pick<TestService, "port">,
  cells: readonly Cell[],
  canaries: readonly string[],
): Promise<string[]> {
  const problems: string[] = [];
  const waiting = cells.entries();
  const askOn = async () => {
    for (const [index, cell] of waiting) {
      const headers = { ...cell.request.headers, "x-forwarded-for": `11.${index >> 8}.${index & 255}.7` };
      const problem = problemOf(cell, await send({ port, ...cell.request, headers }), canaries);
      if (problem) problems.push(`${cell.title}: ${problem}`);
    }
  };
  await Promise.all(Array.from({ length: 8 }, askOn));
  return problems;
}

async function stateOf(
  service: TestService,
  databaseUrl: string,
  { organizationId, projectId }: Record<string, string>,
): Promise<Record<string, string>> {
  const client = new Client(databaseUrl);
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string; column: string }>(
      `select table_name as name, min(column_name) as column from information_schema.columns
       where table_schema = 'public' and column_name in ('organization_id', 'project_id') and table_name not in ('audit_log', 'idempotency_keys')
         and not (select relispartition from pg_class where oid = table_name::regclass)
       group by table_name`,
    );
    // Running jobs and events that haven't been sent yet change rows, too.
    const pending = async () =>
      (
        await client.query(
          `select from jobs where organization_id = $1
           union all select from notification_events where organization_id = $1 and send_at is not null`,
          [organizationId],
        )
      ).rowCount;
    await service.until(async () => (await pending()) === 0, 60_000);
    const state: Record<string, string> = {};
    for (const { name, column } of rows) {
      const { rows: found } = await client.query<{ hash: string }>(
        `select md5(coalesce(string_agg((to_jsonb(t) - '{last_used_at,next_check_at,check_count,check_result}'::text[])::text, E'\\n' order by t::text), '')) as hash from ${name} t where ${column} = $1`,
        [column === "organization_id" ? organizationId : projectId],
      );
      state[name] = found[0]!.hash;
    }
    return state;
  } finally {
    await client.end();
  }
}
