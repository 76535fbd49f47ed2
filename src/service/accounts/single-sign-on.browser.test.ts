/** Single sign-on to the dashboard in a browser, with an OpenID provider on another origin. */

import { afterAll, beforeAll, expect, test } from "vitest";
import { useChromium } from "../../../test/browser/chromium.ts";
import { OpenIdProvider } from "../../../test/host/open-id-provider.ts";
import { newMember, password } from "../../../test/service/dashboard.ts";
import { newOrganization, type TestService } from "../../../test/service/service.ts";
import { openTestService } from "../../../test/shared/service.ts";

const { open } = useChromium();
let provider: OpenIdProvider;
let service: TestService;
let origin: string;

beforeAll(async () => {
  provider = await new OpenIdProvider().listen();
  service = await openTestService({ env: provider.env });
  origin = `http://localhost:${service.port}`;
}, 120_000);
afterAll(async () => {
  await service.stop();
  provider.close();
});

test("a member connects the provider and signs in with it", async () => {
  const { id } = await newOrganization(service);
  const { email } = await newMember(service, id, "viewer");
  provider.claims = { sub: email, email, email_verified: true };
  await open(`${origin}/dashboard/account`, async (page) => {
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("button", { name: "Connect Acme" }).waitFor();

    const form = page.locator("form", { has: page.getByRole("button", { name: "Connect Acme" }) });
    await form.getByLabel("Password").fill(password);
    await form.getByRole("button", { name: "Connect Acme" }).click();
    await page.getByText("Single sign-on connected").waitFor();

    await page.context().clearCookies();
    await page.goto(`${origin}/dashboard/sign-in`);
    await page.getByRole("link", { name: "Acme" }).click();
    await page.waitForURL(/\/dashboard\/o\//);
    expect(provider.asked.filter((one) => one === "GET /authorize")).toHaveLength(2);
  });
});
