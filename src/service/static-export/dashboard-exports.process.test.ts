/** Static exports and domains in the dashboard. */

import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newMember } from "../../../test/service/dashboard.ts";
import { deploy, docs } from "../../../test/service/deploying.ts";
import { ended, unpack } from "../../../test/service/exports.ts";
import { newOrganization, send, type TestService } from "../../../test/service/service.ts";
import { sharedService } from "../../../test/shared/service.ts";
import { endpoints } from "../app/endpoints.ts";

let service: TestService;
beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.stop());

async function newTeam({
  plan = "enterprise",
  role = "editor",
}: {
  plan?: "free" | "enterprise";
  role?: "editor" | "admin";
} = {}) {
  const organization = await newOrganization(service, plan);
  const member = await newMember(service, organization.id, role);
  const project = `${member.home}/p/${organization.projectId}`;
  return { organization, member, project, exports: `${project}/exports`, domains: `${project}/domains` };
}

const jobIn = (path: string) => /\/exports\/(se_[0-9a-f]{16})/.exec(path)?.[1];

describe("static exports", () => {
  test("an export is started and downloaded, and the archive has the shown checksum", async () => {
    const { organization, member, exports } = await newTeam();
    await deploy(
      organization,
      docs("Exported words", { "guides/install.mdx": "---\ntitle: Install\n---\n\nHere.\n" }),
    );
    const page = await member.submit(exports, { version: "release-1" });
    const jobId = jobIn(page.path)!;
    expect(page.path).toBe(`${exports}/${jobId}?done=export-started`);
    await ended(organization, jobId);
    // The page shows the current state, also at the URL that the form led to.
    const done = await member.get(page.path);
    expect(done.text).toContain("Completed");
    expect(done.text).not.toMatch(/progressbar|queued/i);
    expect(done.text).toContain("<h1>release-1</h1>");
    const link = await member.ask(`${exports}/${jobId}/bundle`);
    expect(link.status).toBe(303);
    const url = new URL(String(link.headers.location));
    // The link works without other credentials.
    const { body } = await send({ port: service.port, path: url.pathname + url.search });
    expect(done.text).toContain(createHash("sha256").update(body).digest("hex"));
    const files = await unpack(body);
    expect(files.get("index.html")!.toString()).toContain("Exported words");
    expect(JSON.parse(files.get("manifest.json")!.toString()).version).toBe("release-1");
    // The link is secret, so the page must not contain it.
    expect(done.text).not.toContain(url.pathname);
    const { json } = await organization.ask("/v1/audit-log?limit=10");
    expect(json.entries).toContainEqual(
      expect.objectContaining({ action: "startStaticExport", metadata: { jobId } }),
    );
    expect(json.entries).toContainEqual(
      expect.objectContaining({ action: "bundleStaticExport", actor: `member ${member.email}` }),
    );
  });

  test("selected pages are exported; unknown pages are refused, and the form is shown again", async () => {
    const { organization, member, exports } = await newTeam();
    await deploy(organization, docs("x", { "guides/install.mdx": "---\ntitle: Install\n---\n\nHere.\n" }));
    const refused = await member.submit(exports, { paths: "guides/install\nnowhere" });
    expect([refused.status, refused.text.includes("nowhere isn't a page that can be exported")]).toEqual([
      400,
      true,
    ]);
    expect(refused.text).toContain("guides/install\nnowhere</textarea>");
    const page = await member.submit(exports, { paths: "/index\r\n\r\n" });
    expect(await ended(organization, jobIn(page.path)!)).toMatchObject({ status: "completed", pageCount: 1 });
  });

  test("an export for reader groups shows its readers and what it leaves out", async () => {
    const { organization, member, exports } = await newTeam({ role: "admin" });
    const settings = exports.replace("exports", "settings");
    await member.submit(
      `${settings}/readers`,
      { mode: "password", password: "open sesame please" },
      { from: settings },
    );
    const page = (title: string, rule: string) =>
      `---\ntitle: ${title}\n${rule}\n---\n\nOnly for the readers of ${title}.\n`;
    await deploy(
      organization,
      docs("x", {
        "deal.mdx": page("Deal", "groups: [partners]"),
        "rota.mdx": page("Rota", "groups: [staff]"),
      }),
    );

    const unknown = await member.submit(exports, { readers: "everyone" });
    expect([unknown.status, unknown.text.includes("Select one of the options")]).toEqual([400, true]);
    const long = await member.submit(exports, { readers: "groups", groups: "x".repeat(201) });
    expect([long.status, long.text.includes('id="groups-error"')]).toEqual([400, true]);

    // The form hides the pages if readers are selected, so they're ignored.
    const started = await member.submit(exports, { readers: "groups", groups: " partners, ", paths: "rota" });
    const jobId = jobIn(started.path)!;
    expect(await ended(organization, jobId)).toMatchObject({ status: "completed", audience: ["partners"] });
    const { text } = await member.get(`${exports}/${jobId}`);
    expect(text).toContain("Groups: partners");
    expect(text).toMatch(/<code>\/rota<\/code> for staff/);
    expect(text).not.toContain("<code>/deal</code>");
    expect(text).toContain("audience&quot;:[&quot;partners&quot;]");

    const open = await member.submit(exports, { readers: "public" });
    expect(await ended(organization, jobIn(open.path)!)).toMatchObject({ audience: "public" });
    expect((await member.get(open.path)).text).toMatch(
      /<code>\/deal<\/code> for partners.*<code>\/rota<\/code> for staff/s,
    );
  });

  test("a version label is escaped in snippets", async () => {
    const { organization, member, exports } = await newTeam();
    await deploy(organization, docs("x"));
    const page = await member.submit(exports, { version: 'it\'s $(touch /tmp/x) "1"' });
    const { text } = await member.get(page.path);
    const snippet = text
      .replaceAll("&quot;", '"')
      .replaceAll("&#39;", "'")
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">")
      .replaceAll("&amp;", "&");
    expect(snippet).toContain(String.raw`"version":"it'\''s $(touch /tmp/x) \"1\""}'`);
    expect(snippet).toContain(String.raw`version: "it's $(touch /tmp/x) \"1\""`);
    expect(snippet).toContain("helm upgrade --install docs ./chart --namespace docs --values values.yaml");
    expect(snippet).toContain(`/v1/static-export/jobs/${jobIn(page.path)}/bundle"`);
  });

  test("a form that is submitted twice creates one export", async () => {
    const { organization, member, exports } = await newTeam();
    await deploy(organization, docs("x"));
    const form = (await member.get(exports)).forms.find(({ action }) => action === exports)!;
    const first = await member.post(exports, form.values);
    const second = await member.post(exports, form.values);
    expect([first.status, second.status]).toEqual([303, 303]);
    expect(jobIn(String(second.headers.location))).toBe(jobIn(String(first.headers.location)));
    await ended(organization, jobIn(String(first.headers.location))!);
    // A form that is loaded again has a new idempotency key.
    expect(jobIn((await member.submit(exports)).path)).not.toBe(jobIn(String(first.headers.location)));
  });

  test("an export can be cancelled, but not after it has ended", async () => {
    const { organization, member, exports } = await newTeam();
    await deploy(organization, docs("x"));
    const page = await member.submit(exports);
    const jobId = jobIn(page.path)!;
    const _token = await member.token(exports);
    const cancelled = await member.post(`${exports}/${jobId}/cancel`, { _token });
    expect(cancelled.status).toBe(303);
    expect(await ended(organization, jobId)).toMatchObject({
      status: "failed",
      error: "The job was canceled",
    });
    expect((await member.post(`${exports}/${jobId}/cancel`, { _token })).status).toBe(409);
    expect((await member.ask(`${exports}/${jobId}/bundle`)).status).toBe(409);
  });

  test("exports require the enterprise plan and a live deployment", async () => {
    const free = await newTeam({ plan: "free" });
    await deploy(free.organization, docs("x"));
    const empty = await newTeam();
    for (const [{ member, exports, organization }, status, why] of [
      [free, 403, "require the enterprise plan"],
      [empty, 403, "The project isn't deployed yet. Deploy the project first."],
    ] as const) {
      const page = await member.get(exports);
      expect(page.text).toContain(why);
      expect(page.forms.some(({ action }) => action === exports)).toBe(false);
      const values = { _token: await member.token(exports), domain: `${organization.subdomain}.localhost` };
      expect((await member.post(exports, values)).status).toBe(status);
    }
  });

  test("another organization's domain, export and archive are not found", async () => {
    const [own, other] = [await newTeam(), await newTeam()];
    await deploy(own.organization, docs("x"));
    await deploy(other.organization, docs("x"));
    const theirs = jobIn((await other.member.submit(other.exports)).path)!;
    await ended(other.organization, theirs);
    const _token = await own.member.token(own.exports);
    const foreign = await own.member.post(own.exports, {
      _token,
      domain: `${other.organization.subdomain}.localhost`,
    });
    expect([foreign.status, foreign.text.includes("Choose one of this project")]).toEqual([400, true]);
    expect((await own.member.get(`${own.exports}/${theirs}`)).status).toBe(404);
    expect((await own.member.ask(`${own.exports}/${theirs}/bundle`)).status).toBe(404);
    expect((await own.member.post(`${own.exports}/${theirs}/cancel`, { _token })).status).toBe(404);
    expect((await own.member.get(`${own.exports}?before=${theirs}`)).text).not.toContain(theirs);
  });
});

describe("domains", () => {
  test("a domain is added with the record to set, not verified without the record, and removed after confirmation", async () => {
    const { organization, member, domains } = await newTeam({ role: "admin" });
    const name = `docs.${organization.subdomain}.invalid`;
    const added = await member.submit(domains, { domain: name.toUpperCase() });
    expect(added.path).toBe(`${domains}?done=domain-added`);
    const [row] = (
      await organization.client(endpoints.listDomains, { params: { projectId: organization.projectId } })
    ).domains;
    expect(added.text).toContain(row!.verification.name);
    expect(added.text).toContain(`data-copy="${row!.verification.value}"`);

    const unproved = await member.submit(`${domains}/${name}/verify`, {}, { from: domains });
    expect(unproved.status).toBe(409);
    expect(unproved.text).toContain(`We couldn't find a TXT record for _octavo.${name}`);

    expect((await member.submit(`${domains}/${name}/remove`, { confirm: "docs" })).status).toBe(400);
    const removed = await member.submit(`${domains}/${name}/remove`, { confirm: name });
    expect(removed.path).toBe(`${domains}?done=domain-removed`);
    expect(
      (await organization.client(endpoints.listDomains, { params: { projectId: organization.projectId } }))
        .domains,
    ).toEqual([]);
  });

  test("invalid domains, domains of the service and taken domains are refused, and the form is shown again", async () => {
    const [{ member, domains }, other] = [await newTeam({ role: "admin" }), await newTeam({ role: "admin" })];
    const taken = `docs.${other.organization.subdomain}.invalid`;
    const params = { projectId: other.organization.projectId };
    await service.operator(endpoints.addOperatorDomain, { params, body: { domain: taken } });
    for (const [domain, status, message] of [
      ["https://docs.example.com/", 400, "Domain must be a host name"],
      ["evil.localhost", 400, "Domain belongs to this service. Enter a domain that you own."],
      [taken, 409, "Another project has verified this domain"],
    ] as const) {
      const page = await member.submit(domains, { domain });
      expect([page.status, page.text.includes(message)]).toEqual([status, true]);
      expect(page.text).toContain(`value="${domain}"`);
    }
    expect((await member.get(`${domains}/${taken}/remove`)).status).toBe(404);
  });

  test("domains added by the operator are verified immediately", async () => {
    const { organization, member, domains } = await newTeam();
    const params = { projectId: organization.projectId };
    const domain = `docs.${organization.subdomain}.invalid`;
    await service.operator(endpoints.addOperatorDomain, { params, body: { domain } });
    const page = await member.get(domains);
    expect(page.text).toContain("verified");
    expect(page.text).toContain(`href="http://${domain}:${service.port}"`);
  });
});
