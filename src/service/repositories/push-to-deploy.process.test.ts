/**
 * Push to deploy: webhook deliveries of each git host, forged and repeated ones, and polling. Real git over
 * http.
 */

import { request as httpRequest } from "node:http";
import path from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/engine/build.ts";
import { type Member, newMember } from "../../../test/service/dashboard.ts";
import { docs, visit } from "../../../test/service/deploying.ts";
import { commitFiles, startGitServer } from "../../../test/service/git-server.ts";
import {
  newOrganization,
  send,
  type TestOrganization,
  type TestService,
} from "../../../test/service/service.ts";
import {
  type Hook,
  hookOn,
  pushOf,
  type Sender,
  sendDelivery,
  senders,
  signedHeaders,
} from "../../../test/service/webhooks.ts";
import { createDatabase } from "../../../test/shared/database.ts";
import { openTestService } from "../../../test/shared/service.ts";

const root = temporaryFolder();
let git: Awaited<ReturnType<typeof startGitServer>>;
let service: TestService;
let database: Client;

beforeAll(async () => {
  git = await startGitServer(root, (request, response) => {
    // Repositories whose name begins with "private" need the token.
    const isPrivate = request.url!.startsWith("/private");
    const expected = `Basic ${Buffer.from("x-token-auth:canary-token").toString("base64")}`;
    if (!isPrivate || request.headers.authorization === expected) return true;
    response.writeHead(401, { "www-authenticate": "Basic" }).end();
    return false;
  });
  const databaseUrl = await createDatabase();
  service = await openTestService({ databaseUrl, env: { OCTAVO_GIT_ALLOW: "http private" } });
  database = new Client(databaseUrl);
  await database.connect();
}, 120_000);
afterAll(async () => {
  await database.end();
  await service.stop();
  await git.stop();
});

interface Team {
  organization: TestOrganization;
  admin: Member;
  /** Path of the project's pages. */
  project: string;
  host: string;
  repository: string;
  url: string;
  hook: Hook;
}

/** Creates a project with a repository in the dashboard, and waits until it is live. */
async function newTeam(
  name: string,
  { directory = "", values = {} }: { directory?: string; values?: Record<string, string> } = {},
): Promise<Team> {
  const organization = await newOrganization(service);
  const admin = await newMember(service, organization.id);
  const repository = path.join(root, name);
  const files = Object.entries(docs(`Begin ${name}`)).map(([file, text]) => [
    path.posix.join(directory, file),
    text,
  ]);
  commitFiles(repository, Object.fromEntries(files));
  const url = `http://127.0.0.1:${git.port}/${name}/.git`;
  const subdomain = `${organization.subdomain}-git`;
  const form = { name, subdomain, url, branch: "main", directory, ...values };
  const page = await admin.submit(`${admin.home}/projects`, form, { from: `${admin.home}/projects/new` });
  const [, project] = /^(.+)\/deployments\/[0-9A-Z]{26}\?done=project-created$/.exec(page.path)!;
  const hook = hookOn((await admin.get(`${project}/settings/repository`)).text);
  const team = {
    organization,
    admin,
    project: project!,
    host: `${subdomain}.localhost`,
    repository,
    url,
    hook,
  };
  await shows(team, `Begin ${name}`);
  return team;
}

const shows = ({ host }: Team, text: string) =>
  service.until(async () => (await visit(service, host)).text.includes(text));
const write = ({ repository }: Team, text: string, options = {}) =>
  commitFiles(repository, docs(text), { message: text, ...options });
const deliver = (
  team: Team,
  sender: Sender,
  push: Partial<Parameters<typeof pushOf>[1]> & { sha: string },
  more = {},
) => sendDelivery(service, team.hook, sender, pushOf(sender, { url: team.url, ...push }), more);

async function deploymentsOf({ project }: Team): Promise<{ sha: string; ref: string; trigger: string }[]> {
  const { rows } = await database.query(
    "select commit ->> 'sha' as sha, commit ->> 'ref' as ref, trigger from deployments where project_id = $1 order by number",
    [project.split("/").at(-1)],
  );
  return rows;
}

async function finishedOf({ project }: Team): Promise<number> {
  const query =
    "select count(*)::int as count from deployments where project_id = $1 and ended_at is not null";
  return (await database.query(query, [project.split("/").at(-1)])).rows[0].count as number;
}

describe("the status of a deployment has the files that the push changed", () => {
  const statusOf = async (team: Team) => {
    const [deployment] = (
      await team.organization.ask(`/v1/projects/${team.project.split("/").at(-1)}/deployments`)
    ).json.deployments;
    const status = await team.organization.ask(`/v1/project/update-status/${deployment.id}`);
    return { status: status.json, deployment };
  };

  test("of all its commits together", async () => {
    const team = await newTeam("private/changed", { values: { access: "token", token: "canary-token" } });
    const sha = write(team, "Changed");
    const { event, body } = pushOf("github", { url: team.url, sha });
    const commit = (added: string[], modified: string[], removed: string[]) => ({
      id: sha,
      added,
      modified,
      removed,
    });
    const commits = [
      commit(["new.mdx", "brief.mdx"], ["index.mdx"], ["old.mdx", "back.mdx"]),
      commit(["back.mdx"], ["new.mdx"], ["brief.mdx", "index.mdx"]),
    ];
    await sendDelivery(service, team.hook, "github", { event, body: { ...body, commits } });
    await shows(team, "Changed");
    const { status, deployment } = await statusOf(team);
    expect(status.commit).toEqual({
      ...deployment.commit,
      sha,
      filesChanged: { added: ["new.mdx"], modified: ["back.mdx"], removed: ["index.mdx", "old.mdx"] },
    });
    expect(Object.keys(deployment.commit)).toEqual(["sha", "ref", "message", "author"]);
  });

  test("null if the host doesn't list them, or lists too many", async () => {
    const team = await newTeam("private/unlisted", { values: { access: "token", token: "canary-token" } });
    await deliver(team, "bitbucket", { sha: write(team, "Unlisted") });
    await shows(team, "Unlisted");
    expect((await statusOf(team)).status.commit.filesChanged).toBeNull();

    const files = Array.from({ length: 501 }, (_, n) => `${n}.mdx`);
    await deliver(team, "github", { sha: write(team, "Many"), files });
    await shows(team, "Many");
    expect((await statusOf(team)).status.commit.filesChanged).toBeNull();
  });
});

test("pages and the sitemap have the dates of their last commits", async () => {
  const team = await newTeam("private/dated", { values: { access: "token", token: "canary-token" } });
  const sha = commitFiles(
    team.repository,
    docs("Dated", { "old.mdx": "Old" }, { metadata: { timestamp: true } }),
  );
  await deliver(team, "gitlab", { sha, files: ["docs.json"] });
  await shows(team, "Dated");
  expect((await visit(service, team.host, "/old")).text).toMatch(/<time datetime="2026-01-01/i);
  expect((await visit(service, team.host, "/sitemap.xml")).text).toContain("<lastmod>2026-01-01");
});

test("pages link to their files on the host that sends deliveries, if docs.json says so, without the token", async () => {
  const team = await newTeam("private/linked", {
    directory: "docs",
    values: { access: "token", token: "canary-token" },
  });
  const files = docs("Linked", {}, { feedback: { suggestEdit: true } });
  const inFolder = Object.fromEntries(Object.entries(files).map(([file, text]) => [`docs/${file}`, text]));
  await deliver(team, "gitlab", { sha: commitFiles(team.repository, inFolder), files: ["docs/index.mdx"] });
  await shows(team, "Linked");
  // The host is known from the next deployment on.
  await deliver(team, "gitlab", {
    sha: commitFiles(team.repository, { "docs/other.mdx": "Other" }),
    files: ["docs/other.mdx"],
  });
  await shows(team, `href="http://127.0.0.1:${git.port}/private/linked/-/edit/main/docs/index.mdx"`);
  expect((await visit(service, team.host)).text).not.toContain("canary-token");
});

describe("a project with a repository", () => {
  let team: Team;
  beforeAll(async () => {
    team = await newTeam("team-docs");
  });

  test.each(senders)("a push that %s delivers is live soon, at the pushed commit", async (sender) => {
    const sha = write(team, `Pushed by ${sender}`);
    const { status, json } = await deliver(team, sender, { sha });
    expect([status, json]).toEqual([200, { result: `Deploying ${sha.slice(0, 7)}` }]);
    await shows(team, `Pushed by ${sender}`);
    expect((await deploymentsOf(team)).at(-1)).toEqual({ sha, ref: "main", trigger: "push" });
    expect((await team.admin.get(`${team.project}/settings/repository`)).text).toContain("Webhook connected");
  });

  test("deliveries can arrive in any order: only the branch's latest commit goes live", async () => {
    const leaked = write(team, "A password by accident");
    const fixed = write(team, "Without the password");
    await deliver(team, "gitea", { sha: fixed });
    await shows(team, "Without the password");
    const before = (await deploymentsOf(team)).length;
    await deliver(team, "gitea", { sha: leaked });
    await service.until(async () => (await finishedOf(team)) === before + 1);
    expect((await visit(service, team.host)).text).toContain("Without the password");
    expect((await deploymentsOf(team)).at(-1)!.sha).toBe(fixed);
  });

  test("a commit that the server doesn't have any more: the branch is deployed", async () => {
    write(team, "Head of the branch");
    await deliver(team, "github", { sha: "2".repeat(40) });
    await shows(team, "Head of the branch");
  });

  test("a ping is answered, also as a form", async () => {
    const ping = { event: "ping", body: { zen: "Keep it logically awesome." } };
    expect((await sendDelivery(service, team.hook, "github", ping)).json).toEqual({
      result: "OK: the webhook works",
    });
    const text = new URLSearchParams({ payload: JSON.stringify(ping.body) }).toString();
    const headers = {
      ...signedHeaders("github", "ping", text, team.hook.secret),
      "content-type": "application/x-www-form-urlencoded",
    };
    const answer = await send({
      port: service.port,
      path: team.hook.path,
      method: "POST",
      body: text,
      headers,
    });
    expect([answer.status, answer.json]).toEqual([200, { result: "OK: the webhook works" }]);
  });

  test("deliveries that change nothing: other branches, tags, deleted branches, other events", async () => {
    const before = await deploymentsOf(team);
    const sha = write(team, "On a topic", { branch: "topic" });
    const result = async (answer: ReturnType<typeof deliver>) => (await answer).json.result;
    for (const sender of senders)
      expect(await result(deliver(team, sender, { sha, branch: "topic" }))).toBe(
        "Ignored: push to topic, but this project deploys main",
      );
    expect(await result(deliver(team, "github", { sha: "0".repeat(40) }))).toBe(
      "Ignored: the branch main was deleted",
    );
    const tag = {
      event: "push",
      body: { ref: "refs/tags/v1", after: sha, repository: { clone_url: team.url } },
    };
    expect((await sendDelivery(service, team.hook, "github", tag)).json.result).toMatch(/^Ignored/);
    expect(
      (await sendDelivery(service, team.hook, "github", { event: "star", body: {} })).json.result,
    ).toMatch(/^Ignored/);
    expect(await deploymentsOf(team)).toEqual(before);
  });

  test("forged deliveries get the same answer as an unknown project, change nothing, and are shown", async () => {
    const before = await deploymentsOf(team);
    const sha = write(team, "Forged");
    const answers = [];
    for (const sender of senders) {
      answers.push(
        await sendDelivery(
          service,
          { ...team.hook, secret: "wrong" },
          sender,
          pushOf(sender, { url: team.url, sha }),
        ),
      );
      const unknown = { ...team.hook, path: team.hook.path.replace(/[^/]+$/, "01ARZ3NDEKTSV4RRFFQ69G5FAV") };
      answers.push(await sendDelivery(service, unknown, sender, pushOf(sender, { url: team.url, sha })));
    }
    const { event, body } = pushOf("github", { url: team.url, sha });
    const signed = signedHeaders("github", event, JSON.stringify(body), team.hook.secret);
    const post = (text: string, headers: Record<string, string>) =>
      send({ port: service.port, path: team.hook.path, method: "POST", body: text, headers });
    // A changed body, another host's header, no signature, and no delivery id.
    answers.push(await post(JSON.stringify({ ...body, after: "3".repeat(40) }), signed));
    answers.push(
      await post(JSON.stringify(body), {
        ...signed,
        "x-gitlab-event": "Push Hook",
        "x-gitlab-event-uuid": "1",
      }),
    );
    for (const name of ["x-hub-signature-256", "x-github-delivery", "x-github-event"])
      answers.push(
        await post(
          JSON.stringify(body),
          Object.fromEntries(Object.entries(signed).filter(([key]) => key !== name)),
        ),
      );
    for (const { status, json } of answers)
      expect([status, json]).toEqual([
        403,
        { error: "Project not found, or the signature doesn't match its webhook secret" },
      ]);
    expect(await deploymentsOf(team)).toEqual(before);
    await service.until(async () =>
      (await team.admin.get(`${team.project}/settings/repository`)).text.includes("Rejected: the signature"),
    );
  });

  test("a repeated delivery is ignored, also with another id", async () => {
    const sha = write(team, "Once");
    const push = pushOf("github", { url: team.url, sha });
    expect((await sendDelivery(service, team.hook, "github", push, { id: "one" })).json.result).toMatch(
      /^Deploying/,
    );
    await shows(team, "Once");
    const before = await deploymentsOf(team);
    for (const id of ["one", "two"])
      expect((await sendDelivery(service, team.hook, "github", push, { id })).json.result).toBe(
        "Ignored: this delivery was already received",
      );
    expect(await deploymentsOf(team)).toEqual(before);
  });

  test("a delivery whose handling was interrupted is handled when it's sent again", async () => {
    const ping = { event: "ping", body: { after: "an interruption" } };
    expect((await sendDelivery(service, team.hook, "github", ping, { id: "interrupted" })).status).toBe(200);
    const interrupt = (age: string) =>
      database.query(
        "update webhook_deliveries set result = 'Received', at = now() - $1::interval where id = 'interrupted'",
        [age],
      );
    await interrupt("30 seconds");
    const early = await sendDelivery(service, team.hook, "github", ping, { id: "interrupted" });
    await interrupt("2 minutes");
    const late = await sendDelivery(service, team.hook, "github", ping, { id: "interrupted" });
    expect([early.json.result, late.json.result]).toEqual([
      "Ignored: this delivery was already received",
      "OK: the webhook works",
    ]);
  });

  test("a delivery about another repository, or another host, is refused", async () => {
    const before = await deploymentsOf(team);
    for (const url of ["https://github.com/team-docs/.git", `http://127.0.0.1:${git.port}/other/.git`, ""])
      for (const sender of senders) {
        const { status, json } = await deliver(team, sender, { sha: write(team, "Elsewhere"), url });
        expect([sender, status, json.error]).toEqual([
          sender,
          403,
          "Rejected: the delivery is for a different repository",
        ]);
      }
    expect(await deploymentsOf(team)).toEqual(before);
    expect((await team.admin.get(`${team.project}/settings/repository`)).text).toContain(
      "for a different repository",
    );
  });

  test("a body that is too large, or isn't JSON, is refused", async () => {
    const large = "x".repeat(6_000_000);
    const answer = await send({
      port: service.port,
      path: team.hook.path,
      method: "POST",
      body: large,
      headers: { "x-github-event": "push", "x-github-delivery": "large" },
    }).catch(() => undefined);
    expect([undefined, 413]).toContain(answer?.status);
    const headers = signedHeaders("github", "push", "{", team.hook.secret);
    expect(
      (await send({ port: service.port, path: team.hook.path, method: "POST", body: "{", headers })).status,
    ).toBe(400);
  });

  test("a body whose length is above the limit is refused before it's sent", async () => {
    const headers = { "x-github-event": "push", "x-github-delivery": "large", "content-length": 6_000_000 };
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const request = httpRequest(
        { port: service.port, path: team.hook.path, method: "POST", headers },
        (answer) => resolve(answer.statusCode),
      );
      request.on("error", reject);
      request.flushHeaders();
    });
    expect(status).toBe(413);
  });

  test.each([true, false])(
    "unfinished bodies of one sender fill little memory, and small deliveries still work (length known: %s)",
    async (isKnown) => {
      const part = Buffer.alloc(3_900_000, "x");
      const statuses: (number | undefined)[] = [];
      const requests = Array.from({ length: 12 }, () => {
        const headers = {
          "x-github-event": "push",
          "x-github-delivery": "x",
          "x-hub-signature-256": "sha256=0",
        };
        const length = isKnown ? { "content-length": 4_000_000 } : {};
        const request = httpRequest({
          port: service.port,
          path: team.hook.path,
          method: "POST",
          headers: { ...headers, ...length },
        });
        request.on("response", ({ statusCode }) => statuses.push(statusCode));
        request.on("error", () => {});
        request.write(part);
        return request;
      });
      // Three bodies of 4 MB are within the limit of 12 MB.
      await expect.poll(() => statuses.length, { timeout: 10_000 }).toBe(9);
      expect(new Set(statuses)).toEqual(new Set([429]));
      expect((await deliver(team, "github", { sha: "1".repeat(40), branch: "other" })).json.result).toContain(
        "Ignored",
      );
      for (const request of requests) request.destroy();
      // The memory is free again.
      const body = JSON.stringify({ isKnown, zen: "x".repeat(4_000_000) });
      const again = () =>
        send({
          port: service.port,
          path: team.hook.path,
          method: "POST",
          body,
          headers: signedHeaders("github", "ping", body, team.hook.secret),
        });
      await service.until(async () => (await again()).json.result === "OK: the webhook works");
    },
  );

  test("the body of a delivery without a git host's headers isn't read", async () => {
    const path = team.hook.path.replace(/[^/]+$/, "01ARZ3NDEKTSV4RRFFQ69G5FAV");
    for (const at of [path, team.hook.path]) {
      // Only the headers are sent, so that a server that waits for the body doesn't answer.
      const status = await new Promise<number | undefined>((resolve, reject) => {
        const request = httpRequest(
          { port: service.port, path: at, method: "POST", headers: { "content-length": 5_000_000 } },
          (answer) => resolve(answer.statusCode),
        );
        request.on("error", reject);
        request.flushHeaders();
      });
      expect(status).toBe(403);
    }
  });

  test("the log of deliveries is limited, and strangers don't push out its entries", async () => {
    const { status } = await sendDelivery(
      service,
      team.hook,
      "github",
      { event: "star", body: { only: "this" } },
      { id: "remembered" },
    );
    expect(status).toBe(200);
    for (let index = 0; index < 30; index++)
      await sendDelivery(service, { ...team.hook, secret: "wrong" }, "github", {
        event: "push",
        body: { index },
      });
    const projectId = team.project.split("/").at(-1);
    const query =
      "select count(*) filter (where body_hash is null)::int as refused, bool_or(id = 'remembered') as kept from webhook_deliveries where project_id = $1";
    const counts = async () =>
      (await database.query(query, [projectId])).rows[0] as { refused: number; kept: boolean };
    // Refused deliveries are recorded after the response.
    await service.until(async () => (await counts()).refused <= 20);
    expect((await counts()).kept).toBe(true);
  });

  test("after the secret is replaced, the old one is refused", async () => {
    const before = team.hook;
    const page = await team.admin.submit(
      `${team.project}/settings/repository/secret`,
      {},
      { from: `${team.project}/settings/repository` },
    );
    team.hook = hookOn(page.text);
    expect(team.hook.secret).not.toBe(before.secret);
    const ping = { event: "ping", body: { after: "replacing" } };
    expect((await sendDelivery(service, before, "github", ping)).status).toBe(403);
    expect((await sendDelivery(service, team.hook, "github", ping)).status).toBe(200);
  });
});

describe("a project in a folder of its repository", () => {
  let team: Team;
  beforeAll(async () => {
    team = await newTeam("monorepo", { directory: "website/docs" });
  });

  test.each(["github", "gitlab", "gitea"] as const)(
    "%s: only pushes that change the folder are deployed",
    async (sender) => {
      const sha = commitFiles(team.repository, {
        "website/docs/index.mdx": `---\ntitle: Home\n---\n\nInside ${sender}`,
      });
      const other = await deliver(team, sender, { sha, files: ["website/docs-other/x.mdx", "README.md"] });
      expect(other.json.result).toBe("Ignored: no files in the folder website/docs changed");
      expect(
        (await deliver(team, sender, { sha, files: ["README.md", "website/docs/index.mdx"] })).json.result,
      ).toMatch(/^Deploying/);
      await shows(team, `Inside ${sender}`);
    },
  );

  test("pushes whose files aren't listed completely are deployed", async () => {
    const sha = commitFiles(team.repository, {}, { message: "Incomplete" });
    const { event, body } = pushOf("gitlab", { url: team.url, sha, files: ["README.md"] });
    const answer = await sendDelivery(service, team.hook, "gitlab", {
      event,
      body: { ...body, total_commits_count: 21 },
    });
    expect(answer.json.result).toMatch(/^Deploying/);
    const forced = pushOf("github", {
      url: team.url,
      sha: commitFiles(team.repository, {}, { message: "Forced" }),
      files: ["README.md"],
    });
    expect(
      (
        await sendDelivery(service, team.hook, "github", {
          ...forced,
          body: { ...forced.body, forced: true },
        })
      ).json.result,
    ).toMatch(/^Deploying/);
  });
});

describe("a private repository", () => {
  test("with an access token, which appears nowhere", async () => {
    const team = await newTeam("private-docs", { values: { access: "token", token: "canary-token" } });
    const sha = write(team, "Secret words");
    await deliver(team, "gitlab", { sha });
    await shows(team, "Secret words");
    const projectId = team.project.split("/").at(-1)!;
    const { rows } = await database.query<{ name: string }>(
      "select table_name as name from information_schema.tables where table_schema = 'public'",
    );
    for (const { name } of rows) {
      const { rows: found } = await database.query(`select string_agg(t::text, ' ') as text from ${name} t`);
      expect(found[0].text ?? "", name).not.toContain("canary-token");
      expect(found[0].text ?? "", name).not.toContain(team.hook.secret);
    }
    const key = { headers: { authorization: `Bearer ${team.organization.key}` } };
    const pages = [
      `${team.project}/settings`,
      `${team.project}/settings/repository`,
      `${team.project}/deployments`,
    ].map((at) => team.admin.get(at));
    const answers = [
      send({ port: service.port, path: `/v1/projects/${projectId}`, ...key }),
      send({ port: service.port, path: "/v1/audit-log", ...key }),
      ...pages,
    ];
    for (const { text } of await Promise.all(answers)) expect(text).not.toContain("canary-token");
    expect(service.output()).not.toContain("canary-token");
    expect(service.output()).not.toContain(team.hook.secret);
  });

  test("a token isn't sent to another server", async () => {
    const team = await newTeam("private-2", { values: { access: "token", token: "canary-token" } });
    const settings = `${team.project}/settings`;
    const save = (url: string) =>
      team.admin.submit(`${settings}/source`, { kind: "git", url }, { from: settings });
    expect((await save(`http://127.0.0.1:${git.port}/private-docs/.git`)).text).toContain("Settings saved");
    expect((await save(`http://127.0.0.1:${git.port + 1}/private-docs/.git`)).text).toContain(
      "Enter an access token",
    );
  });
});

test("polling: new commits are deployed until the first delivery arrives", { timeout: 90_000 }, async () => {
  const team = await newTeam("polled");
  const projectId = team.project.split("/").at(-1);
  const due = () => database.query("update projects set next_poll_at = now() where id = $1", [projectId]);
  const next = async () =>
    (await database.query("select next_poll_at from projects where id = $1", [projectId])).rows[0]
      .next_poll_at as Date | null;
  const checked = async () =>
    service.until(async () => ((await next())?.getTime() ?? 0) > Date.now() + 500_000, 30_000);
  expect((await team.admin.get(`${team.project}/settings/repository`)).text).toContain("every 10 minutes");
  const count = (await deploymentsOf(team)).length;
  await due();
  await checked();
  expect((await deploymentsOf(team)).length).toBe(count);
  // A refused delivery doesn't end polling.
  const refused = await deliver(team, "github", {
    sha: "1".repeat(40),
    url: "https://github.com/acme/other.git",
  });
  expect([refused.status, await next()]).toEqual([403, expect.any(Date)]);
  write(team, "Found by polling");
  await due();
  await shows(team, "Found by polling");
  await checked();
  await deliver(team, "gitea", { sha: write(team, "Pushed") });
  expect(await next()).toBeNull();
});

test("a push that is refused because too many deployments are queued is made up for by a poll", {
  timeout: 90_000,
}, async () => {
  const team = await newTeam("crowded");
  const projectId = team.project.split("/").at(-1);
  await deliver(team, "github", { sha: write(team, "Known webhook") });
  await shows(team, "Known webhook");
  // Deployments without jobs, so that they stay in the queue.
  await database.query(
    `insert into deployments (id, organization_id, project_id, number, status, trigger, actor)
     select 'crowd' || n, organization_id, id, 1000 + n, 'queued', 'api', 'test' from projects, generate_series(1, 100) n where id = $1`,
    [projectId],
  );
  const refused = await deliver(team, "github", { sha: write(team, "After the crowd") });
  expect(refused.status).toBe(429);
  await database.query("delete from deployments where project_id = $1 and actor = 'test'", [projectId]);
  const { rows } = await database.query(
    "select next_poll_at - now() < interval '2 minutes' as soon from projects where id = $1",
    [projectId],
  );
  expect(rows).toEqual([{ soon: true }]);
  await database.query("update projects set next_poll_at = now() where id = $1", [projectId]);
  await shows(team, "After the crowd");
  await service.until(
    async () =>
      (await database.query("select next_poll_at from projects where id = $1", [projectId])).rows[0]
        .next_poll_at === null,
  );
});
