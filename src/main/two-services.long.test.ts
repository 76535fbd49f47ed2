/** Two services on one data folder, in two PID namespaces, as two containers with one volume. */

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { root, temporaryFolder } from "../../test/engine/build.ts";
import { freePort } from "../../test/service/postgres.ts";
import { send } from "../../test/service/service.ts";

const token = "operator-token-of-all-of-the-tests";
const unshare = ["unshare", "--pid", "--fork", "--mount-proc", "--kill-child"];
const canUnshare = spawnSync(unshare[0]!, [...unshare.slice(1), "true"]).status === 0;

/**
 * Number of starts after a kill. Each takes more than 10 s, because the lock of a killed service is taken
 * over after 10 s.
 */
const starts = Number(process.env.OCTAVO_STARTS ?? 3);

const started: ChildProcess[] = [];
afterAll(() => {
  for (const child of started) child.kill("SIGKILL");
});

async function start(dataFolder: string) {
  const port = await freePort();
  const env = {
    PATH: process.env.PATH,
    HOME: dataFolder,
    PORT: String(port),
    OCTAVO_DATA: dataFolder,
    OCTAVO_URL: `http://localhost:${port}`,
    OCTAVO_OPERATOR_TOKEN: token,
    OCTAVO_LOG_LEVEL: "warn",
    OCTAVO_DOCS: "",
  };
  const command = [...unshare.slice(1), process.execPath, path.join(root, "bin/octavo.js"), "serve"];
  const child = spawn(unshare[0]!, command, { cwd: dataFolder, env, stdio: ["ignore", "pipe", "pipe"] });
  started.push(child);
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => child.once("exit", (code) => resolve(code)));
  const call = (method: "GET" | "POST", body?: object) =>
    send({
      port,
      path: "/operator/v1/organizations",
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
  const isReady = () =>
    send({ port, path: "/readyz" }).then(
      ({ status }) => status === 200,
      () => false,
    );
  return { child, call, ended, isReady, output: () => output };
}

async function ready(service: Awaited<ReturnType<typeof start>>): Promise<void> {
  await expect.poll(service.isReady, { timeout: 180_000 }).toBe(true);
}

test.skipIf(!canUnshare)(
  "the second service refuses to start and names the holder, and nothing is lost",
  { timeout: 180_000 },
  async () => {
    const folder = temporaryFolder();
    const first = await start(folder);
    await ready(first);
    expect((await first.call("POST", { name: "Acknowledged", plan: "free" })).status).toBe(201);
    const second = await start(folder);
    expect(await second.ended).not.toBe(0);
    expect(second.output()).toMatch(/in use|is used by/i);
    const lock = readFileSync(path.join(folder, "lock"), "utf8");
    expect(second.output()).toContain((JSON.parse(lock) as { host: string }).host);
    expect((await first.call("GET")).text).toContain("Acknowledged");
    expect(readdirSync(folder)).toContain("postgres");
  },
);

test.skipIf(!canUnshare)(
  `${starts} starts after a kill, in a new namespace each time, and every acknowledged write is there`,
  { timeout: 1_800_000 },
  async () => {
    const folder = temporaryFolder();
    const acknowledged: string[] = [];
    for (let round = 0; round < starts; round++) {
      const service = await start(folder);
      await ready(service);
      const { text } = await service.call("GET");
      for (const name of acknowledged) expect(text).toContain(name);
      const name = `Round-${round}`;
      expect((await service.call("POST", { name, plan: "free" })).status).toBe(201);
      acknowledged.push(name);
      service.child.kill("SIGKILL");
      await service.ended;
    }
  },
);
