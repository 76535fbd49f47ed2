/** Passkeys in a browser with a virtual authenticator. */

import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { useChromium } from "../../../test/browser/chromium.ts";
import { newMember, password } from "../../../test/service/dashboard.ts";
import { newOrganization } from "../../../test/service/service.ts";
import { sharedService } from "../../../test/shared/service.ts";

const { open } = useChromium();
const service = await sharedService();
const origin = `http://localhost:${service.port}`;

async function addAuthenticator(page: Page, isUserVerified = true) {
  const session = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable");
  const { authenticatorId } = await session.send("WebAuthn.addVirtualAuthenticator", {
    options: { protocol: "ctap2", transport: "internal", hasResidentKey: true, hasUserVerification: true, isUserVerified },
  });
  return { session, authenticatorId };
}

async function signIn(page: Page, email: string): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL(/\/dashboard\/o\//);
}

test("a member adds a passkey, signs in with it, and removes it", async () => {
  const member = await newMember(service, (await newOrganization(service)).id, "viewer");
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
