/** Repeated exports: unchanged files, deltas, and identical bytes from different workers. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startBundleServer } from "../../../test/bundle/server.ts";
import {
  deploy,
  deployedOrganization,
  docs,
  download,
  ended,
  jobsPath,
  start,
  unpack,
} from "../../../test/service/exports.ts";
import {
  type ServiceOptions,
  send,
  type TestOrganization,
  type TestService,
} from "../../../test/service/service.ts";
import { createDatabase } from "../../../test/shared/database.ts";
import { openTestService } from "../../../test/shared/service.ts";

/** A site with enough pages that one edit changes only a small part. */
const site = docs(40, {
  "long.mdx": `---\ntitle: A long page\n---\n\n${Array.from({ length: 300 }, (_, i) => `Sentence number ${i} of many, with word${i}.`).join(" ")}\n`,
});

async function exported(
  organization: TestOrganization & { domain: string },
  body: object = {},
): Promise<string> {
  const { json } = await start(organization, { domain: organization.domain, ...body });
  expect(await ended(organization, json.jobId)).toMatchObject({ status: "completed" });
  return json.jobId;
}

async function linksTo(organization: TestOrganization, jobId: string) {
  const { json } = await organization.ask(`${jobsPath}/${jobId}/bundle`, { method: "POST" });
  return json as {
    bundleUrl: string;
    sizeBytes: number;
    deltaUrl: string | null;
    deltaSizeBytes: number | null;
  };
}

describe("a second export", () => {
  let service: TestService;
  let organization: Awaited<ReturnType<typeof deployedOrganization>>;
  const folder = mkdtempSync(path.join(tmpdir(), "octavo-volume-"));
  let first: string;

  beforeAll(async () => {
    service = await openTestService();
    organization = await deployedOrganization(service, site);
    first = await exported(organization, { version: "v1" });
  });
  afterAll(async () => {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test("the first one has no delta", async () => {
    expect(await linksTo(organization, first)).toMatchObject({ deltaUrl: null, deltaSizeBytes: null });
  });

  test("after an edit of one page has all other files unchanged and a small delta", async () => {
    await deploy(organization, {
      ...site,
      "long.mdx": `${site["long.mdx"]}\n## A new heading\n\nOne more paragraph.\n`,
    });
    const second = await exported(organization, { version: "v2" });
    const [before, after] = [await download(organization, first), await download(organization, second)];
    const changed = [...after.files]
      .flatMap(([name, bytes]) => (before.files.get(name)?.equals(bytes) ? [] : [name]))
      .sort();
    expect(changed).toEqual([
      ".well-known/llms-full.txt",
      "_octavo/passages/en/p10.js",
      "_octavo/search/en/d5.js",
      "_octavo/search/en/head.js",
      "_octavo/search/en/t1.js",
      "_octavo/search/en/t2.js",
      "llms-full.txt",
      "long.html",
      "long.md",
    ]);
    const { sizeBytes, deltaUrl, deltaSizeBytes } = await linksTo(organization, second);
    const url = new URL(deltaUrl!);
    const answer = await send({ port: Number(url.port), path: url.pathname + url.search, host: url.host });
    expect([answer.status, answer.headers["content-disposition"]]).toEqual([
      200,
      'attachment; filename="bundle.delta.tar.gz"',
    ]);
    expect(answer.body.length).toBe(deltaSizeBytes);
    expect(deltaSizeBytes).toBeLessThan(sizeBytes / 10);
    const held = [...(await unpack(answer.body)).keys()].map((name) =>
      name.replace(/^(?:patch|whole)\//, ""),
    );
    expect(held.sort()).toEqual([...changed, "delta.json", "manifest.json", "octavo.config.js"].sort());
  });

  test("is loaded as a delta by a bundle server that has the first one", async () => {
    const before = await linksTo(organization, await exported(organization, { version: "v3" }));
    const server = await startBundleServer({ OCTAVO_BUNDLE_URL: before.bundleUrl }, { volume: folder });
    expect(await server.settled()).toMatchObject({ code: 200, version: "v3" });
    await server.stop();
    await deploy(organization, { ...site, "long.mdx": `${site["long.mdx"]}\nA last word.\n` });
    // There is no delta between exports of different page selections.
    expect(await linksTo(organization, await exported(organization, { paths: ["/long"] }))).toMatchObject({
      deltaUrl: null,
    });
    const after = await linksTo(organization, await exported(organization, { version: "v4" }));
    // The bundle's URL doesn't work, so the site can only come from the delta.
    const env = { OCTAVO_BUNDLE_URL: path.join(folder, "nothing"), OCTAVO_BUNDLE_DELTA_URL: after.deltaUrl! };
    const second = await startBundleServer(env, { volume: folder });
    expect(await second.settled()).toEqual({ code: 200, status: "ready", version: "v4", stale: false });
    expect((await second.get("/long")).text).toContain("A last word.");
    await second.stop();
  });
});

describe("two workers", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "octavo-shared-"));
  let shared: ServiceOptions;
  let web: TestService;

  beforeAll(async () => {
    shared = {
      databaseUrl: await createDatabase(),
      storage: `file:${path.join(folder, "objects")}`,
      secret: "shared-secret of this test, long enough to be one",
    };
    web = await openTestService({ ...shared, role: "web" });
  });
  afterAll(async () => {
    await web.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test("export one deployment to identical bytes, one with a build cache and the other without", async () => {
    const one = await openTestService({ ...shared, role: "worker", background: true });
    const organization = await deployedOrganization(web, site);
    const first = await exported(organization);
    await one.stop();
    const other = await openTestService({ ...shared, role: "worker", background: true });
    const second = await exported(organization);
    await other.stop();
    expect((await download(organization, second)).sha256).toBe((await download(organization, first)).sha256);
  });
});
