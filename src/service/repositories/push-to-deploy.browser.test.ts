/**
 * From an empty installation to a push that is live, in a browser: sign in, create a project, connect a
 * repository, push.
 */

import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { useChromium } from "../../../test/browser/chromium.ts";
import { temporaryFolder } from "../../../test/engine/build.ts";
import { firstLink, password } from "../../../test/service/dashboard.ts";
import { docs } from "../../../test/service/deploying.ts";
import { commitFiles, startGitServer } from "../../../test/service/git-server.ts";
import type { TestService } from "../../../test/service/service.ts";
import { hookOn, pushOf, sendDelivery } from "../../../test/service/webhooks.ts";
import { openTestService } from "../../../test/shared/service.ts";

const { open } = useChromium();
const root = temporaryFolder();
const repository = path.join(root, "team-docs");
let git: Awaited<ReturnType<typeof startGitServer>>;
let service: TestService;

beforeAll(async () => {
  git = await startGitServer(root);
  service = await openTestService({
    background: true,
    env: { OCTAVO_GIT_ALLOW: "http private", OCTAVO_DOCS: "" },
  });
}, 120_000);
afterAll(async () => {
  await service.stop();
  await git.stop();
});

test("a new installation shows a push in less than three minutes", { timeout: 180_000 }, async () => {
  commitFiles(repository, docs("First words"));
  const url = `http://127.0.0.1:${git.port}/team-docs/.git`;
  const started = performance.now();
  await open(await firstLink(service), async (page) => {
    await page.getByLabel("Email").fill("first@example.com");
    await page.getByLabel("Your name").fill("Ada First");
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Create account" }).click();
    await page.waitForURL(/\/dashboard\/o\//);
    const organization = /\/dashboard\/o\/[^/?]+/.exec(page.url())![0];

    await page.goto(`http://localhost:${service.port}${organization}/projects/new`);
    await page.getByLabel("Name", { exact: true }).fill("Acme");
    await page.getByLabel("Subdomain").fill("acme");
    await page.getByLabel("Repository URL").fill(url);
    await page.getByLabel("Branch").fill("trunk");
    await page.getByRole("button", { name: "Check connection" }).click();
    await page.getByText("The repository has no branch named trunk. Its default branch is main.").waitFor();
    await page.getByLabel("Branch").fill("main");
    await page.getByRole("button", { name: "Check connection" }).click();
    await page.getByText("Connected. Found docs.json").waitFor();
    await page.getByRole("button", { name: "Create project" }).click();
    await page.getByText("Project created.").waitFor();
    // The page's script follows the deployment.
    await page.getByRole("link", { name: "Visit site" }).click({ timeout: 60_000 });
    await page.getByText("First words").waitFor();
    const live_s = (performance.now() - started) / 1_000;
    await page.goBack();

    await page.goto(`${page.url().replace(/\/deployments.*/, "")}/settings/repository`);
    const hook = hookOn(await page.content());
    const sha = commitFiles(repository, docs("Words of a push"));
    const pushed = performance.now();
    expect((await sendDelivery(service, hook, "github", pushOf("github", { url, sha }))).status).toBe(200);
    await page.goto(`http://acme.localhost:${service.port}/`);
    const isShown = async () => {
      await page.reload();
      return page.getByText("Words of a push").count();
    };
    await expect.poll(isShown, { timeout: 60_000 }).toBe(1);
    console.log(
      `live after ${live_s.toFixed(1)} s, a push after ${((performance.now() - pushed) / 1_000).toFixed(1)} s`,
    );
    expect(performance.now() - started).toBeLessThan(180_000);
  });
});
