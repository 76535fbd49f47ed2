/** Several web processes on one port. */

import { execFileSync, spawnSync } from "node:child_process";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { root, temporaryFolder } from "../../test/engine/build.ts";
import { deploy, docs, visit } from "../../test/service/deploying.ts";
import { newOrganization, type RunningService, type TestOrganization } from "../../test/service/service.ts";
import { until } from "../../test/service/until.ts";
import { createDatabase } from "../../test/shared/database.ts";
import { startService } from "../../test/shared/service.ts";

let web: RunningService;
let worker: RunningService;
let organization: TestOrganization;

/** The IDs of the processes that answer requests. */
function processes(): number[] {
  const found = spawnSync("pgrep", ["-P", String(web.process.pid), "-f", "serve --role web"], {
    encoding: "utf8",
  });
  return found.stdout.split("\n").filter(Boolean).map(Number).sort();
}

/** How many of 40 requests, each with a connection of its own, get a page with the text. */
async function countPages(text: string): Promise<number> {
  const host = `${organization.subdomain}.localhost`;
  const pages = await Promise.all(Array.from({ length: 40 }, () => visit(web, host)));
  return pages.filter((page) => page.status === 200 && page.text.includes(text)).length;
}

beforeAll(async () => {
  const folder = temporaryFolder();
  const shared = { databaseUrl: await createDatabase(), storage: `file:${path.join(folder, "objects")}` };
  web = await startService({ ...shared, role: "web", env: { OCTAVO_WEB_PROCESSES: "2" } });
  worker = await startService({ ...shared, role: "worker" });
  organization = await newOrganization(web);
});
afterAll(async () => {
  await worker?.stop();
  web?.process.kill("SIGKILL");
});

test("all processes switch to a new deployment", async () => {
  await until(async () => processes().length === 2);
  for (const text of ["First text", "Second text"]) {
    await deploy(organization, docs(text));
    await until(async () => (await countPages(text)) === 40);
  }
});

test("a process that is killed is started again, and the other one answers until then", async () => {
  const [killed, other] = processes();
  process.kill(killed!, "SIGKILL");
  await until(async () => !processes().includes(killed!));
  expect(await countPages("Second text")).toBe(40);
  await until(async () => processes().length === 2);
  expect(processes()).toContain(other);
  expect(await countPages("Second text")).toBe(40);
});

test("SIGTERM stops all processes", async () => {
  const before = processes();
  expect(await web.stop()).toBe(0);
  for (const pid of before) expect(() => process.kill(pid, 0)).toThrow("ESRCH");
});

test.each([
  ["--role all", ["serve"], { DATABASE_URL: "postgres://127.0.0.1:1/a" }],
  ["the embedded database", ["serve", "--role", "web"], {}],
])("several processes are refused with %s", (_, args, env) => {
  const folder = temporaryFolder();
  const run = () =>
    execFileSync(process.execPath, [path.join(root, "bin/octavo.js"), ...args], {
      env: { PATH: process.env.PATH, HOME: folder, OCTAVO_DATA: folder, OCTAVO_WEB_PROCESSES: "2", ...env },
      stdio: "pipe",
      encoding: "utf8",
    });
  expect(run).toThrow(
    expect.objectContaining({
      status: 2,
      stderr: expect.stringContaining("OCTAVO_WEB_PROCESSES needs --role web"),
    }),
  );
});
