/** New sign-in methods of an account: every page shows them, and one click removes them. */

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
const remove = `${account}/new-methods/remove`;
const confirm = `${account}/new-methods/confirm`;
const changed = "a password of somebody";
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

/** A member whose account is old enough for new methods. */
async function oldMember() {
  const member = await newMember(service, (await newOrganization(service)).id, "viewer", "Mo");
  await pool.query("update users set created_at = created_at - interval '1 hour' where email = $1", [
    member.email,
  ]);
  return member;
}

const signIn = async (email: string, secret: string) => {
  const browser = visitor(service);
  await browser.submit("/dashboard/sign-in", { email, password: secret });
  return browser;
};

/** Connects a new identity, and returns its subject and the values of the form that removes it. */
async function withIdentity(browser: Pick<Member, "token" | "post" | "get">, secret = password) {
  const sub = randomBytes(4).toString("hex");
  provider.claims = { sub, email: `${sub}@example.com`, email_verified: true, name: "Mallory" };
  const _token = await browser.token(account);
  const leave = await browser.post(`${account}/provider`, { _token, password: secret });
  const back = await fetch(addressOf(leave)!, { redirect: "manual" });
  const { pathname, search } = new URL(back.headers.get("location")!);
  const shown = await browser.get(pathname + search);
  return { sub, values: shown.forms.find(({ action }) => action === remove)!.values };
}

const isTold = (email: string, part: string) =>
  until(async () => mail.received.some(({ to, text }) => to.includes(email) && text.includes(part)));

test("a connected identity is shown in each session until it confirms it, and is removed with one click", async () => {
  const owner = await oldMember();
  const other = await signIn(owner.email, password);
  expect((await owner.get(owner.home)).text).not.toContain("New sign-in methods");
  const { sub } = await withIdentity(other);
  await isTold(owner.email, "A single sign-on identity was connected");

  // Confirming in the session that added the identity doesn't hide it in the others.
  await other.submit(confirm, {}, { from: account });
  expect((await other.get(account)).text).not.toContain("New sign-in methods");
  const shown = await owner.get(owner.home);
  expect(shown.text).toContain("Single sign-on identity at 127.0.0.1");

  const form = shown.forms.find(({ action }) => action === remove)!;
  expect((await owner.post(remove, { ...form.values, _token: "" })).status).toBe(403);
  expect((await owner.post(remove, form.values)).headers.location).toContain("done=method-removed");
  expect((await owner.get(owner.home)).text).not.toContain("New sign-in methods");
  // The session that added it ends, and the identity no longer opens the account.
  expect((await other.ask(account)).status).toBe(303);
  expect((await pool.query("select from user_identities where subject = $1", [sub])).rowCount).toBe(0);
  expect((await owner.post(remove, form.values)).status).toBe(404);
});

test("another member's method can't be removed", async () => {
  const [owner, mallory] = [await oldMember(), await oldMember()];
  const { values } = await withIdentity(owner);
  const _token = await mallory.token(account);
  expect((await mallory.post(remove, { ...values, _token })).status).toBe(404);
  expect((await owner.get(account)).text).toContain("New sign-in methods");
});

test("a new password can only be removed if there is another way to sign in", async () => {
  const [owner, another] = [await oldMember(), await oldMember()];
  await withIdentity(another);
  await owner.submit(`${account}/password`, { before: password, after: changed }, { from: account });
  await isTold(owner.email, "was changed");
  const only = await owner.get(account);
  expect(only.text).toContain("Password, added");
  expect(only.forms.some(({ action }) => action === remove)).toBe(false);
  const _token = await owner.token(account);
  const values = { kind: "password", id: "", _token };
  expect((await owner.post(remove, values)).status).toBe(409);
  expect((await (await signIn(owner.email, changed)).ask(account)).status).toBe(200);

  const { values: other } = await withIdentity(owner, changed);
  expect((await owner.post(remove, { ...values, _token: other._token! })).status).toBe(303);
  expect((await (await signIn(owner.email, changed)).ask(account)).status).toBe(303);
  expect((await (await signIn(another.email, password)).ask(account)).status).toBe(200);
});

test("two-factor authentication is turned off only after a recent sign-in", async () => {
  const owner = await oldMember();
  const { secret, sealed } = secondFactorOn(await owner.get(`${account}/two-factor`));
  await owner.submit(`${account}/two-factor`, { code: new TOTP({ secret }).generate(), sealed });
  await isTold(owner.email, "Two-factor authentication was turned on");
  const { values } = (await owner.get(owner.home)).forms.find(({ action }) => action === remove)!;
  await pool.query("update sessions set authenticated_at = authenticated_at - interval '1 hour'");
  expect((await owner.post(remove, values)).headers.location).toContain("/dashboard/account/confirm");
  await pool.query("update sessions set authenticated_at = clock_timestamp()");
  expect((await owner.post(remove, values)).headers.location).toContain("done=method-removed");
  expect((await owner.get(account)).text).not.toContain("New sign-in methods");
});

test.each([
  [
    "Recovery codes",
    "recovery-codes",
    "insert into recovery_codes (user_id, hash) select id, 'x' from users",
  ],
  [
    'API key "CI"',
    "key",
    `insert into api_keys (id, organization_id, type, name, hash, last_four, scopes, allowed_ips, created_by, groups)
     select 'key of ' || id, $2, 'admin', 'CI', id::bytea, 'abcd', '{read}', '{}', id, '{}' from users`,
  ],
  [
    'Passkey "Old"',
    "passkey",
    "insert into passkeys (id, user_id, public_key, counter, transports, name) select 'of ' || id, id, '', 0, '{}', 'Old' from users",
  ],
  ["Password", "password", "update users set password_hash = password_hash || ' '"],
])("a process of an earlier version adds: %s", async (label, kind, statement) => {
  const owner = await oldMember();
  // Another way to sign in, without which a password can't be removed.
  await withIdentity(owner);
  await owner.submit(confirm, {}, { from: account });
  const organization = statement.includes("$2") ? [owner.organizationId] : [];
  await pool.query(`${statement} where email = $1`, [owner.email, ...organization]);
  const shown = await owner.get(owner.home);
  expect(shown.text).toContain(label.replaceAll('"', "&quot;"));
  const { values } = shown.forms.find((form) => form.action === remove)!;
  expect(values.kind).toBe(kind);
  expect((await owner.post(remove, values)).status).toBe(303);
  expect((await owner.get(account)).text).not.toContain("New sign-in methods");
});

test("a removed identity isn't connected again by its verified email", async () => {
  const owner = await oldMember();
  await pool.query("update users set email_verified_at = clock_timestamp() where email = $1", [owner.email]);
  provider.claims = { sub: owner.email, email: owner.email, email_verified: true, name: "Mo" };
  const signInAtProvider = async () => {
    const browser = visitor(service);
    const leave = await browser.ask("/dashboard/provider");
    const back = await fetch(addressOf(leave)!, { redirect: "manual" });
    const { pathname, search } = new URL(back.headers.get("location")!);
    return (await browser.get(pathname + search)).status;
  };
  expect(await signInAtProvider()).toBe(200);
  const { values } = (await owner.get(account)).forms.find(({ action }) => action === remove)!;
  expect((await owner.post(remove, values)).status).toBe(303);
  expect(await signInAtProvider()).toBe(403);
});

describe("the verified email of an account whose identity is removed", () => {
  /** A member whose email the provider has verified, and the values of the form that removes the identity. */
  async function verifiedMember() {
    const owner = await oldMember();
    provider.claims = { sub: owner.email, email: owner.email, email_verified: true, name: "Mo" };
    const _token = await owner.token(account);
    const leave = await owner.post(`${account}/provider`, { _token, password });
    const back = await fetch(addressOf(leave)!, { redirect: "manual" });
    const { pathname, search } = new URL(back.headers.get("location")!);
    const { values } = (await owner.get(pathname + search)).forms.find(({ action }) => action === remove)!;
    return { owner, values };
  }

  const verifiedAccounts = async (email: string) =>
    (await pool.query("select from users where email = $1 and email_verified_at is not null", [email]))
      .rowCount;

  test("no longer connects it, also if the inviting organization has another account with this email", async () => {
    const { owner, values } = await verifiedMember();
    const { url } = await service.operator(endpoints.createInvitation, {
      params: { organizationId: owner.organizationId },
      body: { email: owner.email, role: "viewer" },
    });
    const another = visitor(service);
    const invitation = new URL(url).pathname;
    await another.submit(invitation, { email: owner.email, name: "Other", password: changed });
    expect((await another.ask(account)).status).toBe(200);

    expect((await owner.post(remove, values)).headers.location).toContain("done=method-removed");
    expect(await verifiedAccounts(owner.email)).toBe(0);
    for (const secret of [password, changed])
      expect((await (await signIn(owner.email, secret)).ask(account)).status).toBe(200);
  });

  test("stays verified if an identity with another email is removed", async () => {
    const { owner } = await verifiedMember();
    const { sub } = await withIdentity(owner);
    const shown = await owner.get(account);
    const form = shown.forms.find(({ action, values }) => action === remove && values.id?.endsWith(sub))!;
    expect((await owner.post(remove, form.values)).headers.location).toContain("done=method-removed");
    expect(await verifiedAccounts(owner.email)).toBe(1);
  });
});

test("a new key is reported to its creator by email", async () => {
  const owner = await newMember(service, (await newOrganization(service)).id, "admin", "Kim");
  await owner.submit(`${owner.home}/keys`, { name: "Deploys", scopes: "read" });
  await isTold(owner.email, "The API key");
});
