/**
 * What an admin of one organization can do to a member's account, and what remains of it when the member
 * joins another organization.
 */

import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { OpenIdProvider } from "../../../test/host/open-id-provider.ts";
import { type Member, newMember, password, visitor } from "../../../test/service/dashboard.ts";
import { startMailServer } from "../../../test/service/mail-server.ts";
import { newOrganization, type TestService } from "../../../test/service/service.ts";
import { trusting } from "../../../test/service/test-sites.ts";
import { until } from "../../../test/service/until.ts";
import { createDatabase } from "../../../test/shared/database.ts";
import { openTestService } from "../../../test/shared/service.ts";
import { endpoints } from "../app/endpoints.ts";

const foreign = "a password of Mallory";
const own = "a password of the member";
const account = "/dashboard/account";

let service: TestService;
let withoutMail: TestService;
let mail: Awaited<ReturnType<typeof startMailServer>>;
let provider: OpenIdProvider;

beforeAll(async () => {
  mail = await startMailServer();
  provider = await new OpenIdProvider().listen();
  const databaseUrl = await createDatabase();
  const env = {
    ...trusting,
    OCTAVO_SECRET: randomBytes(32).toString("hex"),
    ...provider.env,
  };
  service = await openTestService({
    databaseUrl,
    env: { ...env, OCTAVO_SMTP_URL: mail.url, OCTAVO_MAIL_FROM: "docs@example.com" },
  });
  withoutMail = await openTestService({ databaseUrl, env });
}, 120_000);
afterAll(async () => {
  await service.stop();
  await withoutMail.stop();
  await mail.stop();
  provider.close();
});

let networks = 0;
const elsewhere = () => ({ "x-forwarded-for": `13.${networks >> 8}.${networks++ & 255}.7` });

const signIn = async (email: string, secret: string, at = service) => {
  const browser = visitor(at);
  const page = await browser.submit(
    "/dashboard/sign-in",
    { email, password: secret },
    { headers: elsewhere() },
  );
  return { ...browser, page };
};

const pageOf = async (admin: Member, { email }: Pick<Member, "email">) => {
  const row = (await admin.get(`${admin.home}/members`)).text
    .split("<tr")
    .find((part) => part.includes(email))!;
  return /href="([^"]+\/members\/\w+)"/.exec(row)![1]!;
};

const invitationTo = async (email: string, organizationId: string) => {
  const { url } = await service.operator(endpoints.createInvitation, {
    params: { organizationId },
    body: { email, role: "admin" },
  });
  return new URL(url).pathname;
};

const idOf = async (browser: Pick<Member, "get">) =>
  /[0-9A-HJKMNP-TV-Z]{26}/.exec((await browser.get(account)).text)![0];

const resetByMail = async (email: string) => {
  await visitor(service).submit("/dashboard/forgot-password", { email }, { headers: elsewhere() });
  const sent = () =>
    mail.received.find(({ to, text }) => to.includes(email) && text.includes("/dashboard/reset-password/"));
  await until(async () => sent() !== undefined);
  const link = new URL(/http:\/\/\S+\/dashboard\/reset-password\/[\w-]+/.exec(sent()!.text)![0]).pathname;
  return visitor(service).submit(link, { password: own });
};

/**
 * A member of Mallory's organization whose password Mallory has set, a session with it, and another
 * organization.
 */
async function takeOver() {
  const [evil, other] = [await newOrganization(service), await newOrganization(service)];
  const mallory = await newMember(service, evil.id, "admin", "Mallory");
  const member = await newMember(service, evil.id, "editor", "Mo");
  const page = await pageOf(mallory, member);
  const link = /\/dashboard\/reset-password\/[\w-]+/.exec(
    (await mallory.submit(`${page}/reset-link`, {}, { from: page })).text,
  )![0];
  expect((await visitor(service).submit(link, { password: foreign })).status).toBe(200);
  return {
    evil,
    other,
    otherHome: `/dashboard/o/${other.id}`,
    mallory,
    member,
    session: await signIn(member.email, foreign),
  };
}

async function follow(browser: ReturnType<typeof visitor>, path: string) {
  const leave = await browser.ask(path);
  const back = new URL(
    (await fetch(String(leave.headers.location), { redirect: "manual" })).headers.get("location")!,
  );
  return browser.get(back.pathname + back.search);
}

describe("a password that was set with an admin's reset link", () => {
  test("opens the admin's organization, and adds nothing to the account", async () => {
    const { member, session } = await takeOver();
    expect((await session.get(member.home)).status).toBe(200);
    const _token = await session.token(account);
    for (const path of ["passkeys/new", "two-factor"])
      expect((await session.get(`${account}/${path}`)).status, path).toBe(403);
    const posts = ["passkeys", "two-factor", "two-factor/recovery-codes", "two-factor/off", "provider"].map(
      (path) => `${account}/${path}`,
    );
    for (const path of [...posts, `${member.home}/keys`]) {
      const values = {
        _token,
        password: foreign,
        name: "Key",
        code: "123456",
        "read-scope": "on",
        scopes: "read",
      };
      expect((await session.post(path, values)).status, path).toBe(403);
    }
    expect((await session.get(account)).text).toContain("until you confirm your account");
  });

  test("stays limited when it is changed", async () => {
    const { member, session, other, otherHome } = await takeOver();
    const changed = await session.submit(
      `${account}/password`,
      { before: foreign, after: `${foreign} 2` },
      { from: account },
    );
    expect(changed.text).toContain("Password changed");
    await session.submit(await invitationTo(member.email, other.id));
    const again = await signIn(member.email, `${foreign} 2`);
    expect([(await again.get(member.home)).status, (await again.get(otherHome)).status]).toEqual([200, 404]);
  });

  test("never opens another organization that the account joins with it", async () => {
    const { member, session, other, otherHome } = await takeOver();
    const joined = await session.submit(await invitationTo(member.email, other.id));
    expect(joined.text).toContain("To open it, confirm your account");
    for (const browser of [session, await signIn(member.email, foreign)])
      expect([
        (await browser.get(otherHome)).status,
        (await browser.get(`${otherHome}/members`)).status,
      ]).toEqual([404, 404]);
    await resetByMail(member.email);
    expect((await session.ask(account)).status).toBe(303);
    expect((await signIn(member.email, foreign)).page.status).toBe(401);
    expect((await (await signIn(member.email, own)).get(otherHome)).status).toBe(200);
  });

  test("of an operator doesn't open the operator pages, and a new operator's limited sessions end", async () => {
    const { session, member } = await takeOver();
    await service.operator(endpoints.addOperator, { body: { userId: await idOf(session) } });
    expect((await session.ask(account)).status).toBe(303);
    const again = await signIn(member.email, foreign);
    expect((await again.get("/dashboard/operator")).status).toBe(404);
    await resetByMail(member.email);
    expect((await (await signIn(member.email, own)).get("/dashboard/operator")).status).toBe(200);
  });

  test("is replaced by the member's own reset, which ends all sessions, before the member joins", async () => {
    const { member, session, other, otherHome } = await takeOver();
    await resetByMail(member.email);
    const back = await signIn(member.email, own);
    expect((await back.submit(await invitationTo(member.email, other.id))).path).toContain(other.id);
    expect((await back.get(otherHome)).status).toBe(200);
    expect((await session.ask(account)).status).toBe(303);
    expect((await signIn(member.email, foreign)).page.status).toBe(401);
    expect((await back.get(`${account}/passkeys/new`)).status).toBe(200);
  });

  test("can't accept an invitation without email, and a separate account can", async () => {
    const { member, otherHome, other } = await takeOver();
    const path = await invitationTo(member.email, other.id);
    const session = await signIn(member.email, foreign, withoutMail);
    const refused = await session.post(path, { _token: await session.token(path) });
    expect(refused.status).toBe(403);
    expect(
      (await visitor(withoutMail).submit(path, { email: member.email, name: "Mo", password: foreign }))
        .status,
    ).toBe(403);
    const joined = visitor(withoutMail);
    expect((await joined.submit(path, { email: member.email, name: "Mo", password: own })).path).toContain(
      otherHome,
    );
    expect((await session.get(otherHome)).status).toBe(404);
  });

  test("is reported to the member by email", async () => {
    const { member } = await takeOver();
    await until(async () =>
      mail.received.some(
        ({ to, text }) => to.includes(member.email) && text.includes("from an admin of your organization"),
      ),
    );
  });
});

test("joining another organization ends the other sessions", async () => {
  const [first, other] = [await newOrganization(service), await newOrganization(service)];
  const member = await newMember(service, first.id, "viewer", "Mo");
  const old = await signIn(member.email, password);
  expect((await member.submit(await invitationTo(member.email, other.id))).path).toContain(other.id);
  expect((await old.ask(account)).status).toBe(303);
  expect((await member.get(`/dashboard/o/${other.id}`)).status).toBe(200);
});

test("an admin can't create a reset link for a member who signs in with single sign-on", async () => {
  const evil = await newOrganization(service);
  const mallory = await newMember(service, evil.id, "admin", "Mallory");
  const email = `sso-${randomBytes(4).toString("hex")}@example.com`;
  const sent = await mallory.submit(`${mallory.home}/members`, { email, role: "viewer" });
  const path = /\/dashboard\/invitations\/[\w-]+/.exec(sent.text)![0];
  provider.claims = { sub: email, email, email_verified: true, name: "Sam" };
  const browser = visitor(service);
  const shown = await follow(browser, `/dashboard/provider?invitation=${path.split("/").at(-1)}`);
  // Nothing is accepted until the form is sent.
  expect(shown.path).toBe(path);
  expect(shown.text).toContain(`by Mallory (${mallory.email})`);
  expect(shown.text).toContain("Join as Sam");
  expect((await mallory.get(`${mallory.home}/members`)).text).toContain("/resend");
  expect((await browser.submit(path)).path).toContain(evil.id);
  const page = await pageOf(mallory, { email });
  expect((await mallory.get(page)).text).not.toContain("/reset-link");
  expect((await mallory.post(`${page}/reset-link`, { _token: await mallory.token(page) })).status).toBe(403);
});

test("the link to the provider with an invitation doesn't put a signed-in member into an organization", async () => {
  const [own, evil] = [await newOrganization(service), await newOrganization(service)];
  const email = `alice-${randomBytes(4).toString("hex")}@example.com`;
  provider.claims = { sub: email, email, email_verified: true, name: "Alice" };
  const alice = visitor(service);
  const first = await invitationTo(email, own.id);
  await follow(alice, `/dashboard/provider?invitation=${first.split("/").at(-1)}`);
  await alice.submit(first);
  const path = await invitationTo(email, evil.id);
  const shown = await follow(alice, `/dashboard/provider?invitation=${path.split("/").at(-1)}`);
  expect([shown.path, (await alice.get(`/dashboard/o/${evil.id}`)).status]).toEqual([path, 404]);
  await alice.submit(path);
  expect((await alice.get(`/dashboard/o/${evil.id}`)).status).toBe(200);
});
