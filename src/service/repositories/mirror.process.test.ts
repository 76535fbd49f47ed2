/** A mirror: another Git server that gets the pushes to a project's own repository. */

import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/engine/build.ts";
import { type Member, newMember } from "../../../test/service/dashboard.ts";
import { docs } from "../../../test/service/deploying.ts";
import { repositoryUrl, WorkingCopy } from "../../../test/service/git-client.ts";
import { git, startGitServer } from "../../../test/service/git-server.ts";
import { type OpenTestService, openTestService } from "../../../test/service/open-test-service.ts";
import { newOrganization, type TestOrganization } from "../../../test/service/service.ts";
import { createDatabase } from "../../../test/shared/database.ts";
import { endpoints } from "../app/endpoints.ts";

const token = "canary-mirror-token";
const credentials = `Basic ${Buffer.from(`x-token-auth:${token}`).toString("base64")}`;
const root = temporaryFolder();
const seen: { url: string; authorization: string | undefined }[] = [];
let isDown = false;
let server: Awaited<ReturnType<typeof startGitServer>>;
let service: OpenTestService;
let organization: TestOrganization;
let mirror: string;
let copy: WorkingCopy;
let admin: Member | undefined;

beforeAll(async () => {
  server = await startGitServer(root, ({ headers, url }, response) => {
    seen.push({ url: url!, authorization: headers.authorization });
    if (isDown) response.writeHead(503).end();
    else if (headers.authorization !== credentials && !url!.startsWith("/public"))
      response.writeHead(401, { "www-authenticate": "Basic" }).end();
    else return true;
    return false;
  });
  service = await openTestService({
    databaseUrl: await createDatabase(),
    background: true,
    env: { OCTAVO_GIT_ALLOW: "http private" },
  });
});
afterAll(async () => {
  await service.stop();
  await server.stop();
});

beforeEach(async () => {
  isDown = false;
  admin = undefined;
  organization = await newOrganization(service);
  mirror = path.join(root, organization.subdomain);
  mkdirSync(mirror);
  git(mirror, ["init", "--quiet", "--bare", "--initial-branch=main"]);
  git(mirror, ["config", "http.receivepack", "true"]);
  copy = await WorkingCopy.create(repositoryUrl(service, organization, organization.key));
});

const urlOf = (name = organization.subdomain) => `http://127.0.0.1:${server.port}/${name}`;
const refs = () => git(mirror, ["for-each-ref", "--format=%(refname) %(objectname)"]).split("\n");

function setMirror(value: { url: string; token?: string } | null) {
  const { client, projectId } = organization;
  return client(endpoints.changeProject, { params: { projectId }, body: { mirror: value } });
}

/** Credentials of the requests for this mirror. */
const requested = () =>
  seen
    .filter(({ url }) => url.startsWith(`/${organization.subdomain}/`))
    .map(({ authorization }) => authorization);

async function repositoryPage(): Promise<string> {
  admin ??= await newMember(service, organization.id);
  return (await admin.get(`${admin.home}/p/${organization.projectId}/settings/repository`)).text;
}

describe("after each push", () => {
  test("it has the same branches and tags, also those that were moved or deleted", async () => {
    const first = await copy.commit(docs("First"));
    await copy.push();
    expect((await setMirror({ url: urlOf(), token })).mirror).toEqual({ url: urlOf() });
    await expect.poll(refs).toEqual([`refs/heads/main ${first}`]);
    expect(git(mirror, ["fsck", "--strict"])).toBe("");

    const second = await copy.commit(docs("Second"));
    await copy.git("branch", "draft");
    await copy.git("tag", "v1");
    await copy.git("push", "origin", "main", "draft", "v1");
    await expect
      .poll(refs)
      .toEqual([`refs/heads/draft ${second}`, `refs/heads/main ${second}`, `refs/tags/v1 ${second}`]);

    await copy.git("push", "origin", `+${first}:refs/heads/draft`);
    await expect.poll(refs).toContain(`refs/heads/draft ${first}`);
    await copy.git("push", "origin", ":draft");
    await expect.poll(refs).toEqual([`refs/heads/main ${second}`, `refs/tags/v1 ${second}`]);
    await expect.poll(repositoryPage).toContain("Up to date.");
  });

  test("it's updated when the server can be reached again, and the dashboard says why it wasn't", async () => {
    await setMirror({ url: urlOf(), token });
    isDown = true;
    const first = await copy.commit(docs("First"));
    expect((await copy.push()).output).toContain("Live: ");
    await expect.poll(repositoryPage, { timeout: 20_000 }).toContain("The last update failed: ");
    isDown = false;
    await setMirror({ url: urlOf() });
    await expect.poll(refs).toEqual([`refs/heads/main ${first}`]);
    await expect.poll(repositoryPage).not.toContain("The last update failed");
  });

  test("the dashboard says why the other server refused it", async () => {
    writeFileSync(path.join(mirror, "hooks", "pre-receive"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
    await setMirror({ url: urlOf(), token });
    await copy.commit(docs("First"));
    await copy.push();
    await expect
      .poll(repositoryPage, { timeout: 20_000 })
      .toContain("The last update failed: The server refused the push: pre-receive hook declined");
  });

  test("nothing is copied after the mirror was removed", async () => {
    await setMirror({ url: urlOf(), token });
    expect((await setMirror(null)).mirror).toBeNull();
    seen.length = 0;
    await copy.commit(docs("First"));
    expect((await copy.push()).code).toBe(0);
    expect(requested()).toEqual([]);
  });
});

describe("the token", () => {
  test("isn't shown, is stored encrypted, and is kept for the same server only", async () => {
    await setMirror({ url: urlOf(), token });
    expect(await repositoryPage()).not.toContain(token);
    const rows = await service.service.db.selectFrom("projects").select("mirror").execute();
    expect(JSON.stringify(rows)).not.toContain(token);

    const other = `http://localhost:${server.port}/${organization.subdomain}`;
    await copy.commit(docs("First"));
    await copy.push();
    seen.length = 0;
    await setMirror({ url: other });
    await expect.poll(() => requested().length).toBeGreaterThan(0);
    expect(requested()).not.toContain(credentials);
  });
});

describe("these are refused", () => {
  test.each([
    ["ssh://git@git.example.com/acme/docs.git", "must start with https://"],
    ["file:///srv/docs.git", "must start with https://"],
    ["https://user:secret@git.example.com/docs.git", "in its own field"],
    ["https://git.example.com", "has no path"],
    ["--upload-pack=touch", "must start with https://"],
  ])("%s", async (url, reason) => {
    const { ask, projectId } = organization;
    const answer = await ask(`/v1/projects/${projectId}`, {
      method: "PATCH",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ mirror: { url } }),
    });
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(reason)]);
  });

  test("a mirror of a project that is connected to a repository", async () => {
    const { client, projectId } = organization;
    await setMirror({ url: urlOf(), token });
    const source = { kind: "git" as const, url: urlOf("public"), branch: "main" };
    const changed = await client(endpoints.changeProject, { params: { projectId }, body: { source } });
    expect(changed.mirror).toBeNull();
    await expect(setMirror({ url: urlOf() })).rejects.toThrow();
  });

  test("hosts of the private network, and metadata services even if private hosts are allowed", async () => {
    await copy.commit(docs("First"));
    await copy.push();
    await setMirror({ url: "http://169.254.169.254/docs.git" });
    await expect
      .poll(repositoryPage, { timeout: 20_000 })
      .toMatch(/The last update failed: .*isn't allowed to call 169\.254\.169\.254/);
  });

  test("a viewer's change", async () => {
    const member = await newMember(service, organization.id, "editor");
    const page = `${member.home}/p/${organization.projectId}/settings/repository`;
    expect((await member.get(page)).status).not.toBe(200);
    const answer = await member.post(`${page}/mirror`, {
      _token: await member.token(`${member.home}`),
      url: urlOf(),
    });
    expect(answer.status).not.toBe(303);
  });
});
