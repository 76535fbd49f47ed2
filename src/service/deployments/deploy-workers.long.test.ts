/** Deployments with several processes: order, killed and late workers, and requests during deployments. */

import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { deploy, docs, ended, upload, visit } from "../../../test/service/deploying.ts";
import {
  newOrganization,
  type RunningService,
  type ServiceOptions,
  type TestOrganization,
} from "../../../test/service/service.ts";
import { tarOf } from "../../../test/service/tar.ts";
import { until } from "../../../test/service/until.ts";
import { createDatabase } from "../../../test/shared/database.ts";
import { startService } from "../../../test/shared/service.ts";
import { endpoints } from "../app/endpoints.ts";

/** A site that takes some seconds to build. */
function slowDocs(text: string) {
  const paragraph = "Words that `take` a *while* to be [read](/page-1).\n\n";
  const code = "```ts\nconst a: number = 1;\nfunction f(x: string) { return `${x}`; }\n```\n\n";
  const page = (i: number) =>
    `---\ntitle: P${i}\n---\n\n${(paragraph + code.replaceAll("f(", `f${i}(`)).repeat(20)}`;
  return docs(text, Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`page-${i}.mdx`, page(i)])));
}

describe("two processes on one database", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "octavo-shared-"));
  let shared: ServiceOptions;
  let first: RunningService;
  let second: RunningService;
  let organization: TestOrganization;
  let host = "";

  beforeAll(async () => {
    shared = {
      databaseUrl: await createDatabase(),
      storage: `file:${path.join(folder, "objects")}`,
      secret: "shared-secret of this test, long enough to be one",
    };
    [first, second] = [await startService(shared), await startService(shared)];
    organization = await newOrganization(first);
    host = `${organization.subdomain}.localhost`;
  });
  afterAll(async () => {
    await Promise.all([first.stop(), second.stop()]);
    rmSync(folder, { recursive: true, force: true });
  });

  const get = (id: string) => organization.client(endpoints.getDeployment, { params: { id } });
  const inProgress = (id: string) => until(async () => (await get(id)).status === "in_progress", 10_000);
  const both = (text: string) =>
    until(async () =>
      (await Promise.all([first, second].map((one) => visit(one, host)))).every((answer) =>
        answer.text.includes(text),
      ),
    );

  test("every process serves a new deployment", async () => {
    await deploy(organization, docs("Everywhere"));
    await both("Everywhere");
  });

  test("of two deployments the later created one is live, whichever ends last", async () => {
    const slow = (await upload(organization, tarOf(slowDocs("Slow A")))).json.id;
    await inProgress(slow);
    const fast = await ended(organization, (await upload(organization, tarOf(docs("Fast B")))).json.id);
    expect(fast).toMatchObject({ status: "success", isLive: true });
    expect((await get(slow)).status).toBe("in_progress");
    expect(await ended(organization, slow)).toMatchObject({
      status: "success",
      isLive: false,
      summary: expect.stringMatching(/^Superseded/),
    });
    await both("Fast B");
    expect((await get(fast.id)).isLive).toBe(true);
  });

  test("a paused worker loses its deployment to another one, and changes nothing when it continues", async () => {
    const third = await startService({ ...shared, role: "worker" });
    // Now only the third process takes jobs.
    await Promise.all([first.stop(), second.stop()]);
    first = await startService({ ...shared, role: "web" });
    const asked = await upload(
      { ...organization, ask: (target, more) => organization.ask(target, { ...more, port: first.port }) },
      tarOf(slowDocs("Taken over")),
    );
    const { id } = asked.json;
    const look = async () => (await organization.ask(`/v1/deployments/${id}`, { port: first.port })).json;
    await until(async () => (await look()).status === "in_progress", 10_000);
    third.process.kill("SIGSTOP");
    second = await startService(shared);
    await until(async () => (await look()).status === "success", 60_000);
    const before = await look();
    third.process.kill("SIGCONT");
    await new Promise((resolve) => setTimeout(resolve, 6_000));
    expect(await look()).toEqual(before);
    expect(before.isLive).toBe(true);
    await both("Taken over");
    // No temporary files are left in either process.
    await until(async () => [second, third].every((one) => leftovers(one.dataFolder).length === 0), 20_000);
    third.process.kill("SIGKILL");
    rmSync(third.dataFolder, { recursive: true, force: true });
  }, 180_000);
});

function leftovers(dataFolder: string): string[] {
  try {
    return readdirSync(path.join(dataFolder, "work/deployments"));
  } catch {
    return [];
  }
}

test("a service that is killed during a deployment continues it after a restart", async () => {
  const dataFolder = mkdtempSync(path.join(tmpdir(), "octavo-killed-"));
  let service = await startService({ dataFolder });
  const organization = await newOrganization(service);
  await deploy(organization, docs("Before"));
  const { id } = (await upload(organization, tarOf(slowDocs("After the fall")))).json;
  await until(async () => (await organization.ask(`/v1/deployments/${id}`)).json.status === "in_progress");
  const gone = new Promise((resolve) => service.process.once("exit", resolve));
  service.process.kill("SIGKILL");
  await gone;
  const { port } = service;
  service = await startService({ dataFolder, port });
  const host = `${organization.subdomain}.localhost`;
  expect((await visit(service, host)).text).toContain("Before");
  expect(await ended(organization, id, 150_000)).toMatchObject({ status: "success", isLive: true });
  await until(async () => (await visit(service, host)).text.includes("After the fall"));
  await expect.poll(() => leftovers(dataFolder)).toEqual([]);
  await service.stop();
  rmSync(dataFolder, { recursive: true, force: true });
}, 240_000);

test("deployments under load: no request fails, and no page view mixes two deployments", async () => {
  const script = path.resolve("test/service/deploys-under-load.js");
  const { stdout } = await promisify(execFile)(process.execPath, [script, "--deploys", "4", "--rate", "100"]);
  expect(JSON.parse(stdout)).toMatchObject({ deploys: 4, failed: 0, mixed: 0, older: 0 });
}, 180_000);
