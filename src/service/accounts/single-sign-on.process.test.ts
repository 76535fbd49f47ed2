/** Single sign-on to the dashboard, with a real OpenID provider. */

import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addressOf, OpenIdProvider } from "../../../test/host/open-id-provider.ts";
import {
  firstAdmin,
  join,
  type Member,
  newMember,
  password,
  visitor,
} from "../../../test/service/dashboard.ts";
import { newOrganization, send, type TestService } from "../../../test/service/service.ts";
import { createDatabase } from "../../../test/shared/database.ts";
import { openTestService } from "../../../test/shared/service.ts";

let provider: OpenIdProvider;
let service: TestService;
let admin: Member;
let databaseUrl: string;
let sso: Record<string, string>;

beforeAll(async () => {
  provider = await new OpenIdProvider().listen();
  databaseUrl = await createDatabase();
  sso = {
    OCTAVO_SECRET: randomBytes(32).toString("hex"),
    ...provider.env,
  };
  service = await openTestService({ databaseUrl, env: sso });
  admin = await firstAdmin(service);
}, 120_000);

afterAll(async () => {
  await service.stop();
  provider.close();
});

/** Follows the redirects to the provider and back, like a browser. `change` can modify the callback URL. */
async function followRedirects(
  browser: ReturnType<typeof visitor>,
  path: string,
  change: (address: URL) => void = () => {},
) {
  const leave = await browser.ask(path);
  expect(leave.status, leave.text).toBe(303);
  return returnFrom(browser, String(leave.headers.location), change);
}

async function returnFrom(
  browser: Pick<Member, "get">,
  provider: string,
  change: (address: URL) => void = () => {},
) {
  const answer = await fetch(provider, { redirect: "manual" });
  const back = new URL(answer.headers.get("location")!);
  change(back);
  expect(back.origin).toBe(`http://localhost:${service.port}`);
  return browser.get(back.pathname + back.search);
}

async function linkFor(email: string, inviter: Member = admin, role = "viewer"): Promise<string> {
  const page = await inviter.submit(`${inviter.home}/members`, { email, role });
  return new URL(/http:\/\/localhost:\d+\/dashboard\/invitations\/[\w-]+/.exec(page.text)![0]).pathname;
}

/**
 * Submits the form of the account page and, if it is accepted, follows the redirects to the provider and
 * back.
 */
async function connect(member: Member, password: string) {
  const _token = await member.token("/dashboard/account");
  const leave = await member.post("/dashboard/account/provider", { _token, password });
  const address = addressOf(leave);
  return address === undefined ? leave : returnFrom(member, address);
}

const providerPath = "/dashboard/provider?next=%2Fdashboard%2Faccount";

test("an invitation is accepted with the provider, which then signs in", async () => {
  provider.claims = { sub: "bo", email: "bo@example.com", email_verified: true, name: "Bo" };
  const path = await linkFor("bo@example.com");
  const browser = visitor(service);
  const page = await browser.get(path);
  const href = /href="(\/dashboard\/provider\?[^"]+)"[^>]*>Continue with Acme/
    .exec(page.text)![1]!
    .replaceAll("&amp;", "&");
  const shown = await followRedirects(browser, href);
  expect([shown.path, shown.text.includes("Join as Bo")]).toEqual([path, true]);
  expect((await browser.submit(path)).text).toContain("You've joined the organization");
  // The user is identified by the provider's subject, even if the email has changed.
  provider.claims = { sub: "bo", email: "bo.new@example.com", email_verified: true };
  const again = await followRedirects(visitor(service), providerPath);
  expect(again.path).toBe("/dashboard/account");
  expect(again.text).toContain("bo@example.com");
});

test("the provider signs in to an account with a password only after its owner has connected it", async () => {
  for (const email_verified of [false, undefined, true]) {
    provider.claims = { sub: "ana", email: admin.email, email_verified };
    expect((await followRedirects(visitor(service), providerPath)).status, String(email_verified)).toBe(403);
  }
  const wrong = await connect(admin, "not the password");
  expect([wrong.status, (await followRedirects(visitor(service), providerPath)).status]).toEqual([401, 403]);
  expect((await connect(admin, password)).text).toContain("Single sign-on connected.");
  expect((await followRedirects(visitor(service), providerPath)).text).toContain(admin.email);
  // Another user can't connect the same identity.
  const other = await newMember(service, admin.organizationId, "viewer", "Oz");
  expect((await connect(other, password)).status).toBe(409);
});

describe("an account that was created with another person's email", () => {
  const createWithForeignEmail = async () => {
    const email = `victim-${randomBytes(4).toString("hex")}@corp.example`;
    const [own, evil] = [await newOrganization(service), await newOrganization(service)];
    const boss = await newMember(service, own.id);
    const attacker = await newMember(service, evil.id, "admin", "Mallory");
    const squatter = await join(service, service.url + (await linkFor(email, attacker)), "Victim", email);
    return { email, own, boss, squatter };
  };
  const signInWithPassword = async (email: string, password: string) => {
    const browser = visitor(service);
    return { browser, page: await browser.submit("/dashboard/sign-in", { email, password }) };
  };

  test("with single sign-on: the owner gets a separate account, to which the squatter has no access", async () => {
    const { email, own, boss, squatter } = await createWithForeignEmail();
    provider.claims = { sub: email, email, email_verified: true, name: "The owner" };
    const path = await linkFor(email, boss, "admin");
    const owner = visitor(service);
    await followRedirects(owner, `/dashboard/provider?invitation=${path.split("/").at(-1)}`);
    expect((await owner.submit(path)).text).toContain("You've joined the organization");
    const home = `/dashboard/o/${own.id}`;
    expect((await owner.get(home)).status).toBe(200);
    expect((await squatter.get(home)).status).toBe(404);
    const { browser, page } = await signInWithPassword(email, password);
    expect([page.status, (await browser.get(home)).status]).toEqual([200, 404]);
    // The squatter can't connect the owner's identity either.
    expect((await connect(squatter, password)).status).toBe(409);
  });

  test("with a password: the owner gets a separate account, and each password signs in to its own", async () => {
    const { email, own, boss, squatter } = await createWithForeignEmail();
    const owner = visitor(service);
    const path = await linkFor(email, boss, "admin");
    expect(
      (await owner.submit(path, { email, name: "The owner", password: "a password of the owner" })).path,
    ).toContain(own.id);
    const mine = await signInWithPassword(email, "a password of the owner");
    expect((await mine.browser.get(`/dashboard/o/${own.id}`)).status).toBe(200);
    expect((await mine.browser.get(squatter.home)).status).toBe(404);
    const theirs = await signInWithPassword(email, password);
    expect((await theirs.browser.get(`/dashboard/o/${own.id}`)).status).toBe(404);
    expect((await signInWithPassword(email, "neither of them")).page.status).toBe(401);
  });

  test("accepting an invitation with the password of an existing account adds it to the organization", async () => {
    const { email, boss, squatter, own } = await createWithForeignEmail();
    await visitor(service).submit(await linkFor(email, boss), { email, name: "Again", password });
    const { browser } = await signInWithPassword(email, password);
    for (const home of [squatter.home, `/dashboard/o/${own.id}`])
      expect((await browser.get(home)).status).toBe(200);
  });
});

describe("a first password", () => {
  test("needs a recent sign-in at the provider, not only a session", async () => {
    provider.claims = { sub: "kim", email: "kim@example.com", email_verified: true, name: "Kim" };
    const browser = visitor(service);
    const path = await linkFor("kim@example.com");
    await followRedirects(browser, `/dashboard/provider?invitation=${path.split("/").at(-1)}`);
    await browser.submit(path);
    const set = async () => {
      const _token = await browser.token("/dashboard/account");
      return (await browser.post("/dashboard/account/password", { _token, after: "a first password" }))
        .status;
    };
    expect(await set()).toBe(403);
    // The user signed in at the provider an hour ago.
    const renew = /href="(\/dashboard\/provider\?renew[^"]+)"/
      .exec((await browser.get("/dashboard/account")).text)![1]!
      .replaceAll("&amp;", "&");
    provider.claims.auth_time = Math.floor(Date.now() / 1_000) - 3_600;
    expect((await followRedirects(browser, renew)).text).toContain("wasn't completed");
    expect(await set()).toBe(403);
    provider.claims.auth_time = Math.floor(Date.now() / 1_000);
    await followRedirects(browser, renew);
    expect(await set()).toBe(303);
    expect(
      (
        await visitor(service).submit("/dashboard/sign-in", {
          email: "kim@example.com",
          password: "a first password",
        })
      ).status,
    ).toBe(200);
  });
});

test("if single sign-on is required, passwords are refused", async () => {
  const only = await openTestService({ databaseUrl, env: { ...sso, OCTAVO_SSO_ONLY: "true" } });
  try {
    const browser = visitor(only);
    const page = await browser.get("/dashboard/sign-in");
    expect(page.text).toContain("Continue with Acme");
    expect(page.text).not.toContain('type="password"');
    const _token = await browser.token("/dashboard/nothing");
    expect((await browser.post("/dashboard/sign-in", { _token, email: admin.email, password })).status).toBe(
      403,
    );
    const path = await linkFor("new@example.com");
    expect(
      (await browser.post(path, { _token, email: "new@example.com", name: "New", password })).status,
    ).toBe(403);
    // A session that began with a password is not valid for this service.
    const { value } = admin.storageState().cookies.find(({ name }) => name === "octavo-session")!;
    const cookie = `octavo-session=${value}`;
    expect((await send({ port: only.port, path: "/dashboard/account", headers: { cookie } })).status).toBe(
      303,
    );
    expect((await send({ port: service.port, path: "/dashboard/account", headers: { cookie } })).status).toBe(
      200,
    );
  } finally {
    await only.stop();
  }
});

test("without account and invitation, sign-in is refused", async () => {
  provider.claims = { sub: "nobody", email: "nobody@example.com", email_verified: true };
  const page = await followRedirects(visitor(service), providerPath);
  expect(page.status).toBe(403);
  expect(page.text).toContain("ask an admin");
});

test("an invitation for another email is refused", async () => {
  const path = await linkFor("cy@example.com");
  provider.claims = { sub: "dora", email: "dora@example.com", email_verified: true, name: "Dora" };
  const token = path.split("/").at(-1);
  const page = await followRedirects(visitor(service), `/dashboard/provider?invitation=${token}`);
  expect(page.status).toBe(403);
  expect((await visitor(service).get(path)).status).toBe(200);
});

test.each(["state", "code"])("a callback with another %s is refused", async (name) => {
  provider.claims = { sub: "bo", email: "bo@example.com", email_verified: true };
  const browser = visitor(service);
  const page = await followRedirects(browser, providerPath, (address) => address.searchParams.set(name, "x"));
  expect(page.text).toContain("wasn't completed");
  expect((await browser.ask("/dashboard/account")).status).toBe(303);
});

test.each([
  ["another nonce", { nonce: "x" }],
  ["another issuer", { issuer: "https://evil.example" }],
  ["another audience", { audience: "somebody" }],
])("a token with %s: nobody is signed in", async (_title, fault) => {
  provider.claims = { sub: "bo", email: "bo@example.com", email_verified: true };
  provider.fault = fault;
  try {
    const browser = visitor(service);
    await followRedirects(browser, providerPath);
    expect((await browser.ask("/dashboard/account")).status).toBe(303);
  } finally {
    provider.fault = {};
  }
});

test("a callback in another browser doesn't sign in", async () => {
  provider.claims = { sub: "bo", email: "bo@example.com", email_verified: true };
  const leave = await visitor(service).ask(providerPath);
  const answer = await fetch(String(leave.headers.location), { redirect: "manual" });
  const back = new URL(answer.headers.get("location")!);
  const other = visitor(service);
  await other.get(back.pathname + back.search);
  expect((await other.ask("/dashboard/account")).status).toBe(303);
});
