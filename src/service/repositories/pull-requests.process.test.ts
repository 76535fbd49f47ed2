/** Previews of pull requests: a URL of their own, the commit's status, and one comment that is updated. */

import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/engine/build.ts";
import { type Member, newMember } from "../../../test/service/dashboard.ts";
import { docs, visit } from "../../../test/service/deploying.ts";
import { commitFiles, git, startGitServer } from "../../../test/service/git-server.ts";
import type { OpenTestService } from "../../../test/service/open-test-service.ts";
import { newOrganization } from "../../../test/service/service.ts";
import {
  type Hook,
  hookOn,
  type PullRequest,
  pullRequestOf,
  pushOf,
  sendDelivery,
} from "../../../test/service/webhooks.ts";
import { openTestService } from "../../../test/shared/service.ts";

interface Recorded {
  method: string;
  url: string;
  authorization: string | undefined;
  body: Record<string, unknown>;
}

const root = temporaryFolder();
let server: Awaited<ReturnType<typeof startGitServer>>;
let service: OpenTestService;
const recorded: Recorded[] = [];
/** Status with which the API answers. */
let apiStatus = 201;
const api = createServer(async (request, response) => {
  recorded.push({
    method: request.method!,
    url: request.url!,
    authorization: request.headers.authorization,
    body: await bodyOf(request),
  });
  response.writeHead(apiStatus, { "content-type": "application/json" }).end(JSON.stringify({ id: 4711 }));
});

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString());
}

beforeAll(async () => {
  await new Promise<void>((resolve) => api.listen(0, "127.0.0.1", resolve));
  server = await startGitServer(root);
  service = await openTestService({ env: { OCTAVO_GIT_ALLOW: "http private" } });
}, 120_000);
afterAll(async () => {
  await service.stop();
  await server.stop();
  api.close();
});
beforeEach(() => {
  recorded.length = 0;
  apiStatus = 201;
});

interface Team {
  admin: Member;
  project: string;
  host: string;
  repository: string;
  url: string;
  hook: Hook;
}

async function newTeam(name: string): Promise<Team> {
  const organization = await newOrganization(service);
  const admin = await newMember(service, organization.id);
  const repository = path.join(root, name);
  commitFiles(repository, docs("Main branch"));
  const url = `http://127.0.0.1:${server.port}/${name}/.git`;
  const subdomain = `${organization.subdomain}-pr`;
  const apiUrl = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
  const form = { name, subdomain, url, branch: "main", access: "token", token: "canary-api-token", apiUrl };
  const page = await admin.submit(`${admin.home}/projects`, form, { from: `${admin.home}/projects/new` });
  const [, project] = /^(.+)\/deployments\//.exec(page.path)!;
  const hook = hookOn((await admin.get(`${project}/settings/repository`)).text);
  const team = { admin, project: project!, host: `${subdomain}.localhost`, repository, url, hook };
  await service.until(async () => (await visit(service, team.host)).text.includes("Main branch"));
  return team;
}

/** Commits to a branch that only the ref of a pull request names, as for a fork. */
function commitToRequest({ repository }: Team, text: string, ref: string): string {
  const sha = commitFiles(repository, docs(text), { branch: "topic", message: text });
  git(repository, ["update-ref", ref, sha]);
  git(repository, ["checkout", "--quiet", "main"]);
  git(repository, ["branch", "--quiet", "-D", "topic"]);
  return sha;
}

const isStatus = ({ url }: Recorded) => url.includes("/statuses/");
const previewUrl = async ({ admin, project }: Team) =>
  /href="(http:\/\/[^"]*-preview-[^"]*)"/.exec(
    (await admin.get((await newest({ admin, project })).path)).text,
  )?.[1];
async function newest({ admin, project }: Pick<Team, "admin" | "project">) {
  const id = /deployments\/([0-9A-Z]{26})"/.exec((await admin.get(`${project}/deployments`)).text)![1]!;
  return { id, path: `${project}/deployments/${id}` };
}

describe.each([
  {
    sender: "github",
    ref: "refs/pull/12/head",
    comments: "/repos/NAME/issues/12/comments",
    update: "PATCH /repos/NAME/issues/comments/4711",
  },
  {
    sender: "gitea",
    ref: "refs/pull/12/head",
    comments: "/repos/NAME/issues/12/comments",
    update: "PATCH /repos/NAME/issues/comments/4711",
  },
  {
    sender: "gitlab",
    ref: "refs/merge-requests/12/head",
    comments: "/projects/NAME/merge_requests/12/notes",
    update: "PUT /projects/NAME/merge_requests/12/notes/4711",
  },
] as const)("pull requests of $sender", ({ sender, ref, comments, update }) => {
  const name = `docs-of-${sender}`;
  let team: Team;
  beforeAll(async () => {
    team = await newTeam(name);
  });
  const deliver = (request: Pick<PullRequest, "action" | "sha"> & Partial<PullRequest>) =>
    sendDelivery(
      service,
      team.hook,
      sender,
      pullRequestOf(sender, { url: team.url, number: 12, ...request }),
    );
  const named = (text: string) => text.replace("NAME", name);

  test("a preview has its own URL, a status and one comment, and is removed when the request is closed", async () => {
    const first = commitToRequest(team, "First try", ref);
    expect((await deliver({ action: "opened", sha: first })).json.result).toBe(
      `Previewing #12 at ${first.slice(0, 7)}`,
    );
    await service.until(async () => (await previewUrl(team)) !== undefined);
    const preview = (await previewUrl(team))!;
    expect(new URL(preview).host).toMatch(/-preview-[0-9a-z]{16}\.localhost/);
    await service.until(async () => (await visit(service, new URL(preview).host)).text.includes("First try"));
    expect((await visit(service, team.host)).text).toContain("Main branch");
    expect((await team.admin.get(`${team.project}/deployments`)).text).toContain("Pull request #12");

    await service.until(async () => recorded.some(({ body }) => String(body.body).includes(preview)));
    expect(recorded.every(({ authorization }) => authorization === "Bearer canary-api-token")).toBe(true);
    const statuses = recorded.filter(isStatus);
    expect(statuses[0]!.url).toBe(`/${sender === "gitlab" ? "projects" : "repos"}/${name}/statuses/${first}`);
    expect(statuses.map(({ body }) => body.state)).toEqual([
      sender === "gitlab" ? "running" : "pending",
      "success",
    ]);
    expect(statuses.at(-1)!.body.target_url).toBe(preview);
    expect(
      recorded.filter((request) => !isStatus(request)).map(({ method, url }) => `${method} ${url}`),
    ).toEqual([`POST ${named(comments)}`, named(update)]);

    recorded.length = 0;
    const second = commitToRequest(team, "Second try", ref);
    await deliver({ action: "updated", sha: second });
    await service.until(async () =>
      (await visit(service, new URL(preview).host)).text.includes("Second try"),
    );
    await service.until(async () =>
      recorded.some(({ body }) => String(body.body).includes(`of ${second.slice(0, 7)}: ${preview}`)),
    );
    expect(
      new Set(recorded.filter((request) => !isStatus(request)).map(({ method, url }) => `${method} ${url}`)),
    ).toEqual(new Set([named(update)]));

    const closed = await deliver({ action: "closed", sha: second });
    expect(closed.json.result).toBe("Removed the preview of #12");
    await service.until(async () => (await visit(service, new URL(preview).host)).status === 404);
    expect(service.output()).not.toContain("canary-api-token");
  });

  test("requests for another branch, and changes without commits, get no preview", async () => {
    const sha = commitToRequest(team, "Elsewhere", ref);
    expect((await deliver({ action: "opened", sha, branch: "release" })).json.result).toBe(
      "Ignored: #12 targets release, but this project deploys main",
    );
    const { event, body } = pullRequestOf(sender, { url: team.url, number: 12, sha, action: "updated" });
    const edited =
      sender === "gitlab"
        ? {
            object_attributes: {
              ...(body as { object_attributes: object }).object_attributes,
              oldrev: undefined,
            },
          }
        : { action: "edited" };
    const answer = await sendDelivery(service, team.hook, sender, { event, body: { ...body, ...edited } });
    expect(answer.json.result).toMatch(/^Ignored: nothing to deploy/);
  });

  test("a preview that fails is reported with its reason", async () => {
    const sha = commitFiles(team.repository, { "docs.json": "{ `not json" }, { branch: "broken" });
    git(team.repository, ["update-ref", ref, sha]);
    await deliver({ action: "opened", sha });
    await service.until(async () =>
      recorded.some(({ body }) => String(body.body).includes("failed: `docs.json can't be read")),
    );
    const status = recorded.filter(isStatus).at(-1)!;
    expect([status.body.state, String(status.body.target_url)]).toEqual([
      sender === "gitlab" ? "failed" : "failure",
      expect.stringContaining((await newest(team)).path),
    ]);
  });
});

test("a fork gets no preview if builds can reach internal hosts", async () => {
  const guarded = await openTestService({
    env: { OCTAVO_GIT_ALLOW: "http private", OCTAVO_OUTBOUND_ALLOW: "docs.internal.example" },
  });
  try {
    const organization = await newOrganization(guarded);
    const admin = await newMember(guarded, organization.id);
    commitFiles(path.join(root, "guarded"), docs("Main branch"));
    const url = `http://127.0.0.1:${server.port}/guarded/.git`;
    const form = { name: "guarded", subdomain: `${organization.subdomain}-fork`, url, branch: "main" };
    const page = await admin.submit(`${admin.home}/projects`, form, { from: `${admin.home}/projects/new` });
    const hook = hookOn(
      (await admin.get(page.path.replace(/\/deployments\/.*/, "/settings/repository"))).text,
    );
    const { event, body } = pullRequestOf("gitlab", {
      url,
      number: 3,
      sha: "3".repeat(40),
      action: "opened",
    });
    const attributes = { ...(body as { object_attributes: object }).object_attributes, source_project_id: 2 };
    const answer = await sendDelivery(guarded, hook, "gitlab", {
      event,
      body: { ...body, object_attributes: attributes },
    });
    expect(answer.json.result).toBe(
      "Ignored: #3 comes from a fork, and builds on this service can reach internal hosts",
    );
  } finally {
    await guarded.stop();
  }
});

test("a push with new errors gets a failed status until it is published", async () => {
  const team = await newTeam("new-errors");
  const broken = { ...docs("Bad branch"), "index.mdx": "---\ntitle: Home\n---\n\n<Note>\nBad branch" };
  const sha = commitFiles(team.repository, broken);
  await sendDelivery(service, team.hook, "github", pushOf("github", { url: team.url, sha }));
  const last = () => recorded.findLast((request) => isStatus(request) && request.url.endsWith(sha))?.body;
  await service.until(async () => last()?.state === "failure");
  const { path: page } = await newest(team);
  expect(last()).toMatchObject({
    description: "Held: 1 new error. The live site didn't change.",
    target_url: expect.stringContaining(page),
  });
  await team.admin.submit(`${page}/rollback`, {}, { from: page });
  await service.until(async () => last()?.state === "success");
  expect(last()).toMatchObject({ description: "Live, with 1 error" });
});

test("a status that the host refuses doesn't fail the deployment, and is shown", async () => {
  const team = await newTeam("refused");
  apiStatus = 403;
  const sha = commitFiles(team.repository, docs("Live anyway"));
  await sendDelivery(service, team.hook, "github", pushOf("github", { url: team.url, sha }));
  await service.until(async () => (await visit(service, team.host)).text.includes("Live anyway"));
  await service.until(async () => (await team.admin.get((await newest(team)).path)).text.includes("Couldn"));
  const { text } = await team.admin.get((await newest(team)).path);
  expect(text).toContain("The access token needs write access to commit statuses and pull requests (403).");
  expect(text).not.toContain("canary-api-token");
});

test("an API at a metadata service, or a private one without the operator's permission, is never called", async () => {
  const team = await newTeam("metadata");
  const settings = `${team.project}/settings`;
  // A stored token isn't used for a new API host, so the token is entered again.
  const form = { kind: "git", apiUrl: "http://169.254.169.254/latest", token: "canary-api-token" };
  await team.admin.submit(`${settings}/source`, form, { from: settings });
  const sha = commitFiles(team.repository, docs("Live anyway"));
  await sendDelivery(service, team.hook, "github", pushOf("github", { url: team.url, sha }));
  await service.until(async () =>
    (await team.admin.get((await newest(team)).path)).text.includes("Request blocked"),
  );
  await service.until(async () => (await visit(service, team.host)).text.includes("Live anyway"));
});

test("pushes to the request of a fork share one waiting build, and don't delay the team's deployments", {
  timeout: 120_000,
}, async () => {
  const team = await newTeam("flooded");
  commitToRequest(team, "By a stranger", "refs/pull/7/head");
  for (let index = 1; index <= 110; index++) {
    const sha = index.toString(16).padStart(40, "a");
    const event = pullRequestOf("github", {
      url: team.url,
      number: 7,
      sha,
      action: index === 1 ? "opened" : "updated",
    });
    expect((await sendDelivery(service, team.hook, "github", event)).status).toBe(200);
  }
  const began = Date.now();
  const sha = commitFiles(team.repository, docs("By the team"));
  expect(
    (await sendDelivery(service, team.hook, "github", pushOf("github", { url: team.url, sha }))).status,
  ).toBe(200);
  await service.until(async () => (await visit(service, team.host)).text.includes("By the team"));
  expect(Date.now() - began).toBeLessThan(20_000);
  const list = (await team.admin.get(`${team.project}/deployments`)).text;
  expect([...list.matchAll(/Pull request #7/g)].length).toBeLessThan(50);
  expect([...list.matchAll(/Queued/g)].length).toBeLessThanOrEqual(1);
});

test("several pull requests wait for each other, and the team's deployment doesn't wait for them", {
  timeout: 120_000,
}, async () => {
  const team = await newTeam("popular");
  const requests = [1, 2, 3, 4, 5];
  for (const number of requests) {
    const sha = commitToRequest(team, `Request ${number}`, `refs/pull/${number}/head`);
    const event = pullRequestOf("github", { url: team.url, number, sha, action: "opened" });
    expect((await sendDelivery(service, team.hook, "github", event)).status).toBe(200);
  }
  const sha = commitFiles(team.repository, docs("By the team"));
  expect(
    (await sendDelivery(service, team.hook, "github", pushOf("github", { url: team.url, sha }))).status,
  ).toBe(200);
  await service.until(async () => (await unfinished(team)) === 0);
  const started = await service.service.db
    .selectFrom("deployments")
    .select("trigger")
    .where("project_id", "=", projectOf(team))
    .where("trigger", "in", ["push", "pull-request"])
    .orderBy("started_at")
    .execute();
  expect(started).toHaveLength(requests.length + 1);
  expect(started.findIndex(({ trigger }) => trigger === "push")).toBeLessThan(2);
});

test("pull requests can't use the last part of the storage", async () => {
  const team = await newTeam("almost-full");
  await service.service.db
    .updateTable("organizations")
    .set({ stored_bytes: service.service.settings.storageLimit_bytes * 0.95 })
    .where("id", "=", (query) =>
      query.selectFrom("projects").select("organization_id").where("id", "=", projectOf(team)),
    )
    .execute();
  const sha = commitToRequest(team, "By a stranger", "refs/pull/1/head");
  const event = pullRequestOf("github", { url: team.url, number: 1, sha, action: "opened" });
  expect((await sendDelivery(service, team.hook, "github", event)).status).toBe(409);
  const pushed = commitFiles(team.repository, docs("By the team"));
  expect(
    (await sendDelivery(service, team.hook, "github", pushOf("github", { url: team.url, sha: pushed })))
      .status,
  ).toBe(200);
});

function projectOf({ project }: Team): string {
  return project.split("/").at(-1)!;
}

async function unfinished(team: Team): Promise<number> {
  const rows = await service.service.db
    .selectFrom("deployments")
    .select("id")
    .where("project_id", "=", projectOf(team))
    .where("status", "in", ["queued", "in_progress"])
    .execute();
  return rows.length;
}
