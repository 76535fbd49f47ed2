/** Single sign-on to the dashboard, at a provider that really answers. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { OpenIdProvider } from "../hosting/open-id-provider.ts";
import { startService } from "../shared/service.ts";
import { firstAdmin, type Member, visitor } from "./dashboard.ts";
import type { RunningService } from "./service.ts";

let provider: OpenIdProvider;
let service: RunningService;
let admin: Member;

beforeAll(async () => {
  provider = await new OpenIdProvider().listen();
  service = await startService({
    env: {
      OCTAVO_SSO_NAME: "Acme",
      OCTAVO_SSO_ISSUER: provider.issuer,
      OCTAVO_SSO_CLIENT_ID: provider.clientId,
      OCTAVO_SSO_CLIENT_SECRET: provider.clientSecret,
    },
  });
  admin = await firstAdmin(service);
}, 120_000);

afterAll(async () => {
  await service.stop();
  provider.close();
});

/** Follows the way over the provider as a browser would; `change` alters the address that it comes back by. */
async function goBy(browser: ReturnType<typeof visitor>, path: string, change: (address: URL) => void = () => {}) {
  const leave = await browser.ask(path);
  expect(leave.status, leave.text).toBe(303);
  const answer = await fetch(String(leave.headers.location), { redirect: "manual" });
  const back = new URL(answer.headers.get("location")!);
  change(back);
  expect(back.origin).toBe(`http://localhost:${service.port}`);
  return browser.get(back.pathname + back.search);
}

async function linkFor(email: string): Promise<string> {
  const page = await admin.submit(`${admin.home}/members`, { email, role: "viewer" });
  return new URL(/http:\/\/localhost:\d+\/dashboard\/invitations\/[\w-]+/.exec(page.text)![0]).pathname;
}

const way = "/dashboard/provider?next=%2Fdashboard%2Faccount";

test("an invitation is accepted with the provider, and from then on it opens the door", async () => {
  provider.claims = { sub: "bo", email: "bo@example.com", email_verified: true, name: "Bo" };
  const path = await linkFor("bo@example.com");
  const browser = visitor(service);
  const page = await browser.get(path);
  const href = /href="(\/dashboard\/provider\?[^"]+)"[^>]*>Continue with Acme/.exec(page.text)![1]!.replaceAll("&amp;", "&");
  expect((await goBy(browser, href)).text).toContain("You are a member now");
  // The provider's name for them counts, whatever their address has become.
  provider.claims = { sub: "bo", email: "bo.new@example.com", email_verified: true };
  const again = await goBy(visitor(service), way);
  expect(again.path).toBe("/dashboard/account");
  expect(again.text).toContain("bo@example.com");
});

test("who has an account with a password comes in by an address that the provider vouches for, and by no other", async () => {
  provider.claims = { sub: "eve", email: admin.email, email_verified: false };
  expect((await goBy(visitor(service), way)).status).toBe(403);
  provider.claims = { sub: "eve", email: admin.email };
  expect((await goBy(visitor(service), way)).status).toBe(403);
  provider.claims = { sub: "ana", email: admin.email, email_verified: true };
  expect((await goBy(visitor(service), way)).text).toContain(admin.email);
});

test("who has no account and no invitation stays out", async () => {
  provider.claims = { sub: "nobody", email: "nobody@example.com", email_verified: true };
  const page = await goBy(visitor(service), way);
  expect(page.status).toBe(403);
  expect(page.text).toContain("ask an admin");
});

test("an invitation of somebody else is not theirs", async () => {
  const path = await linkFor("cy@example.com");
  provider.claims = { sub: "dora", email: "dora@example.com", email_verified: true, name: "Dora" };
  const token = path.split("/").at(-1);
  const page = await goBy(visitor(service), `/dashboard/provider?invitation=${token}`);
  expect(page.status).toBe(403);
  expect((await visitor(service).get(path)).status).toBe(200);
});

test.each(["state", "code"])("another %s: nobody is signed in", async (name) => {
  provider.claims = { sub: "bo", email: "bo@example.com", email_verified: true };
  const browser = visitor(service);
  const page = await goBy(browser, way, (address) => address.searchParams.set(name, "x"));
  expect(page.text).toContain("was not completed");
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
    await goBy(browser, way);
    expect((await browser.ask("/dashboard/account")).status).toBe(303);
  } finally {
    provider.fault = {};
  }
});

test("what came back to another browser signs nobody in", async () => {
  provider.claims = { sub: "bo", email: "bo@example.com", email_verified: true };
  const leave = await visitor(service).ask(way);
  const answer = await fetch(String(leave.headers.location), { redirect: "manual" });
  const back = new URL(answer.headers.get("location")!);
  const other = visitor(service);
  await other.get(back.pathname + back.search);
  expect((await other.ask("/dashboard/account")).status).toBe(303);
});
