/** Passkeys in a browser with a virtual authenticator. */

import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { useChromium } from "../../../test/browser/chromium.ts";
import { newMember, password, visitor } from "../../../test/service/dashboard.ts";
import { startMailServer } from "../../../test/service/mail-server.ts";
import { newOrganization, type TestService } from "../../../test/service/service.ts";
import { until } from "../../../test/service/until.ts";
import { openTestService } from "../../../test/shared/service.ts";
import { endpoints } from "../app/endpoints.ts";

const { open } = useChromium();
let mail: Awaited<ReturnType<typeof startMailServer>>;
let service: TestService;
let origin: string;

beforeAll(async () => {
  mail = await startMailServer();
  service = await openTestService({
    env: { OCTAVO_SMTP_URL: mail.url, OCTAVO_MAIL_FROM: "docs@example.com" },
  });
  origin = `http://localhost:${service.port}`;
}, 120_000);
afterAll(async () => {
  await service.stop();
  await mail.stop();
});

async function addAuthenticator(page: Page, isUserVerified = true) {
  const session = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable");
  const { authenticatorId } = await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified,
    },
  });
  return { session, authenticatorId };
}

async function signIn(page: Page, email: string): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL(/\/dashboard\/o\//);
}

async function addPasskey(page: Page, name: string): Promise<void> {
  await page.goto(`${origin}/dashboard/account/passkeys/new`);
  await page.getByLabel("Name").fill(name);
  await page.getByRole("button", { name: "Create passkey" }).click();
  await page.getByText("Passkey added").waitFor();
}

test("a member adds a passkey, signs in with it, and removes it", async () => {
  const { id } = await newOrganization(service);
  await newMember(service, id, "admin");
  const member = await newMember(service, id, "viewer");
  // A passkey that is added in a confirmed session is confirmed, too.
  await service.operator(endpoints.changeOrganization, {
    params: { organizationId: id },
    body: { requiresConfirmedSignIn: true },
  });
  await open(`${origin}/dashboard/sign-in`, async (page, complaints) => {
    const { session, authenticatorId } = await addAuthenticator(page);
    await signIn(page, member.email);
    await page.goto(`${origin}/dashboard/account`);
    await page.getByRole("link", { name: "Add passkey" }).click();
    await page.getByLabel("Name").fill("Laptop");
    await page.getByRole("button", { name: "Create passkey" }).click();
    await page.getByText("Passkey added").waitFor();
    await page.context().clearCookies();
    await page.goto(`${origin}/dashboard/sign-in`);
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await page.waitForURL(/\/dashboard\/o\//);
    await page.goto(`${origin}/dashboard/account`);
    expect(await page.getByRole("region", { name: "Passkeys" }).innerText()).toMatch(/Laptop/);
    await page.getByRole("button", { name: "Remove Laptop" }).click();
    await page.getByText("Passkey removed").waitFor();
    // The browser still has the passkey, but the service no longer accepts it.
    await page.context().clearCookies();
    await page.goto(`${origin}/dashboard/sign-in`);
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await page.getByText("This passkey wasn't accepted").waitFor();
    await session.send("WebAuthn.removeVirtualAuthenticator", { authenticatorId });
    complaints.list = complaints.list.filter((line) => !line.includes("401"));
  });
});

test("an answer is accepted once, for its own page only", async () => {
  const member = await newMember(service, (await newOrganization(service)).id, "viewer");
  await open(`${origin}/dashboard/sign-in`, async (page, complaints) => {
    await addAuthenticator(page);
    await signIn(page, member.email);
    await page.goto(`${origin}/dashboard/account/passkeys/new`);
    await page.getByRole("button", { name: "Create passkey" }).click();
    await page.getByText("Passkey added").waitFor();
    await page.context().clearCookies();
    await page.goto(`${origin}/dashboard/sign-in`);
    const sent = page.waitForRequest((request) => request.url().endsWith("/sign-in/passkey"));
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    const values = Object.fromEntries(new URLSearchParams((await sent).postData()!));
    await page.waitForURL(/\/dashboard\/o\//);
    await page.context().clearCookies();
    await page.goto(`${origin}/dashboard/sign-in`);
    const token = await page.locator("[data-passkey] [name=_token]").inputValue();
    const replay = (form: Record<string, string>) =>
      page.evaluate(
        async (values) => {
          const body = new URLSearchParams(values);
          return (await fetch("/dashboard/sign-in/passkey", { method: "POST", body })).status;
        },
        { ...form, _token: token },
      );
    const fresh = await page.locator("[data-passkey] [name=challenge]").inputValue();
    expect(await replay(values)).toBe(400);
    expect(await replay({ ...values, challenge: fresh })).toBe(401);
    expect(await replay({ ...values, challenge: `${fresh}x` })).toBe(400);
    complaints.list = complaints.list.filter((line) => !/40[01]/.test(line));
  });
});

test.each([
  ["removed", false],
  ["kept if the member says so", true],
])(
  "a passkey from before joining another organization is %s, and the member gets an email about it",
  async (_, keeps) => {
    const [first, other] = [await newOrganization(service), await newOrganization(service)];
    const member = await newMember(service, first.id, "viewer");
    const params = { organizationId: other.id };
    const { url } = await service.operator(endpoints.createInvitation, {
      params,
      body: { email: member.email, role: "admin" },
    });
    await open(`${origin}/dashboard/sign-in`, async (page, complaints) => {
      await addAuthenticator(page);
      await signIn(page, member.email);
      await addPasskey(page, "Laptop");
      await until(async () =>
        mail.received.some(
          ({ to, text }) => to.includes(member.email) && text.includes('The passkey "Laptop" was added'),
        ),
      );
      await page.goto(url);
      await page
        .getByText('Someone else may have added these sign-in methods to your account: passkey "Laptop"')
        .waitFor();
      if (keeps) await page.getByLabel("Keep them").check();
      await page.getByRole("button", { name: "Join as" }).click();
      await page.getByText("You've joined the organization").waitFor();
      await page.context().clearCookies();
      await page.goto(`${origin}/dashboard/sign-in`);
      await page.getByRole("button", { name: "Sign in with a passkey" }).click();
      if (keeps) await page.waitForURL(({ pathname }) => !pathname.includes("sign-in"));
      else await page.getByText("This passkey wasn't accepted").waitFor();
      complaints.list = complaints.list.filter((line) => !line.includes("401"));
    });
  },
);

test("a reset by email removes a passkey that was added before the owner confirmed the account, and says so", async () => {
  const member = await newMember(service, (await newOrganization(service)).id, "viewer");
  await open(`${origin}/dashboard/sign-in`, async (page, complaints) => {
    await addAuthenticator(page);
    await signIn(page, member.email);
    await addPasskey(page, "Mallory");
    await page.context().clearCookies();
    await visitor(service).submit("/dashboard/forgot-password", { email: member.email });
    const sent = () =>
      mail.received.find(({ to, text }) => to.includes(member.email) && text.includes("/reset-password/"));
    await until(async () => sent() !== undefined);
    await page.goto(/http:\/\/\S+\/dashboard\/reset-password\/[\w-]+/.exec(sent()!.text)![0]);
    await page.getByLabel("New password").fill("a password of the owner");
    await page.getByRole("button", { name: "Set password" }).click();
    await page.getByText('passkey "Mallory"').waitFor();
    await page.getByRole("link", { name: "Sign in" }).click();
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await page.getByText("This passkey wasn't accepted").waitFor();
    complaints.list = complaints.list.filter((line) => !line.includes("401"));
  });
});
