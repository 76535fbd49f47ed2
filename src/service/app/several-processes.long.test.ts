/**
 * Two web and two worker processes with a shared PostgreSQL database and, if it is installed, an S3 store.
 * Requests go to both web processes. At the end, a worker and a web process are killed.
 */

import { afterAll, beforeAll, expect, test } from "vitest";
import { deploy, ended as deployed, docs, upload, visit } from "../../../test/service/deploying.ts";
import {
  checkHistory,
  download,
  type ExportJob,
  ended as exported,
  docs as manyPages,
  start as startExport,
} from "../../../test/service/exports.ts";
import {
  newOrganization,
  type RunningService,
  send,
  type TestOrganization,
} from "../../../test/service/service.ts";
import { tarOf } from "../../../test/service/tar.ts";
import { until } from "../../../test/service/until.ts";
import { createDatabase } from "../../../test/shared/database.ts";
import { startService } from "../../../test/shared/service.ts";
import { missingSwift, startSwift } from "../../../test/shared/swift.js";
import { ulidTime } from "../../base/ulid.ts";
import { endpoints } from "./endpoints.ts";

const why = missingSwift();
if (why) console.error(`S3 is left out of the test of several processes: ${why}`);

let swift: Awaited<ReturnType<typeof startSwift>> | undefined;
const web: RunningService[] = [];
const workers: RunningService[] = [];
let one: TestOrganization;
/** The same organization, with requests to the other web process. */
let other: TestOrganization;

beforeAll(async () => {
  swift = why ? undefined : await startSwift();
  await swift?.createBucket("octavo-processes");
  const shared = {
    databaseUrl: await createDatabase(),
    secret: "shared by all processes of this test, long enough to be one",
    ...(swift ? { storage: swift.storage("octavo-processes") } : {}),
  };
  const env = { ...swift?.env, OCTAVO_ANALYTICS_LIMIT: "100" };
  const first = await startService({ ...shared, env, role: "web" });
  const storage = swift ? {} : { storage: `file:${first.dataFolder}/objects` };
  const start = (role: "web" | "worker") => startService({ ...shared, ...storage, env, role });
  const [second, ...jobs] = await Promise.all([start("web"), start("worker"), start("worker")]);
  web.push(first, second);
  workers.push(...jobs);
  one = await newOrganization(first);
  other = through(web[1]!);
});
afterAll(async () => {
  for (const service of [...workers, ...web].filter(
    ({ process: child }) => child.exitCode === null && child.signalCode === null,
  ))
    await service.stop();
  await swift?.stop();
});

function through(service: RunningService): TestOrganization {
  const ask: TestOrganization["ask"] = (path, more = {}) =>
    send({
      port: service.port,
      path,
      ...more,
      headers: { authorization: `Bearer ${one.key}`, ...more.headers },
    });
  return { ...one, ask };
}

const host = () => `${one.subdomain}.localhost`;
const says = async (service: RunningService, text: string) =>
  (await visit(service, host())).text.includes(text);

test("a deployment that one process accepts is served by the other", async () => {
  const { json } = await upload(one, tarOf(docs("First of all")));
  const { status } = await deployed(one, json.id);
  expect(status).toBe("success");
  for (const service of web) await until(() => says(service, "First of all"));
});

test("a rollback at one process takes effect at both", async () => {
  const before = (await one.ask(`/v1/projects/${one.projectId}`)).json.liveDeploymentId;
  await deploy(one, docs("Second thoughts"));
  for (const service of web) await until(() => says(service, "Second thoughts"));
  expect((await other.ask(`/v1/deployments/${before}/rollback`, { method: "POST" })).status).toBe(200);
  for (const service of web) await until(() => says(service, "First of all"));
});

test("readers' sign-in that is set at one process applies at the other", async () => {
  const change = (signIn: object) =>
    one.ask(`/v1/projects/${one.projectId}`, {
      method: "PATCH",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ signIn }),
    });
  await change({ mode: "password", password: "correct horse" });
  await until(async () => (await visit(web[1]!, host(), "/", { accept: "text/html" })).status === 302);
  await change({ mode: "none" });
  await deploy(one, docs("Open again"));
  await until(() => says(web[1]!, "Open again"));
});

test("a key that is revoked at one process is refused by the other", async () => {
  const params = { organizationId: one.id };
  const { id, key } = await web[0]!.operator(endpoints.createKey, { params, body: { name: "short" } });
  const ask = () =>
    send({ port: web[1]!.port, path: "/v1/projects", headers: { authorization: `Bearer ${key}` } });
  expect((await ask()).status).toBe(200);
  await web[0]!.operator(endpoints.revokeKey, { params: { ...params, keyId: id } });
  expect((await ask()).status).toBe(401);
});

test("data imported at one process is listed by the other, and the rate limit is shared", async () => {
  const list = `/v1/analytics/${one.projectId}/assistant`;
  const id = "01KE3WQ5R0ABCDEFGHJKMNPQRS";
  const timestamp = new Date(ulidTime(id)).toISOString();
  const row = {
    id,
    timestamp,
    query: "q",
    response: "r",
    sources: [],
    resolutionStatus: "answered",
    queryCategory: null,
    pageUrl: null,
  };
  const headers = { "content-type": "application/x-ndjson" };
  expect(
    (await one.ask(`${list}/import`, { method: "POST", body: JSON.stringify(row), headers })).json.added,
  ).toBe(1);
  expect((await other.ask(list)).json.conversations.map((item: { id: string }) => item.id)).toEqual([id]);
  const answers = await Promise.all(Array.from({ length: 140 }, (_, n) => (n % 2 ? one : other).ask(list)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(99);
});

test("if a worker is killed, the other one completes its export with a complete bundle", async () => {
  await deploy(one, manyPages(300));
  const job = (await startExport(one, { domain: host() })).json as ExportJob;
  const seen: ExportJob[] = [];
  await until(async () => {
    seen.push((await other.ask(`/v1/static-export/jobs/${job.jobId}`)).json);
    return seen.at(-1)!.status === "running";
  }, 60_000);
  // Either worker may have the job; if it is killed, the other one takes it.
  workers[0]!.process.kill("SIGKILL");
  const end = await exported(other, job.jobId, seen, 150_000);
  expect(end).toMatchObject({ status: "completed", pageCount: 300 });
  checkHistory(seen);
  expect((await download(other, job.jobId)).files.size).toBeGreaterThan(300);
}, 240_000);

test("if a web process is killed, the other one still responds", async () => {
  web[0]!.process.kill("SIGKILL");
  const id = (await upload(other, tarOf(docs("After the loss")))).json.id;
  await until(async () => (await other.ask(`/v1/deployments/${id}`)).json.status === "success", 30_000);
  await until(() => says(web[1]!, "After the loss"));
  expect((await other.ask("/v1/projects")).status).toBe(200);
});
