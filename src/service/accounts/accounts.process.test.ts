/** Sign-in, invitations, sessions, audit log, members, forms and response headers of the dashboard. */

import { statSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  firstAdmin,
  firstLink,
  join,
  type Member,
  newMember,
  password,
  visitor,
} from "../../../test/service/dashboard.ts";
import { deploy, docs } from "../../../test/service/deploying.ts";
import {
  newOrganization,
  operatorToken,
  send,
  type TestOrganization,
  type TestService,
} from "../../../test/service/service.ts";
import { trusting } from "../../../test/service/test-sites.ts";
import { openTestService } from "../../../test/shared/service.ts";
import { limits } from "../../base/limits.ts";
import { endpoints } from "../app/endpoints.ts";

let service: TestService;
let admin: Member;
/** The sign-in page before the first account was created. */
let signInBefore: string;

beforeAll(async () => {
  service = await openTestService({ env: { ...trusting, NODE_ENV: "production" } });
  signInBefore = (await visitor(service).get("/dashboard/sign-in")).text;
  admin = await firstAdmin(service);
}, 120_000);

afterAll(() => service.stop());

const form = { "content-type": "application/x-www-form-urlencoded" };

/** Creates an invitation in the dashboard, signed in as the first admin. Returns its link. */
async function invite(email: string, role: string): Promise<string> {
  const page = await admin.submit(`${admin.home}/members`, { email, role });
  const link = /http:\/\/localhost:\d+\/dashboard\/invitations\/[\w-]+/.exec(page.text)?.[0];
  expect(link, page.text).toBeDefined();
  return link!;
}

describe("the first start", () => {
  test("writes a single-use link for the first admin to a file that only its owner can read, and not to the logs", async () => {
    const link = await firstLink(service);
    expect(statSync(path.join(service.dataFolder, "first-start.txt")).mode & 0o777).toBe(0o600);
    expect(service.output()).not.toMatch(/invitations\/|oct_/);
    expect((await admin.get(`${admin.home}/members`)).text).toContain("admin");
    const again = await visitor(service).get(new URL(link).pathname);
    expect(again.status).toBe(410);
    await expect(join(service, link, "Eve")).rejects.toThrow();
  });

  test("explains on the sign-in page how to create the first account", async () => {
    const hint = "open the link that the service printed when it first started";
    expect(signInBefore).toContain(hint);
    expect((await visitor(service).get("/dashboard/sign-in")).text).not.toContain(hint);
  });
});

describe("a browser", () => {
  const html = { accept: "text/html" };
  const ask = (path: string, headers: Record<string, string> = html) =>
    send({ port: service.port, path, headers });

  test("that opens the service's root gets the dashboard, and other clients get JSON", async () => {
    const page = await ask("/");
    expect([page.status, page.headers.location]).toEqual([302, "/dashboard"]);
    const call = await ask("/", {});
    expect([call.status, call.json]).toEqual([404, { error: "Not found" }]);
  });

  test("gets errors as a page with the next step", async () => {
    for (const path of ["/none", "/v1/none", "/dashboard/none"]) {
      const page = await ask(path);
      expect([path, page.status]).toEqual([path, 404]);
      expect(page.text).toContain("<h1>Page not found</h1>");
      expect(page.text).toMatch(/href="\/dashboard\/sign-in"[^>]*>Sign in</);
    }
    expect((await ask("/none", {})).json).toEqual({ error: "Not found" });
    const expired = await ask("/dashboard/invitations/unknown");
    expect([expired.status, expired.text.includes("<h1>Link expired</h1>")]).toEqual([410, true]);
  });
});

describe("an invitation", () => {
  test("is for its email only and works once", async () => {
    const link = await invite("bo@example.com", "viewer");
    const path = new URL(link).pathname;
    const eve = visitor(service);
    const wrong = await eve.submit(path, { email: "eve@example.com", name: "Eve", password });
    expect(wrong.status).toBe(403);
    expect(wrong.text).toContain("a different email address");
    const bo = await join(service, link, "Bo", "bo@example.com");
    expect((await bo.get(bo.home)).status).toBe(200);
    expect((await visitor(service).get(path)).status).toBe(410);
  });

  test("that is revoked or replaced can't be used", async () => {
    const first = await invite("cy@example.com", "viewer");
    const second = await invite("cy@example.com", "editor");
    expect((await visitor(service).get(new URL(first).pathname)).status).toBe(410);
    const page = await admin.get(`${admin.home}/members`);
    const withdraw = page.forms.find(({ action }) => action.endsWith("/withdraw"))!;
    await admin.submit(withdraw.action, {}, { from: `${admin.home}/members` });
    expect((await visitor(service).get(new URL(second).pathname)).status).toBe(410);
  });

  test("of an existing user is accepted while signed in", async () => {
    const organization = await newOrganization(service);
    const member = await newMember(service, organization.id, "viewer", "Di");
    const link = await invite(member.email, "viewer");
    const path = new URL(link).pathname;
    const joined = await member.submit(path);
    expect(joined.text).toContain("You've joined the organization");
    expect((await member.get("/dashboard")).text).toContain(organization.subdomain);
  });

  test("of an existing member can't be used to create another account with the email", async () => {
    const organization = await newOrganization(service);
    const { email } = await newMember(service, organization.id, "viewer", "Dan");
    const body = { email, role: "admin" as const };
    const { url } = await service.operator(endpoints.createInvitation, {
      params: { organizationId: organization.id },
      body,
    });
    const taken = await visitor(service).submit(new URL(url).pathname, {
      email,
      name: "Dan",
      password: "another password",
    });
    expect(taken.status).toBe(409);
    expect(taken.text).toContain("Sign in to accept");
  });

  test("by the operator creates an organization's first member; an organization's key can't create one", async () => {
    const organization = await newOrganization(service);
    const { key } = organization;
    const path = `/operator/v1/organizations/${organization.id}/invitations`;
    const body = JSON.stringify({ email: "Fay@Example.com", role: "admin" });
    const ask = (token: string, text = body) =>
      send({
        port: service.port,
        path,
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: text,
      });
    expect((await ask(key)).status).toBe(401);
    expect(
      (await ask(operatorToken, JSON.stringify({ email: "fay@example.com", role: "owner" }))).status,
    ).toBe(400);
    expect((await ask(operatorToken, JSON.stringify({ email: "no address", role: "admin" }))).status).toBe(
      400,
    );
    const made = await ask(operatorToken);
    expect(made.status).toBe(201);
    const fay = await join(service, made.json.url, "Fay", "fay@example.com");
    expect(fay.organizationId).toBe(organization.id);
  });
});

describe("signing in", () => {
  test("an unknown email and a wrong password get the same error", async () => {
    const answers = await Promise.all(
      [admin.email, "nobody@example.com", "no address"].map((email) =>
        visitor(service).submit("/dashboard/sign-in", { email, password: "wrong password" }),
      ),
    );
    const texts = answers.map(({ status, text }) => [
      status,
      text.replace(/(?:value|data-options)="[^"]*"/g, ""),
    ]);
    expect(texts[0]![0]).toBe(401);
    expect(texts[1]).toEqual(texts[0]);
    expect(texts[2]).toEqual(texts[0]);
  });

  test("after ten wrong passwords even the right one is refused", async () => {
    const organization = await newOrganization(service);
    const member = await newMember(service, organization.id);
    for (let index = 0; index < 10; index++)
      expect(
        (
          await visitor(service).submit("/dashboard/sign-in", {
            email: member.email,
            password: `guess ${index}`,
          })
        ).status,
      ).toBe(401);
    const late = await visitor(service).submit("/dashboard/sign-in", { email: member.email, password });
    expect(late.status).toBe(429);
    expect(Number(late.headers["retry-after"])).toBeGreaterThan(0);
  });

  test("wrong passwords from one network block neither other networks nor a known browser", async () => {
    const organization = await newOrganization(service);
    const member = await newMember(service, organization.id);
    const from = (address: string) => ({ headers: { "x-forwarded-for": address } });
    const known = visitor(service);
    expect(
      (await known.submit("/dashboard/sign-in", { email: member.email, password }, from("203.0.113.9")))
        .status,
    ).toBe(200);
    await known.submit("/dashboard/sign-out", {}, { from: "/dashboard/account" });
    const guess = (address: string, tried: string) =>
      visitor(service).submit("/dashboard/sign-in", { email: member.email, password: tried }, from(address));
    for (let index = 0; index < 10; index++)
      expect((await guess(`203.0.113.${index}`, `guess ${index}`)).status).toBe(401);
    expect((await guess("203.0.113.77", password)).status).toBe(429);
    expect((await guess("198.51.100.7", password)).status).toBe(200);
    // The cookie has no effect for a different account.
    const other = await newMember(service, organization.id);
    for (let index = 0; index < 10; index++)
      expect(
        (
          await visitor(service).submit(
            "/dashboard/sign-in",
            { email: other.email, password: "no" },
            from("203.0.113.9"),
          )
        ).status,
      ).toBe(401);
    const signIn = (email: string) =>
      known.submit("/dashboard/sign-in", { email, password }, from("203.0.113.9"));
    expect((await signIn(other.email)).status).toBe(429);
    expect((await signIn(member.email)).status).toBe(200);
  });

  test("each sign-in creates a new session, a planted cookie is useless, and signing out ends the session", async () => {
    const organization = await newOrganization(service);
    const member = await newMember(service, organization.id);
    const browser = visitor(service);
    const enter = async (cookie: string) => {
      const page = await send({ port: service.port, path: "/dashboard/sign-in", headers: { cookie } });
      const owner = [page.headers["set-cookie"] ?? []].flat().map((line) => line.split(";")[0]!);
      const token = /name="_token" value="([^"]+)"/.exec(page.text)![1]!;
      return send({
        port: service.port,
        path: "/dashboard/sign-in",
        method: "POST",
        headers: { ...form, cookie: [cookie, ...owner].filter(Boolean).join("; ") },
        body: new URLSearchParams({ email: member.email, password, _token: token }).toString(),
      });
    };
    const planted = `octavo-session=${"A".repeat(43)}`;
    const answer = await enter(planted);
    expect(answer.status).toBe(303);
    const [line] = [answer.headers["set-cookie"]].flat() as string[];
    expect(line).toMatch(/^octavo-session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+$/);
    expect(line).not.toContain("A".repeat(43));
    expect(
      (await send({ port: service.port, path: "/dashboard/account", headers: { cookie: planted } })).status,
    ).toBe(303);
    await browser.submit("/dashboard/sign-in", { email: member.email, password });
    expect((await browser.get("/dashboard/account")).status).toBe(200);
    const copy = browser.storageState().cookies.find(({ name }) => name === "octavo-session")!;
    await browser.submit("/dashboard/sign-out", {}, { from: "/dashboard/account" });
    const after = await send({
      port: service.port,
      path: "/dashboard/account",
      headers: { cookie: `octavo-session=${copy.value}` },
    });
    expect(after.status).toBe(303);
    expect(after.headers.location).toContain("/dashboard/sign-in");
  });

  test("signing in again ends the previous session", async () => {
    const organization = await newOrganization(service);
    const member = await newMember(service, organization.id);
    const { value } = member.storageState().cookies.find(({ name }) => name === "octavo-session")!;
    const _token = await member.token("/dashboard/account");
    expect((await member.post("/dashboard/sign-in", { _token, email: member.email, password })).status).toBe(
      303,
    );
    expect((await member.ask("/dashboard/account")).status).toBe(200);
    const before = await send({
      port: service.port,
      path: "/dashboard/account",
      headers: { cookie: `octavo-session=${value}` },
    });
    expect(before.status).toBe(303);
  });

  test.each([
    ["//evil.example/", "/dashboard"],
    ["https://evil.example/", "/dashboard"],
    ["/\\evil.example", "/dashboard"],
    ["/elsewhere", "/dashboard"],
    ["/dashboard/sign-out", "/dashboard"],
    ["/dashboard/account?x=1", "/dashboard/account?x=1"],
  ])("next=%s leads to %s", async (next, to) => {
    const browser = visitor(service);
    const page = await browser.get(`/dashboard/sign-in?next=${encodeURIComponent(next)}`);
    const { values } = page.forms.find(({ action }) => action === "/dashboard/sign-in")!;
    const answer = await browser.post("/dashboard/sign-in", { ...values, email: admin.email, password });
    expect(answer.headers.location).toBe(to);
  });

  test("with https, cookies are bound to the host and HSTS is sent", async () => {
    const host = "docs-service.example.com";
    const secure = await openTestService({ env: { OCTAVO_URL: `https://${host}` } });
    try {
      for (const path of [
        "/dashboard/sign-in",
        "/dashboard/nothing",
        "/v1/projects",
        "/openapi.json",
        "/nothing",
      ]) {
        const { headers } = await send({ port: secure.port, path, host });
        expect([path, headers["strict-transport-security"]]).toEqual([path, "max-age=31536000"]);
      }
      expect(
        (await send({ port: service.port, path: "/dashboard/sign-in" })).headers["strict-transport-security"],
      ).toBeUndefined();
      const page = await send({ port: secure.port, path: "/dashboard/sign-in", host });
      expect([page.headers["set-cookie"]].flat()[0]).toMatch(
        /^__Host-octavo-form=[\w-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+; Secure$/,
      );
    } finally {
      await secure.stop();
    }
  });
});

describe("sessions", () => {
  test("are listed and can be ended, one or all others; those of other users can't", async () => {
    const organization = await newOrganization(service);
    const member = await newMember(service, organization.id);
    const enter = async () => {
      const browser = visitor(service);
      await browser.submit("/dashboard/sign-in", { email: member.email, password });
      return browser;
    };
    const [second, third] = [await enter(), await enter()];
    const page = await member.get("/dashboard/account");
    const ends = page.forms.filter(({ action }) => /\/sessions\/[^/]+\/end$/.test(action));
    expect(ends).toHaveLength(2);
    const token = await admin.token("/dashboard/account");
    expect((await admin.post(ends[0]!.action, { _token: token })).status).toBe(404);
    for (const browser of [second, third]) expect((await browser.get("/dashboard/account")).status).toBe(200);
    await member.submit(ends[0]!.action, {}, { from: "/dashboard/account" });
    const left = await Promise.all(
      [second, third].map(async (browser) => (await browser.ask("/dashboard/account")).status),
    );
    expect(left.sort()).toEqual([200, 303]);
    await member.submit("/dashboard/account/sessions/others", {}, { from: "/dashboard/account" });
    for (const browser of [second, third]) expect((await browser.ask("/dashboard/account")).status).toBe(303);
    const fourth = await enter();
    expect((await fourth.ask("/dashboard/account")).status).toBe(200);
    await member.submit(
      "/dashboard/account/password",
      { before: password, after: "a new long password" },
      { from: "/dashboard/account" },
    );
    expect((await fourth.ask("/dashboard/account")).status).toBe(303);
    expect((await member.get("/dashboard/account")).status).toBe(200);
    expect(
      (await visitor(service).submit("/dashboard/sign-in", { email: member.email, password })).status,
    ).toBe(401);
  });

  test("changing a password requires the current one and a new one that is long enough", async () => {
    const wrong = await admin.submit(
      "/dashboard/account/password",
      { before: "not the password", after: "a new long password" },
      { from: "/dashboard/account" },
    );
    expect(wrong.status).toBe(401);
    const short = await admin.submit(
      "/dashboard/account/password",
      { before: password, after: "short" },
      { from: "/dashboard/account" },
    );
    expect(short.status).toBe(400);
    expect(short.text).toContain("at least 10 characters");
  });
});

describe("the audit log", () => {
  const entriesOf = async (organization: TestOrganization) =>
    ((await organization.ask("/v1/audit-log?limit=200")).json.entries as Record<string, unknown>[]).reverse();

  test("has sign-ins, sign-outs and account changes, and one entry for all failed attempts", async () => {
    const organization = await newOrganization(service);
    const member = await newMember(service, organization.id, "viewer", "Lea");
    const actor = `member ${member.email}`;
    const other = visitor(service);
    for (const guess of ["first guess", "second guess", "third guess"])
      await other.submit("/dashboard/sign-in", { email: member.email, password: guess });
    await other.submit("/dashboard/sign-in", { email: member.email, password });
    await member.submit("/dashboard/account/name", { name: "Leah" }, { from: "/dashboard/account" });
    await member.submit("/dashboard/account/sessions/others", {}, { from: "/dashboard/account" });
    await member.submit("/dashboard/sign-out", {}, { from: "/dashboard/account" });
    const entries = (await entriesOf(organization)).map(({ actor, action, outcome, metadata }) => ({
      actor,
      action,
      outcome,
      metadata,
    }));
    const expected = [
      ["acceptInvitation", {}],
      ["signIn", { how: "password" }],
      ["signIn", { email: member.email, count: 3 }],
      ["signIn", { how: "password" }],
      ["changeName", {}],
      ["endOtherSessions", {}],
      ["signOut", {}],
    ] as const;
    const own = entries.filter(({ actor }) => actor !== "operator");
    expect(own.map(({ action, metadata }) => [action, metadata])).toEqual(expected);
    expect(own[2]).toMatchObject({ actor: "unknown", outcome: "401" });
    for (const index of [0, 1, 3, 4, 5, 6]) expect(own[index]).toMatchObject({ actor, outcome: "200" });
  });

  test("is not filled by refused requests", async () => {
    const organization = await newOrganization(service);
    const viewer = await newMember(service, organization.id, "viewer", "Noa");
    const _token = await viewer.token("/dashboard/account");
    const tries = limits.auditedRefusals.count + 20;
    for (let n = 0; n < tries; n += 10) {
      const ten = Array.from({ length: 10 }, () =>
        viewer.post(`${viewer.home}/keys`, { _token, name: "x", type: "admin", expires: "7" }),
      );
      expect((await Promise.all(ten)).map(({ status }) => status)).toEqual(Array(10).fill(403));
    }
    const refused = (await entriesOf(organization)).filter(({ outcome }) => outcome === "403");
    expect(refused).toHaveLength(limits.auditedRefusals.count);
    expect(refused.filter(({ metadata }) => (metadata as { note?: string }).note)).toHaveLength(1);
    // Successful actions are still recorded.
    await viewer.submit("/dashboard/account/name", { name: "Noah" }, { from: "/dashboard/account" });
    expect((await entriesOf(organization)).at(-1)).toMatchObject({ action: "changeName", outcome: "200" });
  });

  test("has the operator's changes of an organization, its projects, domains and exports", async () => {
    const organization = await newOrganization(service);
    const { projectId, client, subdomain } = organization;
    const { operator } = service;
    await operator(endpoints.addOperatorDomain, {
      params: { projectId },
      body: { domain: `docs.${subdomain}.example` },
    });
    await deploy(organization, docs("Hello"));
    const { jobId } = await client(endpoints.startExport, { body: { domain: `${subdomain}.localhost` } });
    // The job may have ended already: the refusal is recorded as well.
    await operator(endpoints.cancelExport, { params: { jobId } }).catch(() => {});
    await operator(endpoints.deleteProject, { params: { projectId } });
    const entries = await entriesOf(organization);
    const actions = entries
      .filter(({ actor }) => actor === "operator")
      .map(({ action, target }) => [action, target]);
    expect(actions).toEqual([
      ["createOrganization", "/operator/v1/organizations"],
      ["createProject", `/operator/v1/organizations/${organization.id}/projects`],
      ["createKey", `/operator/v1/organizations/${organization.id}/keys`],
      ["addOperatorDomain", `/operator/v1/projects/${projectId}/domains`],
      ["cancelStaticExport", `/operator/v1/static-export/jobs/${jobId}/cancel`],
      ["deleteProject", `/operator/v1/projects/${projectId}`],
    ]);
  });
});

describe("members", () => {
  test("the last admin can't be removed or demoted", async () => {
    const organization = await newOrganization(service);
    const alone = await newMember(service, organization.id);
    const members = await alone.get(`${alone.home}/members`);
    const [, own] = /href="(\/dashboard\/o\/[^"]+\/members\/[^"/]+)"/.exec(members.text)!;
    const less = await alone.submit(`${own}/role`, { role: "viewer" }, { from: own! });
    expect(less.status).toBe(409);
    const gone = await alone.submit(`${own}/remove`, { confirm: alone.email }, { from: own! });
    expect(gone.status).toBe(409);
    expect((await alone.get(`${alone.home}/members`)).status).toBe(200);
  });

  test("a removed member loses access immediately; removal requires the email as confirmation", async () => {
    const organization = await newOrganization(service);
    const boss = await newMember(service, organization.id, "admin", "Gil");
    const other = await newMember(service, organization.id, "editor", "Hal");
    const list = (await boss.get(`${boss.home}/members`)).text;
    const links = [
      ...list.matchAll(
        /href="(\/dashboard\/o\/[^"]+\/members\/[^"/]+)"[^>]*>Change<span class="o-sr"> (\w+)/g,
      ),
    ];
    const path = links.find(([, , name]) => name === "Hal")![1]!;
    expect((await boss.submit(`${path}/remove`, { confirm: "somebody" }, { from: path })).status).toBe(400);
    expect((await other.get(other.home)).status).toBe(200);
    await boss.submit(`${path}/remove`, { confirm: other.email }, { from: path });
    expect((await other.get(other.home)).status).toBe(404);
  });
});

describe("forms are accepted from the dashboard's pages only", () => {
  const action = "/dashboard/account/name";
  const rename = async (headers: Record<string, string>, values: Record<string, string>) => {
    const token = values._token ?? (await admin.token("/dashboard/account"));
    const answer = await admin.post(action, { name: "Changed", ...values, _token: token }, headers);
    const isChanged = (await admin.get("/dashboard/account")).text.includes('value="Changed"');
    return { status: answer.status, isChanged };
  };

  test.each([
    ["another origin", { origin: "https://evil.example" }, {}],
    ["a docs site of this service", { origin: "http://docs.localhost" }, {}],
    ["a hidden origin", { origin: "null" }, {}],
    ["another site, by fetch metadata", { "sec-fetch-site": "cross-site" }, {}],
    ["a site on the same domain, by fetch metadata", { "sec-fetch-site": "same-site" }, {}],
    ["no token", {}, { _token: "" }],
    ["a made-up token", {}, { _token: "x".repeat(43) }],
  ] as const)("%s: 403, and nothing changes", async (_title, headers, values) => {
    expect(await rename(headers, values)).toEqual({ status: 403, isChanged: false });
  });

  test("the token of another session: 403", async () => {
    const organization = await newOrganization(service);
    const other = await newMember(service, organization.id);
    expect(await rename({}, { _token: await other.token("/dashboard/account") })).toEqual({
      status: 403,
      isChanged: false,
    });
  });

  test.each(["text/plain", "application/json", "multipart/form-data; boundary=x"])(
    "a body of type %s: 415",
    async (type) => {
      expect(await rename({ "content-type": type }, {})).toEqual({ status: 415, isChanged: false });
    },
  );

  test("a form of the dashboard is accepted", async () => {
    const page = await admin.submit(
      action,
      { name: "Ana Maria" },
      { from: "/dashboard/account", headers: { origin: `http://localhost:${service.port}` } },
    );
    expect(page.text).toContain("Name changed");
  });

  test("a cookie of a docs site is not accepted", async () => {
    const answer = await send({
      port: service.port,
      path: "/dashboard/account",
      headers: { cookie: "octavo_reader=x; octavo-session=" },
    });
    expect(answer.status).toBe(303);
  });
});

describe("response headers", () => {
  test("pages can't be framed or run scripts of other origins", async () => {
    for (const path of ["/dashboard/sign-in", "/dashboard/account", admin.home, "/dashboard/nothing"]) {
      const { headers } = await admin.ask(path);
      expect(headers["x-frame-options"]).toBe("DENY");
      expect(headers["cache-control"]).toBe("no-store");
      expect(headers["x-content-type-options"]).toBe("nosniff");
      expect(headers["referrer-policy"]).toBe("same-origin");
      const policy = String(headers["content-security-policy"]);
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toMatch(/unsafe|https?:|\*/);
    }
  });

  test("the dashboard is on the service's own host only", async () => {
    const answer = await send({
      port: service.port,
      path: "/dashboard/sign-in",
      host: `docs.localhost:${service.port}`,
    });
    expect(answer.status).toBe(404);
    expect(answer.text).not.toContain("Sign in");
  });

  test("texts and unknown notices in the URL are not shown", async () => {
    const page = await admin.get("/dashboard/account?done=%3Cb%3Eyou+won&done=constructor");
    expect(page.text).not.toContain("you won");
    expect(page.text).not.toContain('class="d-note');
  });
});
