/** Static export over HTTP: starting jobs, polling them, idempotency keys, bundles and their links. */

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { onEachDatabase } from "../../../test/service/databases.ts";
import {
  checkHistory,
  deploy,
  deployedOrganization,
  docs,
  download,
  type ExportJob,
  ended,
  jobsPath,
  start,
} from "../../../test/service/exports.ts";
import { newOrganization, send, type TestService } from "../../../test/service/service.ts";
import { tarOf } from "../../../test/service/tar.ts";
import { endpoints } from "../app/endpoints.ts";

onEachDatabase("static export", (startOne) => {
  let service: TestService;
  let organization: Awaited<ReturnType<typeof deployedOrganization>>;

  const groups = "---\ntitle: Staff\ngroups: [staff]\n---\n\nFor staff only. ![Plan](/images/plan.png)\n";
  const files = docs(30, {
    "staff.mdx": groups,
    "images/plan.png": "plan",
    "images/shared.png": "shared",
    "guides/page-3.mdx": "Text 3. ![Shared](/images/shared.png)",
  });

  beforeAll(async () => {
    service = await startOne({});
    organization = await deployedOrganization(service, files);
  });
  afterAll(() => service.stop());

  test.each(["project", "organization"])("a download link ends when the %s is deleted", async (what) => {
    const owner = await deployedOrganization(service, docs(1));
    const { json } = await start(owner, { domain: owner.domain });
    expect((await ended(owner, json.jobId)).status).toBe("completed");
    const { json: bundle } = await owner.ask(`${jobsPath}/${json.jobId}/bundle`, { method: "POST" });
    const url = new URL(bundle.bundleUrl);
    const load = () => send({ port: Number(url.port), path: url.pathname + url.search, host: url.host });
    expect((await load()).status).toBe(200);

    if (what === "project")
      await service.operator(endpoints.deleteProject, { params: { projectId: owner.projectId } });
    else await service.operator(endpoints.deleteOrganization, { params: { organizationId: owner.id } });
    expect((await load()).status).toBe(404);
  });

  test("the bundles of a deleted deployment, and deltas from it, can't be downloaded any more", async () => {
    const other = await deployedOrganization(
      service,
      docs(2, { "leak.mdx": "[Link](/canary-missing) Canary" }),
    );
    const bundleOf = (jobId: string) => other.ask(`${jobsPath}/${jobId}/bundle`, { method: "POST" });
    const first = await ended(other, (await start(other, { domain: other.domain })).json.jobId);
    const link = new URL((await bundleOf(first.jobId)).json.bundleUrl);
    await deploy(other, docs(3));
    const second = await ended(other, (await start(other, { domain: other.domain })).json.jobId);
    expect((await bundleOf(second.jobId)).json.deltaUrl).toEqual(expect.any(String));

    expect((await other.ask(`/v1/deployments/${other.deploymentId}`, { method: "DELETE" })).status).toBe(204);
    expect((await bundleOf(first.jobId)).status).toBe(410);
    expect((await send({ port: service.port, path: link.pathname + link.search })).status).toBe(404);
    const kept = await bundleOf(second.jobId);
    expect([kept.status, kept.json.deltaUrl]).toEqual([200, null]);
    const problems = await other.ask(`/v1/deployments/${other.deploymentId}`);
    expect(problems.text).not.toContain("canary-missing");
  });

  test("an export for an audience contains what its groups may read, and reports what it leaves out", async () => {
    const secret = (name: string) =>
      `Only the readers of the group ${name} may know about this plan for the next year.`;
    const closed = (name: string) => ({
      [`${name}.mdx`]: `---\ntitle: For ${name}\ngroups: [${name}]\n---\n\n${secret(name)}\n`,
    });
    const other = await deployedOrganization(service, docs(2, { ...closed("partners"), ...closed("staff") }));
    const exportFor = async (audience: unknown) => {
      const started = await start(other, {
        domain: other.domain,
        ...(audience === undefined ? {} : { audience }),
      });
      expect(started.status, started.text).toBe(202);
      const { jobId } = await ended(other, started.json.jobId);
      const { json } = await other.ask(`${jobsPath}/${jobId}`);
      const { files: found } = await download(other, jobId);
      const all = [...found.values()].map((bytes) => Buffer.from(bytes).toString()).join("\n");
      return { job: json, pages: ["partners", "staff"].filter((name) => found.has(`${name}.html`)), all };
    };
    const partners = await exportFor(["partners"]);
    expect(partners.pages).toEqual(["partners"]);
    expect([partners.all.includes(secret("partners")), partners.all.includes(secret("staff"))]).toEqual([
      true,
      false,
    ]);
    expect(partners.job).toMatchObject({
      audience: ["partners"],
      audienceReport: {
        audience: ["partners"],
        pages: 3,
        leftOut: { pages: [{ path: "/staff", readers: ["staff"] }], parts: [], contentOn: [] },
        checked: { texts: 1 },
      },
    });
    const everyone = await exportFor("public");
    expect([everyone.pages, everyone.all.includes(secret("partners"))]).toEqual([[], false]);
    expect(everyone.job.audienceReport.leftOut.pages).toHaveLength(2);
    // A delta never contains files of a bundle for another audience.
    const delta = (jobId: string) => other.ask(`${jobsPath}/${jobId}/bundle`, { method: "POST" });
    expect((await delta(everyone.job.jobId)).json.deltaUrl).toBeNull();
    const plain = await exportFor(undefined);
    expect([plain.pages, plain.job.audience, plain.job.audienceReport]).toEqual([[], null, null]);
    expect((await start(other, { domain: other.domain, audience: ["staff"], paths: ["index"] })).status).toBe(
      400,
    );
    expect((await start(other, { domain: other.domain, audience: "partners" })).status).toBe(400);
  });

  test("an export is started, polled and downloaded", async () => {
    const started = await start(organization, { domain: organization.domain, version: "2026.3" });
    expect(started.status).toBe(202);
    expect(started.headers.location).toBe(`${jobsPath}/${started.json.jobId}`);
    expect(started.headers["retry-after"]).toBe("2");
    expect(started.json).toMatchObject({
      status: "queued",
      progress: 0,
      pageCount: 0,
      totalPages: null,
      domain: organization.domain,
      version: "2026.3",
      deploymentId: organization.deploymentId,
      error: null,
      startedAt: null,
      completedAt: null,
    });
    expect(started.json.jobId).toMatch(/^se_[0-9a-f]{16}$/);
    const seen: ExportJob[] = [started.json];
    const job = await ended(organization, started.json.jobId, seen);
    expect(job).toMatchObject({
      status: "completed",
      progress: 100,
      pageCount: 30,
      totalPages: 30,
      error: null,
    });
    checkHistory(seen);
    const bundle = await download(organization, job.jobId);
    expect(bundle.manifest).toMatchObject({
      formatVersion: 1,
      version: "2026.3",
      deployment: organization.deploymentId,
    });
    expect(bundle.manifest.generator).toMatch(/^octavo \d/);
    expect(bundle.files.has("guides/page-29.html")).toBe(true);
    const page = bundle.files.get("guides/page-1.html")!.toString();
    expect(page).toContain('href="../guides/page-2.html"');
    expect(page).toContain(`<link rel="canonical" href="https://${organization.domain}/guides/page-1"`);
  });

  test("two exports of one deployment have identical bytes", async () => {
    const one = await start(organization, { domain: organization.domain });
    await ended(organization, one.json.jobId);
    const two = await start(organization, { domain: organization.domain.toUpperCase() });
    expect(one.json.jobId).not.toBe(two.json.jobId);
    await ended(organization, two.json.jobId);
    const bundles = [
      await download(organization, one.json.jobId),
      await download(organization, two.json.jobId),
    ];
    expect(bundles[0]!.sha256).toBe(bundles[1]!.sha256);
    // Without a label, the version is derived from the content and known after completion.
    const { version } = bundles[0]!.manifest;
    expect(version).toMatch(/^[0-9a-f]{16}$/);
    expect(one.json.version).toBeNull();
    expect((await organization.ask(`${jobsPath}/${one.json.jobId}`)).json.version).toBe(version);
    expect(
      (await organization.ask(`${jobsPath}/${one.json.jobId}/bundle`, { method: "POST" })).json.version,
    ).toBe(version);
  });

  test("the deployment that is live at the start is exported, despite later deployments", async () => {
    const other = await deployedOrganization(service, docs(2));
    const started = await start(other, { domain: other.domain });
    const second = await deploy(other, docs(3));
    const job = await ended(other, started.json.jobId);
    expect(job).toMatchObject({ deploymentId: other.deploymentId, status: "completed", pageCount: 2 });
    const next = await start(other, { domain: other.domain });
    expect(next.json.deploymentId).toBe(second);
  });

  test("pages of groups are omitted, with files that only they use", async () => {
    const started = await start(organization, { domain: organization.domain });
    await ended(organization, started.json.jobId);
    const { files: made } = await download(organization, started.json.jobId);
    expect([...made.keys()].filter((path) => /staff|plan/.test(path))).toEqual([]);
    for (const [path, bytes] of made) expect(bytes.includes("For staff only"), path).toBe(false);
    expect(made.has("images/shared.png")).toBe(true);
  });

  test("selected pages are exported with the files that they need", async () => {
    const started = await start(organization, {
      domain: organization.domain,
      paths: ["index", "/guides/page-3/"],
    });
    expect(started.status).toBe(202);
    expect(await ended(organization, started.json.jobId)).toMatchObject({
      status: "completed",
      pageCount: 2,
      totalPages: 2,
    });
    const { files: made } = await download(organization, started.json.jobId);
    expect([...made.keys()].filter((path) => path.startsWith("guides/"))).toEqual([
      "guides/page-3.html",
      "guides/page-3.md",
    ]);
    expect(made.has("images/shared.png")).toBe(true);
    expect(made.get("sitemap.xml")!.toString()).not.toContain("page-4");
    expect(made.get("llms-full.txt")!.toString()).not.toContain("Text 4.");
  });

  test("without the enterprise plan, exports are refused", async () => {
    const free = await newOrganization(service, "pro");
    expect((await start(free, { domain: "docs.example.com" })).status).toBe(403);
    expect((await free.ask(`${jobsPath}/se_0000000000000000`)).status).toBe(403);
  });

  describe("parameters of a start", () => {
    test.each([
      ["no body", ""],
      ["a list", "[]"],
      ["an empty object", "{}"],
      ["null", '{"domain":null}'],
      ["a number", '{"domain":1}'],
      ["an empty name", '{"domain":""}'],
      ["a name of 300 characters", JSON.stringify({ domain: "a".repeat(300) })],
      ["a body that is not JSON", "{"],
      ["a version that is not a string", '{"domain":"a.example","version":1}'],
      ["a version of 65 characters", JSON.stringify({ domain: "a.example", version: "v".repeat(65) })],
      ["paths that are not a list", '{"domain":"a.example","paths":"index"}'],
    ])("%s: 400 with details", async (_, body) => {
      const answer = await start(organization, body);
      expect(answer.status).toBe(400);
      expect(answer.json.error).toEqual(expect.any(String));
      expect(answer.json.details.length).toBeGreaterThan(0);
    });

    test.each([
      "https://docs.example.com",
      "docs.example.com:443",
      "docs.example.com/a b",
      "docs.example.com?",
      "user@docs.example.com",
      "a b",
      "-a.example",
    ])("%s is not a host name", async (domain) => {
      const answer = await start(organization, { domain });
      expect(answer.status).toBe(400);
      expect(answer.json.details[0].message).toMatch(/^domain must be a host name without a scheme/);
    });

    test("spellings of a host are normalized", async () => {
      await service.operator(endpoints.addOperatorDomain, {
        params: { projectId: organization.projectId },
        body: { domain: "bücher.example" },
      });
      for (const domain of ["BÜCHER.example", "xn--bcher-kva.example", "bücher.example."]) {
        const answer = await start(organization, { domain });
        expect([answer.status, answer.json.domain]).toEqual([202, "xn--bcher-kva.example"]);
      }
    });

    test("a domain of another organization gets the same error as an unknown one", async () => {
      const foreign = await deployedOrganization(service, docs(1));
      const empty = await newOrganization(service);
      for (const domain of [
        foreign.domain,
        "nobody.example",
        "nobody.localhost",
        `${empty.subdomain}.localhost`,
      ]) {
        const answer = await start(organization, { domain });
        expect([answer.status, answer.json]).toEqual([
          404,
          { error: `No project in your organization has the domain ${domain}` },
        ]);
      }
    });

    test("an own project that isn't deployed, a bare subdomain and an unverified domain get an error with a solution", async () => {
      const empty = await newOrganization(service);
      const domain = `${empty.subdomain}.localhost`;
      const undeployed = await start(empty, { domain });
      expect([undeployed.status, undeployed.json.error]).toEqual([
        409,
        `${domain} isn't deployed yet. Deploy the project first.`,
      ]);
      const bare = await start(empty, { domain: empty.subdomain });
      expect([bare.status, bare.json.details]).toEqual([
        400,
        [{ message: `domain must be the full host name: ${domain}` }],
      ]);
      const own = `${empty.subdomain}.example`;
      await empty.client(endpoints.addDomain, {
        params: { projectId: empty.projectId },
        body: { domain: own },
      });
      const unverified = await start(empty, { domain: own });
      expect([unverified.status, unverified.json.error]).toEqual([
        409,
        expect.stringContaining(`${own} isn't verified`),
      ]);
    });

    test("unknown fields are ignored in a start", async () => {
      const answer = await start(organization, {
        domain: organization.domain,
        status: "completed",
        organizationId: "x",
        progress: 50,
      });
      expect([answer.status, answer.json.status, answer.json.progress]).toEqual([202, "queued", 0]);
    });

    test("unknown paths are reported one by one", async () => {
      const answer = await start(organization, {
        domain: organization.domain,
        paths: ["index", "none", "staff", "../x", "404"],
      });
      expect(answer.status).toBe(400);
      expect(answer.json.details.map(({ message }: { message: string }) => message)).toEqual(
        ["none", "staff", "../x", "404"].map((path) => `paths: ${path} isn't a page that can be exported`),
      );
    });

    test("a wrong content type gets 415, and a body that is too large 413", async () => {
      expect(
        (await start(organization, "domain=x", { "content-type": "application/x-www-form-urlencoded" }))
          .status,
      ).toBe(415);
      expect(
        (await start(organization, { domain: "a.example", version: "x".repeat(1_100_000) })).status,
      ).toBe(413);
    });
  });

  test("unknown and foreign jobs get the same error", async () => {
    const other = await deployedOrganization(service, docs(1));
    const { json } = await start(other, { domain: other.domain });
    for (const id of [json.jobId, "se_0000000000000000", "x", "se_%27%20or%201=1", "%00", "a".repeat(300)])
      for (const [method, path] of [
        ["GET", id],
        ["POST", `${id}/bundle`],
      ] as const) {
        const answer = await organization.ask(`${jobsPath}/${path}`, { method });
        expect([answer.status, answer.text], `${method} ${path}`).toEqual([404, '{"error":"Not found"}']);
      }
  });

  test("only completed jobs have a bundle, and each request gets links to the same bytes", async () => {
    const started = await start(organization, { domain: organization.domain });
    const bundlePath = `${jobsPath}/${started.json.jobId}/bundle`;
    const early = await organization.ask(bundlePath, { method: "POST" });
    expect(early.status).toBe(409);
    expect(early.json.error).toMatch(/hasn't completed. Its status is (?:queued|running)\.$/);
    await ended(organization, started.json.jobId);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        organization.ask(bundlePath, { method: "POST", body: "whatever this is" }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ json }) => json.sha256)).size).toBe(1);
    const { bundleUrl, expiresAt } = answers[0]!.json;
    expect(Math.abs(Date.parse(expiresAt) - Date.now() - 3_600_000)).toBeLessThan(30_000);
    const url = new URL(bundleUrl);
    const head = await send({
      port: Number(url.port),
      path: url.pathname + url.search,
      host: url.host,
      method: "HEAD",
    });
    expect(head.status).toBe(200);
    expect(head.headers["content-length"]).toBe(String(answers[0]!.json.sizeBytes));
    expect((await download(organization, started.json.jobId)).sha256).toBe(answers[0]!.json.sha256);
  });

  describe("an Idempotency-Key", () => {
    test("with 50 concurrent requests creates one job", async () => {
      const body = { domain: organization.domain, version: "once" };
      const answers = await Promise.all(
        Array.from({ length: 50 }, () => start(organization, body, { "idempotency-key": "parallel" })),
      );
      const accepted = answers.filter(({ status }) => status === 202);
      // Some requests may be refused because the service is busy, but none creates a second job.
      expect(answers.filter(({ status }) => ![202, 409, 503].includes(status))).toEqual([]);
      expect(new Set(accepted.map(({ json }) => json.jobId)).size).toBe(1);
      expect(accepted.filter(({ headers }) => headers["idempotent-replayed"] === undefined)).toHaveLength(1);
      const later = await start(organization, body, { "idempotency-key": "parallel" });
      expect([later.status, later.headers["idempotent-replayed"]]).toEqual([202, "true"]);
      expect(later.text).toBe(accepted[0]!.text);
    });

    test("with another body is refused, and belongs to its organization", async () => {
      const key = { "idempotency-key": "one-key" };
      const first = await start(organization, { domain: organization.domain }, key);
      expect((await start(organization, { domain: organization.domain, version: "2" }, key)).status).toBe(
        422,
      );
      const other = await deployedOrganization(service, docs(1));
      const theirs = await start(other, { domain: other.domain }, key);
      expect(theirs.status).toBe(202);
      expect(theirs.json.jobId).not.toBe(first.json.jobId);
    });

    test("doesn't store refusals", async () => {
      const key = { "idempotency-key": "refused" };
      expect((await start(organization, { domain: "nobody.example" }, key)).status).toBe(404);
      expect((await start(organization, { domain: organization.domain }, key)).status).toBe(202);
    });

    test.each(["", "a b", "é", "x".repeat(256)])("%j is invalid", async (key) => {
      expect(
        (await start(organization, { domain: organization.domain }, { "idempotency-key": key })).status,
      ).toBe(400);
    });
  });

  describe("while the first deployment is being built", () => {
    const upload = (own: Awaited<ReturnType<typeof newOrganization>>, sources: Record<string, string>) =>
      own.ask(`/v1/projects/${own.projectId}/deployments`, {
        method: "POST",
        body: tarOf(sources),
        headers: { "content-type": "application/gzip" },
      });

    test("an export waits for it, and starts with equal parameters create one job", async () => {
      const own = await newOrganization(service);
      const domain = `${own.subdomain}.localhost`;
      const { json: deployment } = await upload(own, docs(150));
      const starts = await Promise.all(Array.from({ length: 4 }, () => start(own, { domain })));
      const labelled = await start(own, { domain, version: "1" });
      const chosen = await start(own, { domain, paths: ["index"] });
      expect(starts.map(({ status }) => status)).toEqual([202, 202, 202, 202]);
      expect(new Set(starts.map(({ json }) => json.jobId)).size).toBe(1);
      expect(labelled.json.jobId).not.toBe(starts[0]!.json.jobId);
      expect([chosen.status, chosen.json.error]).toEqual([
        409,
        expect.stringContaining("You can select pages after the first build"),
      ]);
      for (const { json } of [starts[0]!, labelled])
        expect(await ended(own, json.jobId)).toMatchObject({
          status: "completed",
          pageCount: 150,
          deploymentId: deployment.id,
        });
    });

    test("if the deployment fails, the export fails and says why", async () => {
      const own = await newOrganization(service);
      await upload(own, {
        "docs.json": "{",
        ...Object.fromEntries(Array.from({ length: 3_000 }, (_, i) => [`p${i}.mdx`, "x"])),
      });
      const { status, json } = await start(own, { domain: `${own.subdomain}.localhost` });
      expect(status).toBe(202);
      expect(await ended(own, json.jobId)).toMatchObject({
        status: "failed",
        error: expect.stringMatching(/^The deployment failed: docs\.json can't be read/),
      });
    });
  });

  describe("the list of jobs", () => {
    const list = async (own: { ask: typeof organization.ask }, query = "") => {
      const { status, json } = await own.ask(`${jobsPath}${query}`);
      expect(status).toBe(200);
      return { ...json, ids: json.jobs.map(({ jobId }: ExportJob) => jobId) };
    };

    test("has the jobs of the organization, newest first, in pages", async () => {
      const own = await deployedOrganization(service, docs(1));
      expect(await list(own)).toEqual({ jobs: [], ids: [], nextCursor: null, hasMore: false });
      const started: string[] = [];
      for (const version of ["a", "b", "c"])
        started.unshift((await start(own, { domain: own.domain, version })).json.jobId);
      const first = await list(own, "?limit=2");
      expect(first).toMatchObject({ ids: started.slice(0, 2), nextCursor: started[1], hasMore: true });
      expect(await list(own, `?limit=2&cursor=${first.nextCursor}`)).toMatchObject({
        ids: started.slice(2),
        nextCursor: null,
        hasMore: false,
      });
      expect((await list(own, `?projectId=${own.projectId}`)).ids).toEqual(started);
      expect((await list(own, `?projectId=${organization.projectId}`)).ids).toEqual([]);
      expect((await list(organization)).ids).not.toContain(started[0]);
      const foreign = await list(organization, `?cursor=${started[0]}`);
      expect(foreign.ids).not.toContain(started[1]);
    });

    test.each([
      ["limit=0", "limit must be an integer between 1 and 100"],
      ["cursor=x", "cursor must be a `nextCursor` from an earlier response"],
      ["projectID=x", 'Unknown parameter "projectID". Did you mean projectId?'],
    ])("%s is refused", async (query, message) => {
      const { status, json } = await organization.ask(`${jobsPath}?${query}`);
      expect([status, json.details]).toEqual([400, [{ message }]]);
    });
  });

  test("a key can cancel jobs of its organization only", async () => {
    const other = await deployedOrganization(service, docs(150));
    const { json } = await start(other, { domain: other.domain });
    const cancel = (by: typeof organization | typeof other, id: string) =>
      by.ask(`${jobsPath}/${id}/cancel`, { method: "POST" });
    expect((await cancel(organization, json.jobId)).status).toBe(404);
    const cancelled = await cancel(other, json.jobId);
    expect([cancelled.status, cancelled.json.status, cancelled.json.error]).toEqual([
      200,
      "failed",
      "The job was canceled",
    ]);
    expect((await cancel(other, json.jobId)).status).toBe(409);
    expect(await ended(other, json.jobId)).toMatchObject({ status: "failed", error: "The job was canceled" });
  });

  test("a job that the operator cancels stays cancelled", async () => {
    const large = await deployedOrganization(service, docs(150));
    const running = await start(large, { domain: large.domain, version: "running" });
    const waiting = await start(large, { domain: large.domain, version: "waiting" });
    const jobs = service.runJobs();
    const seen: ExportJob[] = [];
    await expect
      .poll(async () => (await large.ask(`${jobsPath}/${running.json.jobId}`)).json.status, {
        timeout: 60_000,
        interval: 10,
      })
      .toBe("running");
    const cancel = (jobId: string) => service.operator(endpoints.cancelExport, { params: { jobId } });
    for (const { json } of [running, waiting]) {
      expect(await cancel(json.jobId)).toMatchObject({
        status: "failed",
        error: "The operator canceled the job",
      });
      await expect(cancel(json.jobId)).rejects.toThrow(/already finished/);
    }
    await jobs;
    const next = await start(large, { domain: large.domain });
    expect(await ended(large, next.json.jobId, seen)).toMatchObject({ status: "completed", pageCount: 150 });
    checkHistory(seen);
    for (const { json } of [waiting, running]) {
      expect((await large.ask(`${jobsPath}/${json.jobId}`)).json).toMatchObject({
        status: "failed",
        error: "The operator canceled the job",
      });
      expect((await large.ask(`${jobsPath}/${json.jobId}/bundle`, { method: "POST" })).status).toBe(409);
    }
    await expect(cancel("se_0000000000000000")).rejects.toThrow(/Not found/);
    expect(
      (await large.ask(`/operator${jobsPath}/${next.json.jobId}/cancel`, { method: "POST" })).status,
    ).toBe(401);
  });
});
