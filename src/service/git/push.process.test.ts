/** Pushes to a project's own repository with the Git client, from the first commit to the live site. */

import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readdirSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newMember } from "../../../test/service/dashboard.ts";
import { docs, visit } from "../../../test/service/deploying.ts";
import { repositoryUrl, WorkingCopy } from "../../../test/service/git-client.ts";
import { type OpenTestService, openTestService } from "../../../test/service/open-test-service.ts";
import { newOrganization, type TestOrganization } from "../../../test/service/service.ts";
import { createDatabase } from "../../../test/shared/database.ts";
import { endpoints } from "../app/endpoints.ts";

let service: OpenTestService;
beforeAll(async () => {
  service = await openTestService({ databaseUrl: await createDatabase(), background: true });
});
afterAll(() => service.stop());

async function newProject() {
  const organization = await newOrganization(service);
  return { organization, url: repositoryUrl(service, organization, organization.key) };
}

const deploymentsOf = async ({ client, projectId }: TestOrganization) =>
  (await client(endpoints.listDeployments, { params: { projectId } })).deployments;
const hostOf = ({ subdomain }: TestOrganization) => `${subdomain}.localhost`;
const home = (text: string) => ({ "index.mdx": docs(text)["index.mdx"]! });

/** A page with an error on line 5, in an expression that isn't closed. */
const broken = home("Broken words {1 +\n");

describe("a push to the main branch", () => {
  test("deploys, and the terminal shows the URL of the live site", async () => {
    const { organization, url } = await newProject();
    const copy = await WorkingCopy.create(url);
    const first = await copy.commit(docs("Pushed words"), "First commit");
    const pushed = await copy.push();
    expect(pushed.output).toContain(`remote: Deploying ${first.slice(0, 7)}…`);
    expect(pushed.output).toContain(
      `remote: Live: http://${organization.subdomain}.localhost:${service.port}`,
    );
    expect(pushed.code).toBe(0);
    expect((await visit(service, hostOf(organization))).text).toContain("Pushed words");

    const other = await WorkingCopy.clone(url);
    expect(await other.head()).toBe(first);
    const second = await other.commit(home("Other words"), "Second commit");
    expect((await other.push()).output).toContain("remote: Live: ");
    expect((await visit(service, hostOf(organization))).text).toContain("Other words");
    const deployments = await deploymentsOf(organization);
    expect(deployments.map(({ commit, trigger }) => [commit?.sha, commit?.message, trigger])).toEqual([
      [second, "Second commit", "push"],
      [first, "First commit", "push"],
    ]);

    // A commit is deployed once.
    expect((await other.push()).output).toContain("Everything up-to-date");
    expect((await deploymentsOf(organization)).length).toBe(2);
  });

  test("with errors is accepted and not live, or live, or refused, as the project's settings say", async () => {
    const { organization, url } = await newProject();
    const { client, projectId } = organization;
    const copy = await WorkingCopy.create(url);
    await copy.commit(docs("Right words"));
    await copy.push();

    const held = await copy.commit(broken);
    const first = await copy.push();
    expect(first.output).toMatch(/remote: 1 error:\s*\n/);
    expect(first.output).toMatch(/remote: {3}index\.mdx:\d+: /);
    expect(first.output).toMatch(
      /remote: Not live, because the live site doesn't have these errors\. .*\/dashboard\//,
    );
    expect(first.code).toBe(0);
    expect((await visit(service, hostOf(organization))).text).toContain("Right words");
    expect(await WorkingCopy.clone(url).then((clone) => clone.head())).toBe(held);

    await client(endpoints.changeProject, { params: { projectId }, body: { publishWithErrors: false } });
    await copy.commit({ "other.mdx": "x" });
    const before = (await deploymentsOf(organization)).length;
    const refused = await copy.push();
    expect(refused.output).toMatch(/remote: {3}index\.mdx:\d+: /);
    expect(refused.output).toContain("remote: Not deployed, and the push was refused. Fix the errors");
    expect(refused.output).toContain("pre-receive hook declined");
    expect(refused.code).toBe(1);
    expect((await deploymentsOf(organization)).length).toBe(before);
    expect(await WorkingCopy.clone(url).then((clone) => clone.head())).toBe(held);

    await copy.commit(home("Fixed words"));
    expect((await copy.push()).output).toMatch(/remote: Checking \w{7}…[\s\S]*remote: Live: /);
    expect((await visit(service, hostOf(organization))).text).toContain("Fixed words");

    await client(endpoints.changeProject, { params: { projectId }, body: { publishWithErrors: true } });
    await copy.commit(broken);
    expect((await copy.push()).output).toMatch(/remote: 1 error:[\s\S]*remote: Live: /);
    expect((await visit(service, hostOf(organization))).text).toContain("Broken words");
  });

  test("without docs.json is accepted, and the terminal says why it isn't deployed", async () => {
    const { url } = await newProject();
    const copy = await WorkingCopy.create(url);
    await copy.commit({ "index.mdx": "Words" });
    const { code, output } = await copy.push();
    expect(output).toContain("remote: Not deployed: docs.json wasn't found");
    expect(code).toBe(0);
  });

  test("can't rewrite its history or delete it", async () => {
    const { url } = await newProject();
    const copy = await WorkingCopy.create(url);
    const first = await copy.commit(docs("One"));
    await copy.commit(home("Two"));
    await copy.push();
    await copy.git("reset", "--quiet", "--hard", first);
    await copy.commit(home("Three"));
    const forced = await copy.push("--force", "origin", "main");
    expect(forced.output).toContain("remote: The history of main can't be rewritten");
    const deleted = await copy.push("origin", ":main");
    expect(deleted.output).toContain("remote: main can't be deleted");
    expect([forced.code, deleted.code]).toEqual([1, 1]);
  });

  test("deploys the first branch of a repository, whatever its name is", async () => {
    const { organization, url } = await newProject();
    const copy = await WorkingCopy.create(url);
    await copy.git("checkout", "--quiet", "-b", "trunk");
    await copy.commit(docs("Words of the trunk"));
    expect((await copy.push()).output).toContain("remote: Live: ");
    expect((await visit(service, hostOf(organization))).text).toContain("Words of the trunk");
    const clone = await WorkingCopy.clone(url);
    expect((await clone.git("branch", "--show-current")).output.trim()).toBe("trunk");
    await copy.git("checkout", "--quiet", "-b", "main");
    await copy.commit(home("Words of a branch"));
    expect((await copy.push()).output).toContain("remote: Preview: ");
  });

  test("is in the audit log, with the commits and the key", async () => {
    const { organization, url } = await newProject();
    const copy = await WorkingCopy.create(url);
    const sha = await copy.commit(docs("Words"));
    await copy.push();
    await copy.push("origin", ":main");
    const { entries } = await organization.client(endpoints.listAudit, { query: { limit: 100 } });
    const pushes = entries.filter(({ action }) => action === "pushRepository");
    expect(pushes).toMatchObject([
      { outcome: "409", metadata: { reason: expect.stringContaining("can't be deleted") } },
      {
        outcome: "200",
        target: `/git/${organization.projectId}.git`,
        actor: expect.stringContaining(organization.keyId),
        metadata: { refs: [`refs/heads/main ${"0".repeat(40)} ${sha}`] },
      },
    ]);
  });
});

describe("a push to another branch", () => {
  test("creates a preview, which the deletion of the branch deletes", async () => {
    const { organization, url } = await newProject();
    const copy = await WorkingCopy.create(url);
    await copy.commit(docs("Main words"));
    await copy.push();
    await copy.git("checkout", "--quiet", "-b", "draft");
    await copy.commit(home("Draft words"));
    const pushed = await copy.push();
    const preview = /remote: Preview: (\S+)/.exec(pushed.output)![1]!;
    const { host } = new URL(preview);
    expect((await visit(service, host)).text).toContain("Draft words");
    expect((await visit(service, hostOf(organization))).text).toContain("Main words");

    const again = await organization.client(endpoints.preview, {
      params: { projectId: organization.projectId },
      body: { branch: "draft" },
    });
    expect(again.previewUrl).toBe(preview.replace(/\/$/, ""));

    expect((await copy.push("origin", ":draft")).code).toBe(0);
    await expect.poll(async () => (await visit(service, host)).status).toBe(404);
  });

  test("with many branches creates at most five previews", async () => {
    const { organization, url } = await newProject();
    const copy = await WorkingCopy.create(url);
    await copy.commit(docs("Words"));
    await copy.push();
    const names = Array.from({ length: 7 }, (_, index) => `b${index}`);
    for (const name of names) await copy.git("branch", name);
    const { code, output } = await copy.push("origin", ...names);
    expect(output.match(/No preview of b\d/g)).toHaveLength(2);
    expect(code).toBe(0);
    expect((await deploymentsOf(organization)).filter(({ branch }) => branch !== null)).toHaveLength(5);
  });

  test("of a tag deploys nothing", async () => {
    const { organization, url } = await newProject();
    const copy = await WorkingCopy.create(url);
    await copy.commit(docs("Words"));
    await copy.push();
    await copy.git("tag", "-a", "-m", "One", "v1");
    expect((await copy.push("origin", "v1")).code).toBe(0);
    expect((await deploymentsOf(organization)).length).toBe(1);
    const clone = await WorkingCopy.clone(url);
    expect((await clone.git("tag")).output.trim()).toBe("v1");
  });
});

test("a deployment that is requested builds the pushed commit", async () => {
  const { organization, url } = await newProject();
  const { client, projectId } = organization;
  const copy = await WorkingCopy.create(url);
  const sha = await copy.commit(docs("Words"));
  await copy.push();
  const { statusId } = await client(endpoints.update, { params: { projectId } });
  await expect
    .poll(async () => (await client(endpoints.getDeployment, { params: { id: statusId } })).liveState)
    .toBe("live");
  expect((await client(endpoints.getDeployment, { params: { id: statusId } })).commit?.sha).toBe(sha);
});

test("of 20 pushes at the same time, each is stored once or refused with a reason", async () => {
  const { organization, url } = await newProject();
  const first = await WorkingCopy.create(url);
  await first.commit(docs("Words"));
  await first.push();
  const copies = await Promise.all(Array.from({ length: 20 }, () => WorkingCopy.clone(url)));
  const pushed = await Promise.all(
    copies.map(async (copy, index) => {
      const sha = await copy.commit({ [`page-${index}.mdx`]: "Words" });
      // Half of them push to the same branch.
      return { index, sha, ...(await copy.push("origin", `HEAD:${index % 2 ? "main" : `branch-${index}`}`)) };
    }),
  );
  const accepted = pushed.filter(({ code }) => code === 0);
  for (const { output } of pushed.filter(({ code }) => code !== 0))
    expect(output).toMatch(/main was changed in the meantime|fetch first|cannot lock ref/);
  expect(accepted.filter(({ index }) => index % 2 === 1)).toHaveLength(1);
  expect(accepted.filter(({ index }) => index % 2 === 0)).toHaveLength(10);

  const clone = await WorkingCopy.clone(url);
  const { output } = await clone.git("ls-remote", "origin");
  for (const { sha } of accepted) expect(output).toContain(sha);
  expect((await clone.git("fsck", "--strict")).code).toBe(0);
  const deployed = (await deploymentsOf(organization)).map(({ commit }) => commit?.sha);
  expect(new Set(deployed).size).toBe(deployed.length);
});

test("the dashboard shows the clone URL and the commands, and no error for an empty repository", async () => {
  const { organization, url } = await newProject();
  const boss = await newMember(service, organization.id, "admin", "Boss");
  const project = `${boss.home}/p/${organization.projectId}`;
  expect((await boss.get(`${project}/settings`)).text).toContain(`${project}/settings/repository`);
  const shown = `http://localhost:${service.port}/git/${organization.subdomain}.git`;
  const empty = (await boss.get(`${project}/settings/repository`)).text;
  expect(empty).toContain(`git push ${shown} main`);
  expect(empty).toContain("Nothing was pushed yet");
  const isListed = async () => (await boss.get(project)).text.includes('settings">Connect a repository</a>');
  expect(await isListed()).toBe(true);
  expect(empty).toContain("Enter any user name and, as the password, an API key");
  const copy = await WorkingCopy.create(url);
  await copy.commit(docs("Words"));
  await copy.push();
  expect(await isListed()).toBe(false);
  const page = (await boss.get(`${project}/settings/repository`)).text;
  expect(page).toMatch(/Size<\/dt><dd[^>]*>[1-9][\d.]* (?:B|KB)</);
  expect(page).toContain(`git clone ${shown}`);
});

test("a pusher that disconnects during the check leaves nothing behind", async () => {
  const { organization, url } = await newProject();
  const { client, projectId } = organization;
  const copy = await WorkingCopy.create(url);
  await copy.commit(docs("Words"));
  await copy.push();
  await client(endpoints.changeProject, { params: { projectId }, body: { publishWithErrors: false } });
  const head = await copy.head();
  await copy.commit({ ...broken, "large.bin": randomBytes(5_000_000) });
  const pushing = spawn("git", ["push", "origin", "main"], { cwd: copy.folder, detached: true });
  await new Promise<void>((resolve) => {
    pushing.stderr.on("data", (chunk: Buffer) => {
      if (!chunk.toString().includes("Checking")) return;
      process.kill(-pushing.pid!, "SIGKILL");
      resolve();
    });
    pushing.once("exit", () => resolve());
  });

  const objects = path.join(service.dataFolder, `work/repositories/${projectId}.git/objects`);
  await expect.poll(() => readdirSync(objects).filter((name) => name.startsWith("tmp_"))).toEqual([]);
  await expect.poll(() => readdirSync(path.join(service.dataFolder, "work/pushes"))).toEqual([]);
  expect(await WorkingCopy.clone(url).then((clone) => clone.head())).toBe(head);
});
