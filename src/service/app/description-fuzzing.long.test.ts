/**
 * Schemathesis follows the links of the API's description, and finds no response that the description doesn't
 * allow. CONTRIBUTING.md explains its options.
 */

import { spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newMember } from "../../../test/service/dashboard.ts";
import { docs } from "../../../test/service/deploying.ts";
import type { OpenTestService } from "../../../test/service/open-test-service.ts";
import { operatorToken } from "../../../test/service/service.ts";
import { tarOf } from "../../../test/service/tar.ts";
import { newSite, type TestSite, trusting } from "../../../test/service/test-sites.ts";
import { openTestService } from "../../../test/shared/service.ts";
import { ulidMaker } from "../../base/ulid.ts";
import { endpoints } from "./endpoints.ts";

const isInstalled = spawnSync("schemathesis", ["--version"], { stdio: "ignore" }).status === 0;
if (!isInstalled) console.error("The description isn't fuzzed: schemathesis isn't installed.");

const work = mkdtempSync(path.join(tmpdir(), "octavo-fuzzing-"));
let service: OpenTestService;
let site: TestSite;

beforeAll(async () => {
  if (!isInstalled) return;
  service = await openTestService({
    background: true,
    env: { ...trusting, OCTAVO_OUTBOUND_ALLOW: "127.0.0.1:9", OCTAVO_GIT_ALLOW: "http private" },
  });
  site = await newSite(service);
});
afterAll(async () => {
  await service?.stop();
  rmSync(work, { recursive: true, force: true });
});

/** Objects that are listed, so that the links from lists lead somewhere, also after some were deleted. */
async function createObjects(): Promise<void> {
  const { organization } = site;
  const { client, projectId, subdomain } = organization;
  const timestamp = new Date("2026-01-02T03:04:05.000Z");
  const id = ulidMaker(() => timestamp.getTime(), randomBytes)();
  const conversation = {
    id,
    timestamp: timestamp.toISOString(),
    query: "How?",
    response: "So.",
    sources: [],
    resolutionStatus: "unanswered",
    queryCategory: null,
    pageUrl: null,
  };
  await client(endpoints.importConversations, { params: { projectId }, body: JSON.stringify(conversation) });
  await client(endpoints.addDomain, { params: { projectId }, body: { domain: `docs.${subdomain}.example` } });
  for (let i = 0; i < 5; i++) {
    await client(endpoints.startExport, { body: { domain: `${subdomain}.localhost`, version: `v${i}` } });
    await client(endpoints.createWebhook, {
      body: { url: "http://127.0.0.1:9/", events: ["deployment.failed"] },
    });
    await newMember(service, organization.id);
  }
  for (const { id: userId } of await service.service.db.selectFrom("users").select("id").execute())
    await service.operator(endpoints.addOperator, { body: { userId } });
}

/** Sends an archive of a documentation folder, and lines of JSON, where the API expects them. */
const hooks = `
import schemathesis
from hypothesis import strategies
archive = open("docs.tar.gz", "rb").read()
schemathesis.openapi.media_type("application/gzip", strategies.sampled_from([archive, b"text"]))
schemathesis.openapi.media_type("application/x-ndjson", strategies.sampled_from([b"{}", b"text"]))
`;

interface Run {
  output: string;
  code: number | null;
  /** Number of operations that were called. */
  tested: number;
}

/** Operations that would delete the objects that the other operations need, or lower their plan. */
const excluded = ["deleteOrganization", "deleteProject", "revokeKey", "changeOrganization"];

function configuration(): string {
  const bearer = (token: string) => `headers = { Authorization = "Bearer ${token}" }`;
  return [
    // Only the documented links.
    "[phases.stateful]",
    "inference = { algorithms = [] }",
    // A generated body can also be too large.
    "[checks.negative_data_rejection]",
    'expected-statuses = [400, 401, 403, 404, 405, 406, 409, 413, 415, 422, 428, 429, "5xx"]',
    "[[operations]]",
    'include-path-regex = "^/operator/"',
    bearer(operatorToken),
    "[[operations]]",
    'include-path-regex = "^/v1/(assistant|search|page)/"',
    bearer(site.key),
    `parameters = { "path.domain" = "${site.organization.subdomain}" }`,
    "[[operations]]",
    'include-path-regex = "^/v1/(?!(assistant|search|page)/)"',
    bearer(site.organization.key),
  ].join("\n");
}

function fuzz(): Promise<Run> {
  writeFileSync(path.join(work, "schemathesis.toml"), configuration());
  writeFileSync(path.join(work, "docs.tar.gz"), tarOf(docs("Text")));
  writeFileSync(path.join(work, "hooks.py"), hooks);
  const words = [
    "run",
    `http://localhost:${service.port}/openapi.json`,
    "--phases=stateful",
    "--exclude-checks=positive_data_acceptance,ensure_resource_availability",
    "--max-examples=400",
    "--max-time=420",
    "--workers=2",
    ...excluded.map((id) => `--exclude-operation-id=${id}`),
    "--generation-with-security-parameters=false",
    "--continue-on-failure",
    "--seed=1",
    "--no-color",
  ];
  return new Promise((resolve) => {
    const child = spawn("schemathesis", words, {
      cwd: work,
      env: { ...process.env, SCHEMATHESIS_HOOKS: "hooks" },
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
    child.once("exit", (code) => {
      const [, tested = "0"] = /^ *Tested: (\d+)$/m.exec(output) ?? [];
      resolve({ output, code, tested: Number(tested) });
    });
  });
}

test.skipIf(!isInstalled)(
  "chains of requests along the documented links don't fail",
  async () => {
    await createObjects();
    const { output, code, tested } = await fuzz();
    expect([code, code === 0 ? "" : output]).toEqual([0, ""]);
    console.log(`${tested} of ${Object.keys(endpoints).length} operations were called`);
    expect(tested).toBeGreaterThan(Object.keys(endpoints).length * 0.8);
  },
  600_000,
);
