/** Organizations that require a sign-in method which members proved after they joined. */

import { randomBytes } from "node:crypto";
import { TOTP } from "otpauth";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addressOf, OpenIdProvider } from "../../../test/host/open-id-provider.ts";
import {
  type Member,
  newMember,
  password,
  secondFactorOn,
  visitor,
} from "../../../test/service/dashboard.ts";
import { startMailServer } from "../../../test/service/mail-server.ts";
import { newOrganization, type TestService } from "../../../test/service/service.ts";
import { trusting } from "../../../test/service/test-sites.ts";
import { until } from "../../../test/service/until.ts";
import { createDatabase } from "../../../test/shared/database.ts";
import { openTestService } from "../../../test/shared/service.ts";
import { endpoints } from "../app/endpoints.ts";

const account = "/dashboard/account";
const after = "another password of the member";
let service: TestService;
let pool: pg.Pool;
let provider: OpenIdProvider;
let mail: Awaited<ReturnType<typeof startMailServer>>;

beforeAll(async () => {
  mail = await startMailServer();
  provider = await new OpenIdProvider().listen();
  const databaseUrl = await createDatabase();
  pool = new pg.Pool({ connectionString: databaseUrl });
  service = await openTestService({
    databaseUrl,
    env: {
      ...trusting,
      OCTAVO_SECRET: randomBytes(32).toString("hex"),
      ...provider.env,
      OCTAVO_SMTP_URL: mail.url,
      OCTAVO_MAIL_FROM: "docs@example.com",
    },
  });
}, 120_000);
afterAll(async () => {
  await service.stop();
  await pool.end();
  await mail.stop();
  provider.close();
});

const homeOf = (organizationId: string) => `/dashboard/o/${organizationId}`;
const confirmPathOf = (organizationId: string) => `${account}/confirm/${organizationId}`;

/** An organization that requires proved methods, and its admin. */
async function strictOrganization() {
  const { id } = await newOrganization(service);
  const admin = await newMember(service, id, "admin", "Ada");
  const settings = `${admin.home}/settings`;
  const saved = await admin.submit(
    `${settings}/sign-in`,
    { requiresConfirmedSignIn: "on" },
    { from: settings },
  );
  expect(saved.text).toContain("Settings saved.");
  return { id, admin, settings };
}

async function signIn(email: string, secret = password) {
  const browser = visitor(service);
  await browser.submit("/dashboard/sign-in", { email, password: secret });
  return browser;
}

/** Goes to the provider and back, as the person with this subject and email. */
async function atProvider(browser: ReturnType<typeof visitor>, leave: ReturnType<Member["post"]>) {
  const there = await fetch(addressOf(await leave)!, { redirect: "manual" });
  const { pathname, search } = new URL(there.headers.get("location")!);
  return browser.get(pathname + search);
}

/** Connects an identity whose email isn't the account's, as someone else would. Returns how to use it. */
async function withForeignIdentity(browser: Pick<Member, "token" | "post"> & ReturnType<typeof visitor>) {
  const sub = randomBytes(4).toString("hex");
  const claims = { sub, email: `${sub}@example.com`, email_verified: true, name: "Mallory" };
  provider.claims = claims;
  const _token = await browser.token(account);
  await atProvider(browser, browser.post(`${account}/provider`, { _token, password }));
  return async () => {
    provider.claims = claims;
    const foreign = visitor(service);
    await atProvider(foreign, foreign.ask("/dashboard/provider"));
    return foreign;
  };
}

const inviteAs = async (organizationId: string, email: string, role: "viewer" | "admin" = "viewer") => {
  const { url } = await service.operator(endpoints.createInvitation, {
    params: { organizationId },
    body: { email, role },
  });
  return new URL(url).pathname;
};

/** A member of a strict organization with a method that was added to the account in another one. */
async function memberWithForeignMethod() {
  const { id, admin } = await strictOrganization();
  const member = await newMember(service, (await newOrganization(service)).id, "editor", "Mo");
  const signInForeign = await withForeignIdentity(member);
  const joined = await member.submit(await inviteAs(id, member.email), { isConfirmed: "on" });
  expect(joined.path).toContain(homeOf(id));
  return { id, admin, member, signInForeign };
}

const opens = async (browser: Pick<Member, "get">, organizationId: string) =>
  (await browser.get(homeOf(organizationId))).path === homeOf(organizationId);

describe("a method that was added before joining", () => {
  test("shows nothing of the organization and changes nothing, until a second method confirms it", async () => {
    const { id, admin, member, signInForeign } = await memberWithForeignMethod();
    expect(await opens(member, id)).toBe(true);

    const foreign = await signInForeign();
    expect(await opens(foreign, member.organizationId)).toBe(true);
    for (const path of ["", "/members", "/keys", "/settings", "/audit", "/logo", "/p/x", "/p/x/settings"]) {
      const answer = await foreign.ask(homeOf(id) + path);
      expect([answer.status, answer.headers.location], path).toEqual([303, confirmPathOf(id)]);
      expect(answer.text, path).not.toContain(admin.email);
    }
    const _token = await foreign.token(account);
    for (const path of ["/settings", "/settings/sign-in", "/members", "/keys"])
      expect((await foreign.post(homeOf(id) + path, { _token, name: "x" })).status, path).toBe(403);

    const confirm = (values: Record<string, string>) => foreign.submit(confirmPathOf(id), values);
    expect((await confirm({ password: "a wrong password" })).status).toBe(401);
    expect(await opens(foreign, id)).toBe(false);
    expect((await confirm({ password })).path).toBe(homeOf(id));
    expect(await opens(await signInForeign(), id)).toBe(true);
    expect((await admin.get(`${admin.home}/audit`)).text).toContain("Confirm a sign-in method");
  });

  test("can't add methods that open the organization", async () => {
    const { id, member, signInForeign } = await memberWithForeignMethod();
    const foreign = await signInForeign();
    await foreign.submit(`${account}/password`, { before: password, after }, { from: account });
    expect(await opens(await signIn(member.email, after), id)).toBe(false);
  });

  test("is open to all other organizations, and the page is a 404 for those of others", async () => {
    const { member, signInForeign } = await memberWithForeignMethod();
    const foreign = await signInForeign();
    expect((await foreign.ask(confirmPathOf((await newOrganization(service)).id))).status).toBe(404);
    expect(await opens(foreign, member.organizationId)).toBe(true);
  });
});

describe("a method is confirmed", () => {
  test("by the provider, if it has verified the account's email", async () => {
    const { id } = await strictOrganization();
    const email = `${randomBytes(4).toString("hex")}@example.com`;
    const invitation = await inviteAs(id, email);
    provider.claims = { sub: email, email, email_verified: true, name: "Vera" };
    const browser = visitor(service);
    const token = invitation.split("/").at(-1)!;
    await atProvider(browser, browser.ask(`/dashboard/provider?invitation=${token}`));
    await browser.submit(invitation);
    expect(await opens(browser, id)).toBe(true);
    const later = visitor(service);
    await atProvider(later, later.ask("/dashboard/provider"));
    expect(await opens(later, id)).toBe(true);
  });

  test("by a new password in a session that is confirmed, and by a reset by email", async () => {
    const { id } = await strictOrganization();
    const member = await newMember(service, id, "viewer", "Mo");
    await member.submit(`${account}/password`, { before: password, after }, { from: account });
    expect(await opens(await signIn(member.email, after), id)).toBe(true);

    await pool.query("delete from proved_methods where organization_id = $1", [id]);
    const session = await signIn(member.email, after);
    const page = await session.get(homeOf(id));
    expect(page.path).toBe(confirmPathOf(id));
    expect(page.text).toContain("Reset your password by email");
    // A password that someone else may know doesn't confirm itself.
    expect(page.text).not.toContain('type="password"');
    const _token = await session.token(account);
    expect((await session.post(confirmPathOf(id), { _token, password: after })).status).toBe(403);

    await session.submit("/dashboard/forgot-password", { email: member.email });
    const sent = () =>
      mail.received.find(({ to, text }) => to.includes(member.email) && /reset-password/.test(text));
    const linkIn = (text: string) =>
      new URL(/http:\/\/\S+\/dashboard\/reset-password\/[\w-]{20,}/.exec(text)![0]).pathname;
    await until(async () => sent() !== undefined);
    await visitor(service).submit(linkIn(sent()!.text), { password });
    expect(await opens(await signIn(member.email), id)).toBe(true);
  });

  test("by a new invitation, which keeps the role", async () => {
    const { id } = await strictOrganization();
    const member = await newMember(service, id, "viewer", "Mo");
    await pool.query("delete from proved_methods where organization_id = $1", [id]);
    const session = await signIn(member.email);
    expect(await opens(session, id)).toBe(false);
    await session.submit(await inviteAs(id, member.email, "admin"));
    expect(await opens(session, id)).toBe(true);
    expect((await session.get(`${homeOf(id)}/settings`)).status).toBe(403);
  });

  test("by the password and a code of the second factor", async () => {
    const { id } = await strictOrganization();
    const member = await newMember(service, id, "viewer", "Mo");
    const { secret, sealed } = secondFactorOn(await member.get(`${account}/two-factor`));
    const on = await member.submit(`${account}/two-factor`, {
      code: new TOTP({ secret }).generate(),
      sealed,
    });
    const [code, another] = on.text.match(/\b[0-9a-z]{5}-[0-9a-z]{5}\b/g)!;
    await pool.query("delete from proved_methods where organization_id = $1", [id]);

    const session = await signIn(member.email);
    await session.submit("/dashboard/sign-in/code", { code: code! });
    expect((await session.get(homeOf(id))).path).toBe(confirmPathOf(id));
    expect((await session.submit(confirmPathOf(id), { password, code: "aaaaa-aaaaa" })).status).toBe(401);
    expect(await opens(session, id)).toBe(false);
    await session.submit(confirmPathOf(id), { password, code: another! });
    expect(await opens(session, id)).toBe(true);
  });
});

describe("admins can't lock themselves out", () => {
  test("only a session with a confirmed method turns the requirement on", async () => {
    const { id } = await newOrganization(service);
    const admin = await newMember(service, id, "admin", "Ada");
    const settings = `${admin.home}/settings`;
    const _token = await admin.token(account);
    await pool.query("delete from proved_methods where organization_id = $1", [id]);

    expect((await admin.get(settings)).text).toContain(`href="${confirmPathOf(id)}"`);
    const answer = await admin.post(`${settings}/sign-in`, { _token, requiresConfirmedSignIn: "on" });
    expect(answer.status).toBe(409);
    expect(await opens(admin, id)).toBe(true);
    await expect(
      service.operator(endpoints.changeOrganization, {
        params: { organizationId: id },
        body: { requiresConfirmedSignIn: true },
      }),
    ).rejects.toThrow("no admin would have one");
  });

  test("the last confirmed admin and their last confirmed method can't be removed", async () => {
    const { id, admin, settings } = await strictOrganization();
    const other = await newMember(service, id, "admin", "Otto");
    await pool.query("delete from proved_methods p using users where users.id = user_id and email = $1", [
      other.email,
    ]);
    const { rows } = await pool.query("select id from users where email = $1", [admin.email]);
    const demoted = await admin.post(`${admin.home}/members/${rows[0].id}/role`, {
      _token: await admin.token(account),
      role: "viewer",
    });
    expect(demoted.status).toBe(409);
    expect(demoted.text).toContain("no admin would have one");

    // The only confirmed method is the password.
    await withForeignIdentity(admin);
    await pool.query(
      "delete from proved_methods where user_id = (select id from users where email = $1) and method <> 'password'",
      [admin.email],
    );
    const _token = await admin.token(account);
    await pool.query(
      "update users set created_at = created_at - interval '1 hour', password_set_at = clock_timestamp() where email = $1",
      [admin.email],
    );
    const removed = await admin.post(`${account}/new-methods/remove`, { _token, kind: "password", id: "" });
    expect(removed.status).toBe(409);
    expect(await opens(await signIn(admin.email), id)).toBe(true);

    expect(
      (await admin.submit(`${settings}/sign-in`, { requiresConfirmedSignIn: "" }, { from: settings })).status,
    ).toBe(200);
  });

  test("a method isn't removed with the last confirmed one when its account joins another organization or becomes an operator", async () => {
    const { id, admin } = await strictOrganization();
    const signInForeign = await withForeignIdentity(admin);
    const { rows } = await pool.query("select id from users where email = $1", [admin.email]);
    await pool.query("delete from proved_methods where user_id = $1 and method = 'password'", [rows[0].id]);

    const invitation = await inviteAs((await newOrganization(service)).id, admin.email);
    const joined = await admin.submit(invitation);
    expect(joined.status).toBe(409);
    expect(joined.text).toContain("no admin would have one");
    const addOperator = () => service.operator(endpoints.addOperator, { body: { userId: rows[0].id } });
    await expect(addOperator()).rejects.toThrow("no admin would have one");
    expect(await opens(await signInForeign(), id)).toBe(true);

    expect((await admin.submit(invitation, { isConfirmed: "on" })).status).toBe(200);
    await addOperator();
    expect(await opens(await signInForeign(), id)).toBe(true);
  });

  test("the operator can turn it off", async () => {
    const { id } = await strictOrganization();
    const member = await newMember(service, id, "viewer", "Mo");
    await pool.query("delete from proved_methods where organization_id = $1", [id]);
    expect(await opens(member, id)).toBe(false);
    const params = { organizationId: id };
    await service.operator(endpoints.changeOrganization, {
      params,
      body: { requiresConfirmedSignIn: false },
    });
    expect(await service.operator(endpoints.getOrganization, { params })).toMatchObject({
      requiresConfirmedSignIn: false,
    });
    expect(await opens(member, id)).toBe(true);
  });
});

test.each([
  ["a password", "update users set password_hash = password_hash || ' ' where email = $1"],
  ["a session", "update sessions set method = null where user_id = (select id from users where email = $1)"],
])("what a process of an earlier version changes isn't confirmed: %s", async (_what, statement) => {
  const { id } = await strictOrganization();
  const member = await newMember(service, id, "viewer", "Mo");
  expect(await opens(member, id)).toBe(true);
  await pool.query(statement, [member.email]);
  expect(await opens(member, id)).toBe(false);
});

test("a person who left and joins again needs new confirmations", async () => {
  const { id, admin } = await strictOrganization();
  const { member, signInForeign } = await memberWithForeignMethod();
  await member.submit(await inviteAs(id, member.email), { isConfirmed: "on" });
  const foreign = await signInForeign();
  await foreign.submit(confirmPathOf(id), { password });
  expect(await opens(foreign, id)).toBe(true);
  await pool.query(
    "delete from memberships where organization_id = $1 and user_id = (select id from users where email = $2)",
    [id, member.email],
  );
  const again = await signIn(member.email);
  await again.submit(await inviteAs(id, member.email), { isConfirmed: "on" });
  expect(await opens(again, id)).toBe(true);
  expect(await opens(await signInForeign(), id)).toBe(false);
  expect(await opens(admin, id)).toBe(true);
});
