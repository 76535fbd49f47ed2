/** Deployments from git: the project's branch, and previews of other branches. */

import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/engine/build.ts";
import { type CliResult, runCli } from "../../../test/engine/run-cli.ts";
import { onEachDatabase } from "../../../test/service/databases.ts";
import { docs, ended, visit } from "../../../test/service/deploying.ts";
import { commitFiles, startGitServer } from "../../../test/service/git-server.ts";
import { hostileSources } from "../../../test/service/hostile-sources.ts";
import { newOrganization, type TestOrganization, type TestService } from "../../../test/service/service.ts";
import { endpoints } from "../app/endpoints.ts";

onEachDatabase("deployments from git", (start) => {
  const root = temporaryFolder();
  const repository = path.join(root, "team-docs");
  let server: Awaited<ReturnType<typeof startGitServer>>;
  let service: TestService;
  let organization: TestOrganization;
  let host = "";

  beforeAll(async () => {
    server = await startGitServer(root);
    service = await start();
    organization = await newOrganization(service);
    host = `${organization.subdomain}.localhost`;
    commitFiles(repository, docs("Main branch"), { message: "Begin the docs" });
    const source = { kind: "git", url: `http://127.0.0.1:${server.port}/team-docs/.git`, branch: "main" };
    await organization.client(endpoints.changeProject, {
      params: { projectId: organization.projectId },
      body: { source },
    });
  });
  afterAll(async () => {
    await service.stop();
    await server.stop();
  });

  const update = async () => {
    const { json } = await organization.ask(`/v1/project/update/${organization.projectId}`, {
      method: "POST",
    });
    return ended(organization, json.statusId);
  };
  const askPreview = (branch: string, { ask, projectId } = organization) =>
    ask(`/v1/project/preview/${projectId}`, {
      method: "POST",
      body: JSON.stringify({ branch }),
      headers: { "content-type": "application/json" },
    });
  const preview = async (branch: string) => {
    const { status, json } = await askPreview(branch);
    expect(status).toBe(202);
    return { deployment: await ended(organization, json.statusId), host: new URL(json.previewUrl).host };
  };

  test("the project's branch is deployed, and its commit is reported", async () => {
    const deployment = await update();
    expect(deployment).toMatchObject({
      status: "success",
      isLive: true,
      commit: {
        sha: expect.stringMatching(/^[0-9a-f]{40}$/),
        ref: "main",
        message: "Begin the docs",
        author: "Ann",
      },
    });
    await service.until(async () => (await visit(service, host)).text.includes("Main branch"));
    const told = await organization.ask(`/v1/project/update-status/${deployment.id}`);
    expect(told.json).toMatchObject({ author: { name: "Ann" }, commit: { ref: "main" } });
  });

  test("a deleted branch fails, and the site stays", async () => {
    const change = (branch: string) =>
      organization.client(endpoints.changeProject, {
        params: { projectId: organization.projectId },
        body: { source: { kind: "git", url: `http://127.0.0.1:${server.port}/team-docs/.git`, branch } },
      });
    await change("gone");
    expect(await update()).toMatchObject({
      status: "failure",
      summary: "The repository has no branch named gone",
    });
    await change("main");
    expect((await visit(service, host)).text).toContain("Main branch");
  });

  test("hostile sources are refused when they are set", async () => {
    // Protocols that the operator can allow are checked when the source is read.
    const rows = hostileSources("/tmp/marker").filter(([, { url }]) => !/^(?:http|ssh):\/\/[a-z@]/.test(url));
    expect(rows.length).toBeGreaterThan(40);
    for (const [name, source] of rows) {
      const answer = await organization.ask(`/v1/projects/${organization.projectId}`, {
        method: "PATCH",
        body: JSON.stringify({ source: { kind: "git", ...source } }),
        headers: { "content-type": "application/json" },
      });
      expect({ name, status: answer.status }).toEqual({ name, status: 400 });
      expect(answer.json.details.length, name).toBe(1);
    }
  });

  describe("previews", () => {
    test("have an unguessable host, are not indexed, and don't go live", async () => {
      commitFiles(repository, docs("Draft words"), { branch: "draft" });
      const { deployment, host: at } = await preview("draft");
      expect(deployment).toMatchObject({
        status: "success",
        isLive: false,
        branch: "draft",
        summary: "Ready",
      });
      expect(at).toMatch(
        new RegExp(`^${organization.subdomain}-preview-[0-9a-z]{16}\\.localhost:${service.port}$`),
      );
      await service.until(async () => (await visit(service, at)).status === 200);
      const page = await visit(service, at);
      expect(page.text).toContain("Draft words");
      expect(page.headers["x-robots-tag"]).toMatch(/noindex/);
      // Views of previews aren't counted.
      expect([
        page.text.includes("oCounting"),
        (await visit(service, host)).text.includes("oCounting"),
      ]).toEqual([false, true]);
      for (const read of [at, at, host]) await visit(service, read, "/", { "user-agent": "GPTBot/1.2" });
      const total = async () =>
        (await organization.ask(`/v1/analytics/${organization.projectId}/views`)).json.totals.total;
      // Polls once a second, because the analytics endpoints share a rate limit.
      await expect.poll(total, { interval: 1_000, timeout: 15_000 }).toBeGreaterThan(0);
      expect(await total()).toBe(1);
      expect((await visit(service, host)).text).toContain("Main branch");
      expect(
        await organization.ask(`/v1/deployments/${deployment.id}/rollback`, { method: "POST" }),
      ).toMatchObject({ status: 409 });
    });

    test("are replaced at the same host, and stay if the new one fails", async () => {
      const first = await preview("draft");
      commitFiles(repository, docs("Better words"), { branch: "draft" });
      const second = await preview("draft");
      expect(second.host).toBe(first.host);
      await service.until(async () => (await visit(service, first.host)).text.includes("Better words"));
      commitFiles(repository, { "docs.json": "{" }, { branch: "draft" });
      expect((await preview("draft")).deployment.status).toBe("failure");
      expect((await visit(service, first.host)).text).toContain("Better words");
    });

    test("are deployed by octavo deploy --preview, which prints the URL", async () => {
      commitFiles(repository, docs("Draft words"), { branch: "draft" });
      const env = { OCTAVO_URL: `http://localhost:${service.port}`, OCTAVO_API_KEY: organization.key };
      let result: CliResult | undefined;
      void runCli(["deploy", "--project", organization.projectId, "--preview", "draft"], env).then(
        (ended) => (result = ended),
      );
      await service.until(async () => result !== undefined);
      expect(result).toMatchObject({
        code: 0,
        out: expect.stringMatching(/^Ready: 1 page, no problems → http:\/\/.*-preview-\w{16}\./),
      });
      const withFolder = await runCli(
        ["deploy", "docs", "--project", organization.projectId, "--preview", "draft"],
        env,
      );
      expect(withFolder).toMatchObject({ code: 2, err: expect.stringMatching(/can't have a folder/) });
    });

    test("are not found after they were purged", async () => {
      commitFiles(repository, docs("Leaked words"), { branch: "leak" });
      const { deployment, host: at } = await preview("leak");
      await service.until(async () => (await visit(service, at)).status === 200);
      expect(await organization.ask(`/v1/deployments/${deployment.id}`, { method: "DELETE" })).toMatchObject({
        status: 204,
      });
      await service.until(async () => (await visit(service, at)).status === 404);
    });

    test("of a site with sign-in require sign-in", async () => {
      commitFiles(repository, docs("Protected words"), { branch: "protected" });
      await organization.client(endpoints.changeProject, {
        params: { projectId: organization.projectId },
        body: { signIn: { mode: "password", password: "correct horse" } },
      });
      // Sign-in is required immediately, before the next build.
      await service.until(
        async () => (await visit(service, host, "/", { accept: "text/html" })).status === 302,
      );
      const { host: at } = await preview("protected");
      await service.until(
        async () => (await visit(service, at, "/", { accept: "text/html" })).status === 302,
      );
      expect((await visit(service, at, "/index.md")).text).not.toContain("Protected words");
      await organization.client(endpoints.changeProject, {
        params: { projectId: organization.projectId },
        body: { signIn: { mode: "none" } },
      });
      await service.until(async () => (await visit(service, host)).status === 200);
    });

    test.each(["", "--upload-pack=x", "a..b", "refs/heads/x y", "HEAD", "#12"])(
      "of branch %j are refused",
      async (branch) => {
        // A new organization is needed because of the rate limit per organization.
        const other = await newOrganization(service);
        const source = { kind: "git", url: `https://s3cret-token@git.example.com/x.git`, branch: "main" };
        const project = await other.client(endpoints.changeProject, {
          params: { projectId: other.projectId },
          body: { source },
        });
        expect(JSON.stringify(project)).not.toContain("s3cret");
        expect((await askPreview(branch, other)).status).toBe(400);
      },
    );

    test("of a project without git are refused", async () => {
      const other = await newOrganization(service);
      const path = `/v1/project/preview/${other.projectId}`;
      const body = JSON.stringify({ branch: "main" });
      expect(
        await other.ask(path, { method: "POST", body, headers: { "content-type": "application/json" } }),
      ).toMatchObject({
        status: 409,
      });
    });
  });
});
