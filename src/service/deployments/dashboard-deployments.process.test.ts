/** Deployments in the dashboard: create, list, roll back, promote, and purge. */

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { strToU8, zipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/engine/build.ts";
import { type DashboardPage, type Member, newMember } from "../../../test/service/dashboard.ts";
import { deploy, docs, ended, upload, visit } from "../../../test/service/deploying.ts";
import { commitFiles, startGitServer } from "../../../test/service/git-server.ts";
import { newOrganization, type TestOrganization, type TestService } from "../../../test/service/service.ts";
import { tarOf } from "../../../test/service/tar.ts";
import { until } from "../../../test/service/until.ts";
import { openTestService, sharedService, startService } from "../../../test/shared/service.ts";
import { endpoints } from "../app/endpoints.ts";

const root = temporaryFolder();
const repository = path.join(root, "team-docs");
let git: Awaited<ReturnType<typeof startGitServer>>;
let service: TestService;

beforeAll(async () => {
  git = await startGitServer(root);
  service = await openTestService({ env: { OCTAVO_GIT_ALLOW: "http private file" } });
});
afterAll(async () => {
  await service.stop();
  await git.stop();
});

async function newTeam(at: TestService = service) {
  const organization = await newOrganization(at);
  const member = await newMember(at, organization.id, "editor");
  return {
    organization,
    member,
    project: `${member.home}/p/${organization.projectId}`,
    host: `${organization.subdomain}.localhost`,
  };
}

const shows = async (host: string, text: string) => {
  await service.runJobs();
  expect((await visit(service, host)).text).toContain(text);
};

/** Returns the id of the deployment in the path of its page. */
function idIn({ path }: Pick<DashboardPage, "path">): string {
  const id = /\/deployments\/([0-9A-Z]{26})\?done=/.exec(path)?.[1];
  if (id === undefined) throw new Error(`No deployment: ${path}`);
  return id;
}

/** Visible text of a page. */
const visibleText = ({ text }: Pick<DashboardPage, "text">) =>
  text
    .replace(/<(script|head)\b.*?<\/\1>/gs, "")
    .replace(/<[^>]+>/g, " ")
    .replaceAll("&quot;", '"')
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&")
    .replace(/\s+/g, " ");

describe("a project of uploads", () => {
  let team: Awaited<ReturnType<typeof newTeam>>;
  let organization: TestOrganization;
  let member: Member;
  const at = (id: string, more = "") => `${team.project}/deployments/${id}${more}`;

  beforeAll(async () => {
    team = await newTeam();
    ({ organization, member } = team);
  });

  test("a live deployment with errors is shown as such", async () => {
    const own = await newTeam();
    const { id } = await deploy(own.organization, docs("Hello", { "broken.mdx": "# Broken\n\n<Note>\n" }));
    for (const page of [
      await own.member.get(`${own.project}/deployments`),
      await own.member.get(`${own.project}/deployments/${id}`),
    ]) {
      expect(
        page.text.split('<span class="d-badge d-badge-warning">Live with errors</span>').length - 1,
      ).toBe(1);
      expect(visibleText(page)).not.toMatch(/Live, with/);
      expect(visibleText(page)).toContain("1 error");
    }
  });

  test("the checklist only contains finished steps as done", async () => {
    const own = await newTeam();
    const admin = await newMember(service, own.organization.id, "admin");
    const done = async () =>
      visibleText(await admin.get(own.project)).match(/(?:[A-Z][\w ]+)(?= : done)/g) ?? [];
    const body = { domain: `${own.organization.subdomain}.example.com` };
    await own.organization.client(endpoints.addDomain, {
      params: { projectId: own.organization.projectId },
      body,
    });
    expect(await done()).not.toContain("Add a custom domain");
    await service.operator(endpoints.addOperatorDomain, {
      params: { projectId: own.organization.projectId },
      body,
    });
    expect(await done()).toContain("Add a custom domain");
  });

  test("without deployments, both pages show first steps and no deploy button", async () => {
    for (const page of [await member.get(team.project), await member.get(`${team.project}/deployments`)]) {
      expect(visibleText(page)).toContain(`octavo deploy docs --project ${organization.projectId}`);
      expect(page.forms.some(({ action }) => action.endsWith("/deployments"))).toBe(false);
    }
    const _token = await member.token("/dashboard/account");
    const refused = await member.post(`${team.project}/deployments`, { _token });
    expect([refused.status, refused.text.includes("No upload has been deployed successfully")]).toEqual([
      409,
      true,
    ]);
  });

  test.each(["deployment", "overview"])(
    "when the %s page links to a new site, the site is served",
    async (name) => {
      // Several projects, because the service might already serve one of them by chance.
      for (let time = 0; time < 2; time++) {
        const other = await newTeam();
        const { id } = (await upload(other.organization, tarOf(docs("First words")))).json;
        const page = name === "overview" ? other.project : `${other.project}/deployments/${id}`;
        await service.until(async () => (await other.member.get(page)).text.includes("Visit site"));
        expect((await visit(service, other.host)).status).toBe(200);
      }
    },
  );

  test("after a rollback the site shows the older page; after a redeployment the newer one", async () => {
    const first = await deploy(organization, docs("First words"));
    const second = await deploy(organization, docs("Second words"));
    await shows(team.host, "Second words");
    expect(visibleText(await member.get(at(second.id)))).toMatch(/State Live\b/);

    const older = await member.get(at(first.id));
    expect(visibleText(older)).toContain("Roll back to this deployment");
    const back = await member.submit(at(first.id, "/rollback"), {}, { from: at(first.id) });
    expect(back.path).toBe(at(first.id, "?done=rolled-back"));
    // When the notice is shown, the site has already switched.
    expect((await visit(service, team.host)).text).toContain("First words");
    expect(visibleText(await member.get(at(second.id)))).toContain("Make live");

    const again = idIn(await member.submit(at(second.id, "/redeploy"), {}, { from: at(second.id) }));
    expect(await ended(organization, again)).toMatchObject({
      status: "success",
      isLive: true,
      trigger: "dashboard",
    });
    await shows(team.host, "Second words");
    const page = await member.get(`${team.project}/deployments`);
    expect(visibleText(page)).toMatch(new RegExp(`Dashboard [\\w ]+ ${member.email}`));
    expect(visibleText(page)).toMatch(/Upload [\w ]+ key …/);
  });

  test("Deploy rebuilds the last sources", async () => {
    const id = idIn(await member.submit(`${team.project}/deployments`));
    expect(await ended(organization, id)).toMatchObject({ status: "success", isLive: true });
    expect((await visit(service, team.host)).text).toContain("Second words");
  });

  test("a failed build shows its problems with code frames and hints first; the live site stays", async () => {
    const broken = { ...docs("x"), "docs.json": '{\n  "name": "Acme"\n  "theme": "mint"\n}\n' };
    const { id } = await deploy(organization, broken);
    const page = await member.get(at(id));
    expect(page.status).toBe(200);
    const text = visibleText(page);
    expect(text).toContain("docs.json:2:17");
    expect(text).toContain("config-syntax");
    expect(page.text).toContain(`\n> 2 |   &quot;name&quot;: &quot;Acme&quot;\n    | ${" ".repeat(16)}^\n`);
    expect(text).toMatch(/docs\.json can&#39;t be read|docs\.json can't be read/);
    expect(text).toMatch(/Deployment \d stays live/);
    expect(text.indexOf("docs.json:2:17")).toBeLessThan(text.indexOf("State"));
    expect(text.split("Expected a comma").length - 1, "the page says the reason once").toBe(1);
    expect(text).not.toContain("Reading pages");
    const about = await member.get(/href="(\/dashboard\/problems\/[\w-]+)"/.exec(page.text)![1]!);
    expect(visibleText(about)).toContain("docs.json isn't valid JSON config-syntax What it means");
    expect((await member.get("/dashboard/problems/constructor")).status).toBe(404);
    expect(text).toMatch(/\d\d:\d\d:\d\d Unpacking the sources/);
    expect((await visit(service, team.host)).text).toContain("Second words");
  });

  test("problems of a successful deployment are grouped; texts of authors are escaped", async () => {
    const files = docs("[x](/nowhere) and <script>alert(1)</script>", {
      "a.mdx": '---\ntitle: "<img src=x onerror=alert(1)>"\n---\n\n<Card>\n',
    });
    const { id } = await deploy(organization, files);
    const page = await member.get(at(id));
    const text = visibleText(page);
    expect(text.indexOf("Errors (")).toBeGreaterThan(0);
    expect(text.indexOf("Warnings (")).toBeGreaterThan(text.indexOf("Errors ("));
    expect(page.text).not.toMatch(/<script>alert|<img src=x/);
  });

  test("purging requires the number; the sources are deleted, and the page says so", async () => {
    const { id } = await deploy(organization, docs("Purged words"));
    const { text } = await member.get(at(id));
    const number = /Deployment (\d+)/.exec(text)![1]!;
    await deploy(organization, docs("Kept words"));
    expect((await member.submit(at(id, "/purge"), { confirm: "0" })).status).toBe(400);
    expect(visibleText(await member.get(at(id)))).not.toContain("Deleted");
    const gone = await member.submit(at(id, "/purge"), { confirm: number });
    expect(gone.path).toBe(at(id, "?done=deployment-purged"));
    expect(visibleText(gone)).toMatch(/State Deleted\b/);
    expect(gone.forms.filter(({ action }) => action.includes(id))).toEqual([]);
    const _token = await member.token("/dashboard/account");
    for (const action of ["/rollback", "/promote", "/redeploy"])
      expect((await member.post(at(id, action), { _token })).status).toBe(409);
  });

  test("the list has pages, newest first", async () => {
    const { rows } = { rows: [] as string[] };
    let next: string | undefined = `${team.project}/deployments`;
    while (next) {
      const { text } = await member.get(next);
      rows.push(...[...text.matchAll(/deployments\/([0-9A-Z]{26})"/g)].map(([, id]) => id!));
      next = /<a href="([^"]*\?before=[^"]*)">Older/.exec(text)?.[1];
    }
    expect(rows).toEqual([...rows].sort().reverse());
    expect(new Set(rows).size).toBe(rows.length);
    expect((await member.get(`${team.project}/deployments?before=garbage`)).status).toBe(200);
  });

  test("a deployment of another project of the organization is not found", async () => {
    const admin = await newMember(service, organization.id, "admin");
    await admin.submit(
      `${admin.home}/projects`,
      { name: "Second", subdomain: `${organization.subdomain}-b` },
      { from: `${admin.home}/projects/new` },
    );
    const { projects } = await organization.client(endpoints.listProjects, {});
    const second = projects.find(({ id }) => id !== organization.projectId)!;
    const { id } = await deploy(organization, docs("Of the first"));
    const there = `${team.project.replace(organization.projectId, second.id)}/deployments/${id}`;
    const _token = await admin.token("/dashboard/account");
    expect((await admin.get(there)).status).toBe(404);
    expect((await admin.get(`${there}/purge`)).status).toBe(404);
    for (const action of ["/rollback", "/promote", "/redeploy", "/purge"])
      expect((await admin.post(`${there}${action}`, { _token, confirm: "1" })).status).toBe(404);
    const { jobId } = await organization.client(endpoints.startExport, { body: { domain: team.host } });
    const job = `${team.project.replace(organization.projectId, second.id)}/exports/${jobId}`;
    expect([(await admin.get(job)).status, (await admin.get(`${job}/bundle`)).status]).toEqual([404, 404]);
    expect((await admin.post(`${job}/cancel`, { _token })).status).toBe(404);
    expect((await organization.client(endpoints.getDeployment, { params: { id } })).isLive).toBe(true);
  });

  test("the audit log has the id of the created deployment", async () => {
    const id = idIn(await member.submit(`${team.project}/deployments`));
    const { json } = await organization.ask("/v1/audit-log?limit=5");
    expect(json.entries).toContainEqual(
      expect.objectContaining({
        action: "triggerUpdate",
        actor: `member ${member.email}`,
        metadata: { deploymentId: id },
      }),
    );
    await ended(organization, id);
  });
});

describe("a project from git", () => {
  let team: Awaited<ReturnType<typeof newTeam>>;
  const at = (id: string, more = "") => `${team.project}/deployments/${id}${more}`;

  beforeAll(async () => {
    team = await newTeam();
    commitFiles(repository, docs("Main branch"), { message: "Begin the docs" });
    const source = {
      kind: "git" as const,
      url: `http://someone:secret-word@127.0.0.1:${git.port}/team-docs/.git`,
      branch: "main",
    };
    await team.organization.client(endpoints.changeProject, {
      params: { projectId: team.organization.projectId },
      body: { source },
    });
  });

  test("Deploy builds the branch and shows the commit", async () => {
    const { member, organization, project, host } = team;
    const id = idIn(await member.submit(`${project}/deployments`, {}, { from: project }));
    expect((await ended(organization, id)).status).toBe("success");
    await shows(host, "Main branch");
    for (const page of [
      await member.get(at(id)),
      await member.get(project),
      await member.get(`${project}/deployments`),
    ]) {
      expect(visibleText(page)).toMatch(/Branch main [0-9a-f]{7} · Begin the docs/);
      expect(page.text).not.toContain("secret-word");
    }
  });

  test("a promoted preview is built from its own sources, even if the branch has changed", async () => {
    const { member, organization, project, host } = team;
    commitFiles(repository, docs("Words of a branch"), { branch: "next", message: "Try it" });
    const started = await member.submit(
      `${project}/previews`,
      { branch: "next" },
      { from: `${project}/deployments` },
    );
    const id = idIn(started);
    await ended(organization, id);
    const page = await member.get(at(id));
    const address = /href="(http:\/\/[^"]*-preview-[^"]*)"/.exec(page.text)![1]!;
    await shows(new URL(address).host, "Words of a branch");
    expect((await visit(service, host)).text).toContain("Main branch");
    expect((await member.submit(at(id, "/redeploy"), {}, { from: at(id) })).path).toContain(
      "done=preview-started",
    );

    commitFiles(repository, docs("Later words"), { branch: "next", message: "Go on" });
    const promoted = idIn(await member.submit(at(id, "/promote"), {}, { from: at(id) }));
    expect(await ended(organization, promoted)).toMatchObject({
      status: "success",
      isLive: true,
      branch: null,
      commit: { ref: "next", message: "Try it" },
    });
    await shows(host, "Words of a branch");
  });

  test("an invalid branch is refused, with the form", async () => {
    const { member, project } = team;
    const page = await member.submit(
      `${project}/previews`,
      { branch: "--upload-pack=x" },
      { from: `${project}/deployments` },
    );
    expect([page.status, page.text.includes("Branch must be a valid branch name")]).toEqual([400, true]);
    expect(page.text).toContain('value="--upload-pack=x"');
  });
});

describe("an upload in the dashboard", () => {
  const zipOf = (files: Record<string, string>) =>
    zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])));
  const inFolder = (files: Record<string, string>) =>
    Object.fromEntries(Object.entries(files).map(([name, text]) => [`docs/${name}`, text]));

  test.each<[string, string, () => Uint8Array]>([
    ["a zip", "docs.zip", () => zipOf(docs("Zipped words"))],
    [
      "a zip of a folder, as macOS makes it",
      "docs.zip",
      () => zipOf({ ...inFolder(docs("Zipped words")), "__MACOSX/docs/._index.mdx": "x" }),
    ],
    ["a tar.gz", "docs.tar.gz", () => tarOf(docs("Zipped words"))],
  ])("%s is deployed", async (_name, name, bytes) => {
    const { organization, member, project, host } = await newTeam();
    const _token = await member.token(`${project}/deployments`);
    const answer = await member.postFile(`${project}/uploads`, { _token }, { name, bytes: bytes() });
    const id = idIn({ path: String(answer.headers.location) });
    expect(await ended(organization, id)).toMatchObject({
      status: "success",
      isLive: true,
      trigger: "upload",
    });
    await shows(host, "Zipped words");
    expect(visibleText(await member.get(`${project}/deployments/${id}`))).toContain("Upload");
  });

  test("is refused without a file, with another file, without a token, and when it is not a form", async () => {
    const { member, project } = await newTeam();
    const _token = await member.token(`${project}/deployments`);
    const none = await member.postFile(`${project}/uploads`, { _token });
    expect([none.status, none.text.includes("Choose a .zip or .tar.gz archive")]).toEqual([400, true]);
    const other = await member.postFile(
      `${project}/uploads`,
      { _token },
      { name: "x.zip", bytes: Buffer.from("no archive at all") },
    );
    expect([other.status, other.text.includes("tar.gz or zip")]).toEqual([400, true]);
    const file = { name: "docs.zip", bytes: zipOf(docs("x")) };
    expect((await member.postFile(`${project}/uploads`, {}, file)).status).toBe(403);
    expect((await member.postFile(`${project}/uploads`, { _token: "wrong" }, file)).status).toBe(403);
    expect((await member.post(`${project}/uploads`, { _token })).status).toBe(415);
    const damaged = await member.postFile(
      `${project}/uploads`,
      { _token },
      { name: "x.zip", bytes: file.bytes.subarray(0, 200) },
    );
    await service.until(async () =>
      visibleText(await member.get(String(damaged.headers.location))).includes("The archive is incomplete"),
    );
  });
});

describe("cancel", () => {
  test("a queued deployment never runs; a running one ends its build process, and the next one starts", {
    timeout: 90_000,
  }, async () => {
    const own = await startService();
    const { organization, member, project } = await newTeam(own);
    const pages = Object.fromEntries(
      Array.from({ length: 1_500 }, (_, n) => [
        `p${n}.mdx`,
        `---\ntitle: P${n}\n---\n\n${"Some **words**. ".repeat(200)}`,
      ]),
    );
    const started = async (files: Record<string, string>) =>
      (await upload(organization, tarOf(files))).json.id as string;
    const [running, waiting] = [await started(docs("Large", pages)), await started(docs("Waiting"))];
    const page = (id: string) => member.get(`${project}/deployments/${id}`);
    const cancel = (id: string) =>
      member.submit(`${project}/deployments/${id}/cancel`, {}, { from: `${project}/deployments/${id}` });
    await until(async () => visibleText(await page(running)).includes("Reading pages"));
    expect(await page(running).then(({ text }) => text)).toContain('role="progressbar"');
    expect(visibleText(await page(waiting))).toContain("Queued. The build starts when a worker is free.");
    expect(visibleText(await cancel(waiting))).toContain("Canceled.");
    expect(buildProcesses(own.process.pid!).length).toBeGreaterThan(0);
    expect(visibleText(await cancel(running))).toContain("Canceled.");
    await until(async () => buildProcesses(own.process.pid!).length === 0, 10_000);
    const next = await deploy(organization, docs("Next"));
    expect(next).toMatchObject({ status: "success", isLive: true });
    for (const id of [running, waiting])
      expect(await ended(organization, id)).toMatchObject({
        status: "failure",
        summary: "Canceled",
        isLive: false,
      });
    const again = await organization.ask(`/v1/deployments/${next.id}/cancel`, { method: "POST" });
    expect([again.status, again.json.error]).toEqual([
      409,
      "The deployment has already finished with status success",
    ]);
    await own.stop();
  });
});

/** Ids of the build processes that a service has started. */
function buildProcesses(servicePid: number): string[] {
  return readdirSync("/proc").filter((id) => {
    if (!/^\d+$/.test(id)) return false;
    try {
      const [, parent] = /\) \S (\d+)/.exec(readFileSync(`/proc/${id}/stat`, "utf8"))!;
      return (
        Number(parent) === servicePid && readFileSync(`/proc/${id}/cmdline`, "utf8").includes("build.js")
      );
    } catch {
      // The process has ended.
      return false;
    }
  });
}

test("a repository on the service's machine is allowed only by the operator's settings", async () => {
  const statuses = [service, await sharedService()].map(async (each) => {
    const { ask, projectId } = await newOrganization(each);
    const body = JSON.stringify({ source: { kind: "git", url: "file:///srv/docs.git", branch: "main" } });
    return (
      await ask(`/v1/projects/${projectId}`, {
        method: "PATCH",
        headers: { "content-type": "application/json" },
        body,
      })
    ).status;
  });
  expect(await Promise.all(statuses)).toEqual([200, 400]);
});
