/**
 * Connecting a repository in the dashboard: the check of the connection, access tokens, and SSH deploy keys.
 */

import path from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/engine/build.ts";
import { type DashboardPage, type Member, newMember } from "../../../test/service/dashboard.ts";
import { docs, visit } from "../../../test/service/deploying.ts";
import { commitFiles, startGitServer } from "../../../test/service/git-server.ts";
import { newOrganization, type TestService } from "../../../test/service/service.ts";
import { hasSshServer, startSshServer } from "../../../test/service/ssh-server.ts";
import { createDatabase } from "../../../test/shared/database.ts";
import { openTestService } from "../../../test/shared/service.ts";

const root = temporaryFolder();
const repository = path.join(root, "team-docs");
let git: Awaited<ReturnType<typeof startGitServer>>;
let service: TestService;
let databaseUrl: string;
let admin: Member;
let subdomain: string;

beforeAll(async () => {
  git = await startGitServer(root, (request, response) => {
    const isPrivate = request.url!.startsWith("/private");
    const isKnown =
      request.headers.authorization ===
      `Basic ${Buffer.from("x-token-auth:canary-token").toString("base64")}`;
    if (!isPrivate || isKnown) return true;
    response.writeHead(401, { "www-authenticate": "Basic" }).end();
    return false;
  });
  for (const name of ["team-docs", "private-docs"])
    commitFiles(path.join(root, name), { ...docs("Connected"), "README.md": "x", "website/docs.json": "{}" });
  databaseUrl = await createDatabase();
  service = await openTestService({ databaseUrl, env: { OCTAVO_GIT_ALLOW: "http private" } });
  const organization = await newOrganization(service);
  subdomain = organization.subdomain;
  admin = await newMember(service, organization.id);
}, 120_000);
afterAll(async () => {
  await service.stop();
  await git.stop();
});

const newProject = () => `${admin.home}/projects/new`;
const url = (name = "team-docs") => `http://127.0.0.1:${git.port}/${name}/.git`;

/** Presses "Check connection" on a page. Returns the page with the result. */
async function check(values: Record<string, string>, member = admin): Promise<DashboardPage> {
  const page = await member.get(`${member.home}/projects/new`);
  const [, action] = /formaction="([^"]+)"/.exec(page.text)!;
  const form = page.forms.find(({ values }) => "url" in values)!;
  const answer = await member.post(action!, { ...form.values, ...values });
  return { ...answer, path: action!, forms: formsOf(answer.text) };
}

/** Hidden fields of the page's form. */
function formsOf(html: string): DashboardPage["forms"] {
  const values = Object.fromEntries(
    [...html.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [
      name!,
      value!,
    ]),
  );
  return [{ method: "post", action: "", values }];
}

const resultOf = ({ text }: DashboardPage) =>
  /<p role="(?:status|alert)">([^<]*)</.exec(text)?.[1]?.replaceAll("&#39;", "'");

describe("Check connection", () => {
  test.each<[string, Record<string, string>, RegExp]>([
    ["a good one", { url: "team-docs" }, /^Connected\. Found docs\.json at commit [0-9a-f]{7} on main\.$/],
    ["a folder", { url: "team-docs", directory: "website" }, /^Connected/],
    ["no URL", { url: "" }, /^Enter the repository's URL$/],
    [
      "another branch",
      { url: "team-docs", branch: "trunk" },
      /^The repository has no branch named trunk\. Its default branch is main\.$/,
    ],
    [
      "a folder without docs.json",
      { url: "team-docs", directory: "src" },
      /^There is no docs\.json in the folder src, but found one in: the repository root, website$/,
    ],
    ["a repository that doesn't exist", { url: "nothing" }, /^Repository not found. Check its URL\.$/],
    [
      "a private one, without a token",
      { url: "private-docs" },
      /requires authentication\. Check its URL and your credentials\.$/,
    ],
    [
      "a wrong token",
      { url: "private-docs", access: "token", token: "wrong" },
      /requires authentication\. Check its URL and your credentials\.$/,
    ],
    ["no token", { url: "private-docs", access: "token" }, /^Enter an access token$/],
    ["the token", { url: "private-docs", access: "token", token: "canary-token" }, /^Connected/],
  ])("%s", async (_name, { url: name, ...values }, result) => {
    const page = await check({ url: name ? url(name) : "", ...values });
    expect(page.status).toBe(200);
    expect(resultOf(page)).toMatch(result);
    expect(page.text).not.toContain("canary-token");
    // The form is shown with what was entered.
    if (name) expect(page.text).toContain(`value="${url(name)}"`);
  });

  test.each(["https", "ssh"])("a metadata service is never called, over %s", async (protocol) => {
    const page = await check({
      url: `${protocol}://169.254.169.254/docs.git`,
      access: protocol === "ssh" ? "ssh" : "public",
    });
    const again = await check({
      ...page.forms[0]!.values,
      url: `${protocol}://169.254.169.254/docs.git`,
      access: protocol === "ssh" ? "ssh" : "public",
    });
    expect(resultOf(again)).toMatch(/isn't allowed to call 169\.254\.169\.254/);
  });

  test("an entered token is kept for saving, encrypted", async () => {
    const checked = await check({
      name: "Kept",
      subdomain: `${subdomain}-kept`,
      url: url("private-docs"),
      access: "token",
      token: "canary-token",
    });
    const { sealed, _token } = checked.forms[0]!.values;
    expect(sealed).toMatch(/^enc:/);
    const values = {
      _token: _token!,
      name: "Kept",
      subdomain: `${subdomain}-kept`,
      url: url("private-docs"),
      access: "token",
      sealed: sealed!,
    };
    expect((await admin.post(`${admin.home}/projects`, values)).status).toBe(303);
    await service.until(async () =>
      (await visit(service, `${subdomain}-kept.localhost`)).text.includes("Connected"),
    );
    // It is bound to the organization.
    const stranger = await newMember(service, (await newOrganization(service)).id);
    const theirs = {
      ...values,
      _token: await stranger.token(`${stranger.home}/projects/new`),
      subdomain: `${subdomain}-stolen`,
    };
    const refused = await stranger.post(`${stranger.home}/projects`, theirs);
    expect([refused.status, refused.text.includes("Enter an access token")]).toEqual([400, true]);
  });

  test("a project is only created without a connection if the user says so", async () => {
    const values = { name: "Later", subdomain: `${subdomain}-later`, url: url("nothing") };
    const refused = await admin.submit(`${admin.home}/projects`, values, { from: newProject() });
    expect(refused.status).toBe(400);
    expect(resultOf(refused)).toBe("Repository not found. Check its URL.");
    expect(refused.text).toContain('name="createAnyway"');
    const created = await admin.submit(
      `${admin.home}/projects`,
      { ...values, createAnyway: "on" },
      { from: newProject() },
    );
    expect(created.path).toMatch(/\/deployments\/\w+\?done=project-created$/);
  });

  test("a URL that the operator doesn't allow is refused by the check, the form and the API, which name the setting", async () => {
    const source = "file:///srv/docs.git";
    const why =
      "The operator doesn't allow file:// URLs. Use an https:// URL, or ask the operator to add file to OCTAVO_GIT_ALLOW.";
    expect(resultOf(await check({ url: source }))).toBe(why);
    const values = { name: "File", subdomain: `${subdomain}-file`, url: source, createAnyway: "on" };
    const refused = await admin.submit(`${admin.home}/projects`, values, { from: newProject() });
    expect([refused.status, refused.text.replaceAll("&#39;", "'").includes(why)]).toEqual([400, true]);
    const organization = await newOrganization(service);
    const answer = await organization.ask(`/v1/projects/${organization.projectId}`, {
      method: "PATCH",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ source: { kind: "git", url: source, branch: "main" } }),
    });
    expect([answer.status, answer.text.includes("OCTAVO_GIT_ALLOW")]).toEqual([400, true]);
  });

  test("a new deploy key is followed by the steps that are left", async () => {
    const page = await check({ url: "ssh://git@git.example.com/acme/docs.git", access: "ssh" });
    expect(page.text).toContain("d-note-info");
    expect(page.text).toMatch(
      /role="status">Deploy key created\. Two steps are left:<.*Check the connection again\./s,
    );
  });

  test("checks are limited", async () => {
    const member = await newMember(service, (await newOrganization(service)).id);
    const _token = await member.token(`${member.home}/projects/new`);
    const statuses: number[] = [];
    for (let n = 0; n < 22; n++)
      statuses.push((await member.post(`${member.home}/projects/check`, { _token, url: "" })).status);
    expect(statuses).toEqual([...Array(20).fill(200), 429, 429]);
  });
});

describe.skipIf(!hasSshServer)("an SSH deploy key", () => {
  test("is created, confirmed, used, and refused after the server's key has changed", {
    timeout: 90_000,
  }, async () => {
    const ssh = await startSshServer(temporaryFolder());
    // Checks are limited for each organization.
    const organization = await newOrganization(service);
    const owner = await newMember(service, organization.id);
    try {
      const values = {
        name: "Keys",
        subdomain: `${subdomain}-ssh`,
        url: ssh.urlOf(repository),
        access: "ssh",
      };
      const first = await owner.submit(`${owner.home}/projects`, values, {
        from: `${owner.home}/projects/new`,
      });
      expect([first.status, resultOf(first)]).toEqual([400, "Deploy key created. Two steps are left:"]);
      const publicKey = /aria-label="public key">([^<]+)</.exec(first.text)![1]!;
      expect(publicKey).toMatch(/^ssh-ed25519 AAAA[\w+/]+ octavo-/);
      expect(first.text).not.toContain("PRIVATE KEY");

      const again = { ...first.forms.find((form) => "sealed" in form.values)!.values, ...values };
      expect(resultOf(await check(again, owner))).toMatch(/^The server refused the deploy key/);
      ssh.authorize(publicKey);
      const connected = await check(again, owner);
      expect(resultOf(connected)).toMatch(/^Connected/);
      expect(connected.text).toContain(ssh.fingerprint());

      const saved = await owner.post(`${owner.home}/projects`, { ...values, ...connected.forms[0]!.values });
      expect(saved.status).toBe(303);
      const host = `${values.subdomain}.localhost`;
      await service.until(async () => (await visit(service, host)).text.includes("Connected"));
      const database = new Client(databaseUrl);
      await database.connect();
      const { rows } = await database.query(
        "select connection::text as text from projects where subdomain = $1",
        [values.subdomain],
      );
      await database.end();
      expect(rows[0].text).not.toContain("PRIVATE KEY");
      expect(rows[0].text).toContain("ssh-ed25519");

      const project = /^(.+)\/deployments\//.exec(String(saved.headers.location))![1]!;
      expect((await owner.get(`${project}/settings`)).text).toContain(ssh.fingerprint());
      await ssh.replaceHostKey();
      const deployment = await owner.submit(`${project}/deployments`);
      await service.until(async () =>
        (await owner.get(deployment.path)).text.includes("host key has changed"),
      );
      expect((await visit(service, host)).status).toBe(200);
    } finally {
      await ssh.stop();
    }
  });
});

test("pasted URLs: credentials become the token, and the form of the URL fits the access", async () => {
  const member = await newMember(service, (await newOrganization(service)).id);
  const shown = async (values: Record<string, string>) =>
    /name="url"[^>]* value="([^"]*)"/.exec((await check(values, member)).text)?.[1];
  expect(await shown({ url: "git@127.0.0.1:team/docs.git", access: "public" })).toBe(
    "https://127.0.0.1/team/docs.git",
  );
  expect(await shown({ url: "https://127.0.0.1/team/docs.git", access: "ssh" })).toBe(
    "ssh://git@127.0.0.1/team/docs.git",
  );
  const page = await check(
    { url: url("private-docs").replace("//", "//canary-token@"), access: "public" },
    member,
  );
  expect(resultOf(page)).toMatch(/^Connected/);
  expect(page.text).not.toContain("canary-token");
});
