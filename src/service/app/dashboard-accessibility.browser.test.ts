/**
 * Pages of the dashboard in a browser: no serious or critical axe violations, no overflow at 320 px, and
 * usable by keyboard.
 */

import { Client } from "pg";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  isComplete,
  looks,
  phone,
  seriousFaults,
  sidewaysScroll,
  useChromium,
  wide,
} from "../../../test/browser/chromium.ts";
import { type Member, newMember } from "../../../test/service/dashboard.ts";
import { deploy, docs } from "../../../test/service/deploying.ts";
import { ended as exported } from "../../../test/service/exports.ts";
import { newOrganization, type TestService } from "../../../test/service/service.ts";
import { createDatabase } from "../../../test/shared/database.ts";
import { openTestService } from "../../../test/shared/service.ts";
import { firstUlidAt, ulidTime } from "../../base/ulid.ts";
import { endpoints } from "./endpoints.ts";
import { dashboardRoutes } from "./routes.ts";

const { open } = useChromium();
let service: TestService;
let admin: Member;
let params: Record<string, string>;

const pages = dashboardRoutes({
  cookies: undefined as never,
  provider: undefined,
  hasPasswords: true,
  report() {},
}).filter(({ method }) => method === "GET");
const turn = {
  id: "01K9J5C7Z0000000000000000A",
  timestamp: new Date(ulidTime("01K9J5C7Z0000000000000000A")).toISOString(),
  query: "How do I install it?",
  response: "Run `npm install`. See [the guide](/guides/install).",
  sources: [{ title: "Install", url: "http://docs.example.com/guides/install" }],
  resolutionStatus: "answered",
  queryCategory: null,
  pageUrl: null,
};
const recentId = firstUlidAt(Date.now() - 60_000);
const unanswered = {
  ...turn,
  id: recentId,
  timestamp: new Date(ulidTime(recentId)).toISOString(),
  query: "Where is the moon?",
  resolutionStatus: "unanswered",
};

/** Names of GET routes that don't respond with a page. */
const notPages = new Set(["home", "downloadStaticExport", "showLogo"]);

/** Routes of one page of each kind. */
const kinds = new Set([
  "showSignIn",
  "showTwoFactorSetup",
  "showAccount",
  "showOrganization",
  "showNewProject",
  "listMembers",
  "showWebhook",
  "showAuditLog",
  "showSettings",
  "askToDeleteProject",
  "listKeys",
  "showProject",
  "showDeployment",
  "showConversations",
  "showTraffic",
  "showOwnRepository",
]);

beforeAll(async () => {
  const databaseUrl = await createDatabase();
  service = await openTestService({ databaseUrl });
  const organization = await newOrganization(service);
  admin = await newMember(service, organization.id, "admin", "Ada");
  await newMember(service, organization.id, "viewer", "Vi");
  // Every page lists the new sign-in methods of an account that is older than a minute.
  await withDatabase(databaseUrl, "update users set created_at = created_at - interval '1 hour'");
  const name = "Deploys-of-the-documentation-from-continuous-integration";
  await admin.submit(`${admin.home}/keys`, { name, scopes: "read" });
  expect((await admin.get(admin.home)).text).toContain("New sign-in methods");
  const deployment = await deploy(organization, docs("Hello", { "broken.mdx": "# Broken\n\n<Card>\n" }));
  const { client, projectId, subdomain } = organization;
  const { jobId } = await client(endpoints.startExport, { body: { domain: `${subdomain}.localhost` } });
  const { domain } = await client(endpoints.addDomain, {
    params: { projectId },
    body: { domain: "docs.example.com" },
  });
  await exported(organization, jobId);
  await organization.ask(`/v1/analytics/${organization.projectId}/assistant/import`, {
    method: "POST",
    headers: { "content-type": "application/x-ndjson" },
    body: `${JSON.stringify(turn)}\n${JSON.stringify(unanswered)}`,
  });
  const source = { kind: "git" as const, url: "https://git.example.com/acme/docs.git", branch: "main" };
  const body = { name: "Connected", subdomain: `${subdomain}-git`, source };
  const connected = await service.operator(endpoints.createProject, {
    params: { organizationId: organization.id },
    body,
  });
  // A public IP address, to which nothing is sent: no deployment fails.
  const webhook = await client(endpoints.createWebhook, {
    body: { url: "https://1.1.1.1/", events: ["deployment.failed"] },
  });
  const members = await admin.get(`${admin.home}/members`);
  const userPath = [
    ...members.text.matchAll(/href="([^"]+\/members\/\w+)"[^>]*>Change<span class="o-sr"> (\w+)/g),
  ].find(([, , name]) => name === "Vi")![1]!;
  const ownId = /data-copy="([0-9A-Z]{26})"/.exec((await admin.get("/dashboard/account")).text)![1]!;
  await service.operator(endpoints.addOperator, { body: { userId: ownId } });
  params = {
    code: "config-syntax",
    organizationId: organization.id,
    projectId: organization.projectId,
    connectedId: connected.id,
    deploymentId: deployment.id,
    jobId,
    domain,
    keyId: organization.keyId,
    threadId: turn.id,
    messageId: turn.id,
    questionId: unanswered.id,
    resetToken: (await admin.submit(`${userPath}/reset-link`, {}, { from: userPath })).text.match(
      /reset-password\/([\w-]+)</,
    )![1]!,
    webhookId: webhook.id,
    userId: /\/members\/([^"/]+)"/.exec(members.text)![1]!,
    token: (await admin.submit(`${admin.home}/members`, { email: "new@example.com" })).text.match(
      /invitations\/([\w-]+)</,
    )![1]!,
  };
}, 180_000);

afterAll(() => service.stop());

async function withDatabase(connectionString: string, statement: string): Promise<void> {
  const client = new Client({ connectionString });
  await client.connect();
  await client.query(statement);
  await client.end();
}

function pathOf(path: string): string {
  // Only projects with a repository have this page.
  const named = path.endsWith("/settings/repository") ? path.replace(":projectId", ":connectedId") : path;
  const filled = named.replace(/:(\w+)/g, (_all, name: string) => params[name] ?? `no-${name}`);
  return `http://localhost:${service.port}${filled}`;
}

/** Only projects that aren't connected to a repository have this page. The query keeps `pathOf` from choosing the other page. */
const ownRepository = {
  name: "showOwnRepository",
  path: "/dashboard/o/:organizationId/p/:projectId/settings/repository?own",
};

test.each(
  [...pages, ownRepository].filter(({ name }) => (isComplete ? !notPages.has(name) : kinds.has(name))),
)("$name", { timeout: 60_000 }, async ({ path }) => {
  // Sign-in and invitations are shown without a session.
  const storageState = /sign-in|invitations/.test(path) ? undefined : admin.storageState();
  await open(
    pathOf(path),
    async (page) => {
      await page.locator("h1").waitFor();
      expect(await page.locator("h1").count()).toBe(1);
      for (const { colorScheme, viewport } of looks) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize(viewport);
        const at = `${colorScheme} at ${viewport.width}`;
        expect(await seriousFaults(page), at).toEqual([]);
        expect(await sidewaysScroll(page), at).toBeLessThanOrEqual(0);
      }
      for (const viewport of [phone, wide]) {
        await page.setViewportSize(viewport);
        expect(await unreachable(page), `${viewport.width} px wide`).toEqual([]);
      }
    },
    storageState ? { storageState } : {},
  );
});

test("the open command menu", { timeout: 60_000 }, async () => {
  await open(
    pathOf("/dashboard/o/:organizationId/p/:projectId"),
    async (page) => {
      for (const { colorScheme, viewport } of looks) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize(viewport);
        await page.keyboard.press("Control+k");
        await page.getByRole("dialog", { name: "Command menu" }).waitFor();
        const at = `${colorScheme} at ${viewport.width}`;
        expect(await seriousFaults(page), at).toEqual([]);
        expect(await sidewaysScroll(page), at).toBeLessThanOrEqual(0);
        await page.keyboard.press("Escape");
      }
    },
    { storageState: admin.storageState() },
  );
});

/** Returns the controls that can't be reached with the Tab key or don't show their focus. */
async function unreachable(page: Page): Promise<string[]> {
  await page.evaluate(`
    window.reached = new Map();
    window.wanted = [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']")]
      .filter((element) => element.checkVisibility({ visibilityProperty: true }) && element.type !== "hidden")
      // A group of radio buttons has one tab stop.
      .filter((element) => element.type !== "radio" || element.checked);
    addEventListener("focusin", ({ target }) => {
      const { outlineStyle } = getComputedStyle(target);
      if (outlineStyle !== "none") reached.set(target, outlineStyle);
    });
    document.activeElement.blur();`);
  // A date input has several tab stops.
  const count = (await page.evaluate(
    "wanted.length + 4 * wanted.filter(({ type }) => type === 'date').length",
  )) as number;
  for (let index = 0; index <= count + 2; index++) await page.keyboard.press("Tab");
  return page.evaluate(
    `wanted.filter((element) => (reached.get(element) ?? "none") === "none").map((element) => element.outerHTML.slice(0, 200))`,
  );
}
