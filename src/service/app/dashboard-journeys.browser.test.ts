/** What members do in the dashboard: first site, roles, domains, passwords, previews, and bundles. */

import { writeFileSync } from "node:fs";
import path from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { downloadedBytes, phone, useChromium } from "../../../test/browser/chromium.ts";
import { temporaryFolder, writeFiles } from "../../../test/engine/build.ts";
import { runCli } from "../../../test/engine/run-cli.ts";
import { firstLink, type Member, newMember, password } from "../../../test/service/dashboard.ts";
import { deploy, docs, visit } from "../../../test/service/deploying.ts";
import { commitFiles, startGitServer } from "../../../test/service/git-server.ts";
import { startMailServer } from "../../../test/service/mail-server.ts";
import { newOrganization, type TestOrganization, type TestService } from "../../../test/service/service.ts";
import { until } from "../../../test/service/until.ts";
import { openTestService } from "../../../test/shared/service.ts";
import { endpoints } from "./endpoints.ts";

const { open } = useChromium();
const work = temporaryFolder();
let mail: Awaited<ReturnType<typeof startMailServer>>;
let git: Awaited<ReturnType<typeof startGitServer>>;
let service: TestService;
let organization: TestOrganization;
let admin: Member;
let base: string;
let project: string;

beforeAll(async () => {
  mail = await startMailServer();
  git = await startGitServer(work);
  service = await openTestService({
    background: true,
    env: {
      OCTAVO_SMTP_URL: mail.url,
      OCTAVO_MAIL_FROM: "Octavo <docs@example.com>",
      OCTAVO_GIT_ALLOW: "http,private",
    },
  });
  organization = await newOrganization(service);
  admin = await newMember(service, organization.id, "admin");
  base = `http://localhost:${service.port}`;
  project = `${base}${admin.home}/p/${organization.projectId}`;
});
afterAll(async () => {
  await service.stop();
  await git.stop();
  await mail.stop();
});

const heading = (page: Page, name: string | RegExp) =>
  page.getByRole("heading", { level: 1, name }).waitFor();

async function signIn(page: Page, email: string, secret: string): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(secret);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

test("from the link of the first start to the first own site", () => {
  const folder = path.join(work, "handbook");
  writeFiles(folder, docs("Our own first words"));
  return firstLink(service).then((link) =>
    open(link, async (page) => {
      await page.getByLabel("Organization").fill("Fern House");
      await page.getByLabel("Email").fill("founder@example.com");
      await page.getByLabel("Your name").fill("Fern");
      await page.getByLabel("Password").fill(password);
      await page.getByRole("button", { name: "Create account" }).click();
      await page.getByText("Your organization is ready").waitFor();
      await page.getByRole("link", { name: "New project" }).click();
      await page.getByLabel("Name", { exact: true }).fill("Handbook");
      await page.getByLabel("Subdomain").fill("fern-handbook");
      await page.getByRole("button", { name: "Create project" }).click();
      await heading(page, "Handbook");
      await page.getByRole("link", { name: "Deployments", exact: true }).click();
      await page.getByLabel("Choose folder").setInputFiles(folder);
      await page.waitForURL(/done=deployment-started/);
      await page.getByRole("link", { name: "Visit site" }).click();
      await page.waitForURL(`http://fern-handbook.localhost:${service.port}/`);
      await page.getByText("Our own first words").waitFor();
    }),
  );
});

test("a member's new role applies to the next page", async () => {
  const member = await newMember(service, organization.id, "viewer", "Ro");
  const settings = `${project}/settings`;
  await open(
    settings,
    async (page, complaints) => {
      await heading(page, "Access denied");
      complaints.list.length = 0;
      await open(
        `${base}${admin.home}/members`,
        async (other) => {
          await other.getByRole("link", { name: "Change Ro" }).click();
          await other.getByRole("radio", { name: "Editor" }).check();
          await other.getByRole("button", { name: "Save" }).click();
          await other.getByRole("row", { name: /Ro .*Editor/ }).waitFor();
        },
        { storageState: admin.storageState() },
      );
      await page.goto(`${project}/deployments`);
      await page.getByText("Choose folder").waitFor();
    },
    { storageState: member.storageState() },
  );
});

test("a domain is added, verified by the operator, shown, and removed after confirmation", async () => {
  const name = `docs.${organization.subdomain}.invalid`;
  await open(
    `${project}/domains`,
    async (page, complaints) => {
      const card = page.getByRole("region", { name });
      await page.getByLabel("Domain").fill(name);
      await page.getByRole("button", { name: "Add domain" }).click();
      await card.getByText("Pending verification").waitFor();
      await card.getByText(`_octavo.${name}`).first().waitFor();
      await card.getByRole("button", { name: `Verify ${name}` }).click();
      await page.getByText(`We couldn't find a TXT record for _octavo.${name}`).waitFor();
      complaints.list = complaints.list.filter((line) => !line.includes("409"));

      const params = { projectId: organization.projectId };
      await service.operator(endpoints.addOperatorDomain, { params, body: { domain: name } });
      await page.goto(`${project}/domains`);
      await card.getByText("Verified", { exact: true }).waitFor();

      await card.getByRole("link", { name: `Remove ${name}` }).click();
      await page.getByLabel(`Type ${name} to confirm`).fill(name);
      await page.getByRole("button", { name: "Remove domain" }).click();
      await page.waitForURL(/done=domain-removed/);
      expect(await card.count()).toBe(0);
    },
    { storageState: admin.storageState() },
  );
});

test("a forgotten password is replaced with the emailed link", async () => {
  const member = await newMember(service, organization.id, "viewer", "Fo");
  await open(`${base}/dashboard/sign-in`, async (page) => {
    await page.getByRole("link", { name: "Forgot your password?" }).click();
    await page.getByLabel("Email").fill(member.email);
    await page.getByRole("button", { name: "Send reset link" }).click();
    await page.getByText("we've sent a reset link").waitFor();
    const email = () => mail.received.find(({ to }) => to.includes(member.email));
    await until(async () => email() !== undefined);
    await page.goto(/http:\/\/\S+\/reset-password\/[\w-]+/.exec(email()!.text)![0]);
    await page.getByLabel("New password").fill("a different sentence");
    await page.getByRole("button", { name: "Set password" }).click();
    await page.getByText("Sign in with your new password").waitFor();
    await signIn(page, member.email, "a different sentence");
    await page.getByRole("link", { name: "API keys" }).waitFor();
  });
});

test("a preview of a branch is built, and its link opens the branch's pages, not the site's", async () => {
  const repository = path.join(work, "team-docs");
  commitFiles(repository, docs("Main words"), { message: "Begin" });
  commitFiles(repository, docs("Draft words"), { branch: "draft" });
  const team = await newOrganization(service);
  const member = await newMember(service, team.id, "editor", "Pre");
  await team.client(endpoints.changeProject, {
    params: { projectId: team.projectId },
    body: { source: { kind: "git", url: `http://127.0.0.1:${git.port}/team-docs/.git`, branch: "main" } },
  });
  await open(
    `${base}${member.home}/p/${team.projectId}/deployments`,
    async (page) => {
      await page.getByLabel("Branch").fill("draft");
      await page.getByRole("button", { name: "Create preview" }).click();
      await page.getByRole("link", { name: "Visit preview" }).click();
      await page.getByText("Draft words").waitFor();
      expect(new URL(page.url()).hostname).toMatch(
        new RegExp(`^${team.subdomain}-preview-[0-9a-z]{16}\\.localhost$`),
      );
      expect((await visit(service, `${team.subdomain}.localhost`)).text).not.toContain("Draft words");
    },
    { storageState: member.storageState(), viewport: phone },
  );
});

test("a downloaded bundle passes octavo verify, and a changed one doesn't", async () => {
  await deploy(organization, docs("Exported words"));
  const archive = path.join(work, "bundle.tar.gz");
  await open(
    `${project}/exports`,
    async (page) => {
      await page.getByRole("button", { name: "Create export" }).click();
      const download = page.getByRole("link", { name: "Download" });
      await download.waitFor({ timeout: 60_000 });
      const [file] = await Promise.all([page.waitForEvent("download"), download.click()]);
      writeFileSync(archive, await downloadedBytes(file));
      // A line that is too long for its box fades out until its end is in view.
      const fades = () =>
        page.locator(".d-snippet pre").evaluateAll((boxes) =>
          boxes.map((box) => {
            const isLong = box.scrollWidth > box.clientWidth;
            return [isLong, getComputedStyle(box).getPropertyValue("--d-code-fade") !== "0px"];
          }),
        );
      expect((await fades()).filter(([isLong, isFaded]) => isLong !== isFaded)).toEqual([]);
      expect((await fades()).some(([isLong]) => isLong)).toBe(true);
    },
    { storageState: admin.storageState(), acceptDownloads: true },
  );
  expect((await runCli(["verify", archive])).code).toBe(0);
  expect(
    (
      await runCli([
        "verify",
        archive,
        "--source",
        writeFiles(path.join(work, "source"), docs("Exported words")),
      ])
    ).code,
  ).toBe(0);
  const other = writeFiles(path.join(work, "other"), docs("Other words"));
  expect(await runCli(["verify", archive, "--source", other])).toMatchObject({ code: 1 });
});
