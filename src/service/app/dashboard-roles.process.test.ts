/**
 * Every page and action of the dashboard, requested with every role. A table contains the required role of
 * each route. The test fails for a route that is not in the table.
 */

import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Member, newMember, visitor } from "../../../test/service/dashboard.ts";
import { deploy, docs } from "../../../test/service/deploying.ts";
import { allowReceivers, startReceiver } from "../../../test/service/event-receiver.ts";
import { ended as exported } from "../../../test/service/exports.ts";
import { newOrganization, type TestService } from "../../../test/service/service.ts";
import { createDatabase } from "../../../test/shared/database.ts";
import { openTestService } from "../../../test/shared/service.ts";
import { endpoints } from "./endpoints.ts";
import { dashboardRoutes } from "./routes.ts";

type Least = "anyone" | "user" | "operator" | "viewer" | "editor" | "admin";

/** Minimum role of each route, by name of the route. */
const rules: Record<string, Least> = {
  showSignIn: "anyone",
  signIn: "anyone",
  showInvitation: "anyone",
  acceptInvitation: "anyone",
  leaveForProvider: "anyone",
  returnFromProvider: "anyone",
  showForgotPassword: "anyone",
  forgotPassword: "anyone",
  showResetPassword: "anyone",
  resetPassword: "anyone",
  showSignInCode: "anyone",
  enterSignInCode: "anyone",
  signInWithPasskey: "anyone",
  showTwoFactorSetup: "user",
  turnOnTwoFactor: "user",
  createRecoveryCodes: "user",
  turnOffTwoFactor: "user",
  showNewPasskey: "user",
  addPasskey: "user",
  removePasskey: "user",
  removeNewMethod: "user",
  confirmNewMethods: "user",
  showConfirm: "user",
  confirm: "user",
  showProveSession: "user",
  proveSession: "user",
  signOut: "user",
  home: "user",
  showAccount: "user",
  showProblem: "user",
  changeName: "user",
  changePassword: "user",
  connectProvider: "user",
  endOtherSessions: "user",
  endSession: "user",
  showOrganizations: "operator",
  showOperatorOrganization: "operator",
  changePlan: "operator",
  showQueue: "operator",
  showHealth: "operator",
  showStorage: "operator",
  showSignIns: "operator",
  endSignIn: "operator",
  showOrganization: "viewer",
  showNewProject: "admin",
  createProject: "admin",
  checkNewRepository: "admin",
  listMembers: "viewer",
  showMember: "admin",
  createInvitation: "admin",
  withdrawInvitation: "admin",
  resendInvitation: "admin",
  createResetLink: "admin",
  turnOffTwoFactorOfMember: "admin",
  changeRole: "admin",
  removeMember: "admin",
  showOrganizationSettings: "admin",
  changeOrganization: "admin",
  changeOrganizationSignIn: "admin",
  changeLogo: "admin",
  removeLogo: "admin",
  showLogo: "viewer",
  showEmailNotifications: "user",
  changeEmailNotifications: "user",
  listWebhooks: "admin",
  createWebhook: "admin",
  showWebhook: "admin",
  changeWebhook: "admin",
  sendTestEvent: "admin",
  resendWebhookDelivery: "admin",
  askToDeleteWebhook: "admin",
  deleteWebhook: "admin",
  showAuditLog: "admin",
  showSettings: "admin",
  changeProject: "admin",
  checkRepository: "admin",
  showRepository: "admin",
  rotateWebhookSecret: "admin",
  showConversations: "viewer",
  showConversation: "viewer",
  askToDeleteMessage: "editor",
  deleteConversation: "editor",
  showQuestions: "viewer",
  showQuestionGroup: "viewer",
  changeUnanswered: "editor",
  showSearches: "viewer",
  showTraffic: "viewer",
  showFeedback: "viewer",
  changeFeedbackStatus: "editor",
  askToDeleteProject: "admin",
  deleteProject: "admin",
  listKeys: "viewer",
  createKey: "editor",
  askToRevokeKey: "editor",
  revokeKey: "editor",
  showProject: "viewer",
  listDeployments: "viewer",
  triggerUpdate: "editor",
  triggerPreview: "editor",
  createDeployment: "editor",
  showDeployment: "viewer",
  rollBackDeployment: "editor",
  promoteDeployment: "editor",
  redeploy: "editor",
  cancelDeployment: "editor",
  askToPurge: "editor",
  purgeDeployment: "editor",
  showBrokenLinks: "viewer",
  listStaticExports: "viewer",
  startStaticExport: "editor",
  showStaticExport: "viewer",
  cancelOwnStaticExport: "editor",
  downloadStaticExport: "viewer",
  listDomains: "viewer",
  addDomain: "admin",
  verifyDomain: "admin",
  checkDomain: "admin",
  askToRemoveDomain: "admin",
  removeDomain: "admin",
};

const routes = dashboardRoutes({
  cookies: undefined as never,
  provider: { name: "Acme" } as never,
  hasPasswords: true,
  report() {},
});

let service: TestService;
let database: Client;
/** Query of `stateOfDatabase`. */
let hashesOfTables: string;
let people: Record<"admin" | "editor" | "viewer" | "outsider", Member>;
let params: Record<string, string>;
let receiver: Awaited<ReturnType<typeof startReceiver>>;

beforeAll(async () => {
  const databaseUrl = await createDatabase();
  database = new Client(databaseUrl);
  await database.connect();
  hashesOfTables = await queryForHashes();
  receiver = await startReceiver();
  service = await openTestService({ databaseUrl, env: allowReceivers });
  const organization = await newOrganization(service);
  const other = await newOrganization(service);
  const [admin, editor, viewer, outsider] = await Promise.all([
    newMember(service, organization.id, "admin", "Ada"),
    newMember(service, organization.id, "editor", "Edo"),
    newMember(service, organization.id, "viewer", "Vi"),
    newMember(service, other.id, "admin", "Otto"),
  ]);
  people = { admin, editor, viewer, outsider };
  const deployment = await deploy(organization, docs("Hello"));
  const { client, projectId, subdomain } = organization;
  const { jobId } = await client(endpoints.startExport, { body: { domain: `${subdomain}.localhost` } });
  const { domain } = await client(endpoints.addDomain, {
    params: { projectId },
    body: { domain: "docs.example.com" },
  });
  await exported(organization, jobId);
  const webhook = await client(endpoints.createWebhook, {
    body: { url: receiver.url, events: ["deployment.failed"] },
  });
  params = {
    organizationId: organization.id,
    projectId,
    keyId: organization.keyId,
    deploymentId: deployment.id,
    jobId,
    domain,
    webhookId: webhook.id,
  };
}, 180_000);

afterAll(async () => {
  await database.end();
  await service.stop();
  await receiver.stop();
});

/** Path of a route with ids for its parameters. Parameters that have no object get an unknown id. */
function pathOf(path: string): string {
  return path.replace(/:(\w+)/g, (_all, name: string) => params[name] ?? "01ARZ3NDEKTSV4RRFFQ69G5FAV");
}

async function ask(
  member: Pick<Member, "ask" | "post" | "postFile" | "token">,
  route: (typeof routes)[number],
) {
  const path = pathOf(route.path);
  if (route.method === "GET") return member.ask(path);
  const _token = await member.token("/dashboard/account");
  return route.hasFile ? member.postFile(path, { _token }) : member.post(path, { _token });
}

test("the table has exactly the existing routes", () => {
  expect([...new Set(routes.map(({ name }) => name))].sort()).toEqual(Object.keys(rules).sort());
});

const ranks = ["viewer", "editor", "admin"] as const;
const inside = routes.filter((route) => "about" in route);

describe.each(inside.map((route) => [route.name, route] as const))("%s", (name, route) => {
  const least = rules[name] as (typeof ranks)[number];

  test("without a session: redirected to sign-in", async () => {
    const nobody = visitor(service);
    const path = pathOf(route.path);
    const token = route.method === "GET" ? "" : await nobody.token("/dashboard/sign-in");
    const send = route.hasFile ? nobody.postFile : nobody.post;
    const answer = route.method === "GET" ? await nobody.ask(path) : await send(path, { _token: token });
    expect([answer.status, String(answer.headers.location).split("?")[0]]).toEqual([
      303,
      "/dashboard/sign-in",
    ]);
  });

  test("an admin of another organization: the same 404 as for unknown ids", async () => {
    const before = await stateOfDatabase();
    const answer = await ask(people.outsider, route);
    expect(answer.status).toBe(404);
    const never = await people.outsider.ask("/dashboard/o/01ARZ3NDEKTSV4RRFFQ69G5FAV");
    expect(withoutIds(answer.text)).toBe(withoutIds(never.text));
    expect(await stateOfDatabase()).toEqual(before);
  });

  test.each(ranks.filter((role) => ranks.indexOf(role) < ranks.indexOf(least)))(
    "%s: refused, and nothing changes",
    async (role) => {
      const before = await stateOfDatabase();
      const answer = await ask(people[role], route);
      expect(answer.status).toBe(403);
      expect(answer.text).toContain("of the organization");
      // The role is checked before the content.
      if (route.method === "POST")
        for (const type of [
          "text/plain",
          "application/x-www-form-urlencoded",
          "multipart/form-data; boundary=x",
        ]) {
          const odd = await people[role].ask(pathOf(route.path), {
            method: "POST",
            headers: { "content-type": type },
            body: "x",
          });
          expect([type, odd.status, odd.text.includes("of the organization")]).toEqual([type, 403, true]);
        }
      expect(await stateOfDatabase()).toEqual(before);
    },
  );

  test.each(ranks.filter((role) => ranks.indexOf(role) >= ranks.indexOf(least)))(
    "%s: allowed",
    async (role) => {
      const answer = await ask(people[role], route);
      expect(answer.status).not.toBe(403);
      expect(answer.status).toBeLessThan(500);
      if (answer.status === 303) expect(answer.headers.location).not.toContain("/sign-in");
    },
  );
});

const ofOperators = routes.filter(({ access }) => access === "operator");

describe.each(ofOperators.map((route) => [route.name, route] as const))("%s", (_name, route) => {
  test("without a session: redirected to sign-in; other users: the same 404 as for an unknown page", async () => {
    const stranger = visitor(service);
    const answer =
      route.method === "GET"
        ? await stranger.ask(pathOf(route.path))
        : await stranger.post(pathOf(route.path), { _token: await stranger.token("/dashboard/sign-in") });
    expect([answer.status, String(answer.headers.location).split("?")[0]]).toEqual([
      303,
      "/dashboard/sign-in",
    ]);
    const before = await stateOfDatabase();
    for (const member of [people.admin, people.viewer, people.outsider]) {
      const refused = await ask(member, route);
      expect(refused.status).toBe(404);
      expect(withoutIds(refused.text)).toBe(withoutIds((await member.ask("/dashboard/nowhere")).text));
    }
    expect(await stateOfDatabase()).toEqual(before);
  });
});

test("a NUL in any query parameter is refused on every page", async () => {
  // This service has no single sign-on.
  const shown = routes.filter(
    ({ method, access, path }) => method === "GET" && access !== "operator" && !path.includes("/provider"),
  );
  for (const { path } of shown)
    for (const query of ["before=%00", "after=a%00b", "q=%00", "%00"])
      expect([path, query, (await people.admin.ask(`${pathOf(path)}?${query}`)).status]).toEqual([
        path,
        query,
        400,
      ]);
});

test("rules of the operator's routes match their access", () => {
  for (const { name, access } of routes) expect(access === "operator", name).toBe(rules[name] === "operator");
});

test("pages of a viewer have no forms except sign-out", async () => {
  for (const route of inside) {
    if (route.method !== "GET" || rules[route.name] !== "viewer") continue;
    const page = await people.viewer.get(pathOf(route.path));
    const actions = page.forms.filter(
      ({ method, action }) => method === "post" && action !== "/dashboard/sign-out",
    );
    expect(actions, route.name).toEqual([]);
  }
});

test.each(ranks)("%s: every entry of the command menu opens a page, and its form exists", async (role) => {
  const { text } = await people[role].get(pathOf("/dashboard/o/:organizationId/p/:projectId"));
  const hrefs = [...text.matchAll(/role="option"[^>]* href="(\/[^"]*)"/g)].map(([, href]) => href!);
  expect(hrefs.length).toBeGreaterThan(10);
  for (const href of hrefs) {
    const [path, field] = href.split("#") as [string, string?];
    const page = await people[role].get(path);
    expect([href, page.status]).toEqual([href, 200]);
    if (field) expect(page.text, href).toMatch(new RegExp(`<(?:input|select) id="${field}"`));
  }
  const names = [
    "Deploy",
    "Create API key",
    "Create export",
    "Create project",
    "Invite a teammate",
    "Audit log",
  ];
  const count = { viewer: 0, editor: 3, admin: 6 }[role];
  expect(names.filter((name) => new RegExp(`role="option"[^>]*><i[^>]*></i>${name}<`).test(text))).toEqual(
    names.slice(0, count),
  );
});

/**
 * A hash of the rows of each table, except tables and columns that change with every request. Nothing runs in
 * the background. Rows of partitions are part of their table.
 */
async function stateOfDatabase(): Promise<Record<string, string>> {
  const { rows } = await database.query<{ name: string; hash: string }>({
    name: "hashes",
    text: hashesOfTables,
  });
  return Object.fromEntries(rows.map(({ name, hash }) => [name, hash]));
}

/** A query for the hashes of all tables. */
async function queryForHashes(): Promise<string> {
  const { rows } = await database.query<{ name: string }>(
    "select table_name as name from information_schema.tables where table_schema = 'public' and table_name not in ('rate_windows', 'audit_log', 'sessions', 'stored_files') and table_name not in (select relname from pg_class where relispartition)",
  );
  const hashOf = (name: string) =>
    `select '${name}' as name, md5(coalesce(string_agg(to_jsonb(t)::text, '\n' order by to_jsonb(t)::text), '')) as hash from ${name} t`;
  return rows.map(({ name }) => hashOf(name)).join(" union all ");
}

function withoutIds(html: string): string {
  return html.replace(/value="[\w-]+"/g, "").replace(/href="[^"]*"/g, "");
}
