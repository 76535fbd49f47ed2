/**
 * Runs the images as the chart runs them: a read-only root, a random user, no capabilities, and a memory
 * limit.
 */

import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bundle, bundleOf } from "../bundle/bundles.ts";
import { buildImages, images, podman, podmanArgs, podmanEnv } from "./images.js";

const folder = mkdtempSync(path.join(tmpdir(), "octavo-images-"));
const started: string[] = [];
const volumes: string[] = [];

beforeAll(() => {
  buildImages();
  // The containers' user must be able to read the bundles.
  chmodSync(folder, 0o755);
  // Random bytes, because the archive is compressed.
  const page = Buffer.from(crypto.getRandomValues(new Uint8Array(60_000))).toString("base64");
  const pages = Object.fromEntries(
    Array.from({ length: 100 }, (_, index) => [`guides/${index}.html`, page + index]),
  );
  writeFileSync(path.join(folder, "large.tar.gz"), bundleOf("v2", pages));
});

afterAll(() => {
  const remove = (...args: string[]) =>
    spawnSync("podman", podmanArgs([...args, "--force"]), { env: podmanEnv() });
  for (const name of started) remove("rm", name);
  for (const name of volumes) remove("volume", "rm", name);
  rmSync(folder, { recursive: true, force: true });
});

interface Container {
  /** Status of a path. 0 if there's no response. */
  status(path: string): Promise<number>;
  text(path: string): Promise<string>;
  exec(...command: string[]): string;
  logs(): string;
  /**
   * Sends SIGTERM. Returns the exit code, which is 137 if the process didn't stop within the grace period.
   */
  stop(): number;
  restart(): void;
}

const graceSeconds = 35;

async function start(
  image: keyof typeof images,
  options: readonly string[],
  args: readonly string[] = [],
): Promise<Container> {
  const port = await freePort();
  const name = `octavo-test-${process.pid}-${started.length}`;
  started.push(name);
  const security = [
    "--read-only",
    "--tmpfs",
    "/tmp:size=100m",
    "--user",
    "54321:0",
    "--cap-drop",
    "ALL",
    "--security-opt",
    "no-new-privileges",
  ];
  const network = ["--network", "host", "--env", "HOST=127.0.0.1", "--env", `PORT=${port}`];
  const files = ["--volume", `${folder}:/bundles:ro`];
  podman([
    "run",
    "--detach",
    "--name",
    name,
    ...security,
    ...network,
    ...files,
    ...options,
    images[image],
    ...args,
  ]);
  const request = (at: string) => fetch(`http://127.0.0.1:${port}${at}`);
  return {
    status: (at) =>
      request(at).then(
        ({ status }) => status,
        () => 0,
      ),
    text: async (at) => (await request(at)).text(),
    exec: (...command) => podman(["exec", name, ...command]).trim(),
    logs: () =>
      spawnSync("podman", podmanArgs(["logs", name]), { env: podmanEnv(), encoding: "utf8" }).stderr,
    stop() {
      podman(["stop", "--time", String(graceSeconds), name]);
      return Number(podman(["inspect", "--format", "{{.State.ExitCode}}", name]));
    },
    restart: () => void podman(["start", name]),
  };
}

/** Options for a volume that is removed after the tests. */
function newVolume(): string[] {
  volumes.push(`octavo-data-${process.pid}-${volumes.length}`);
  return ["--volume", `${volumes.at(-1)}:/data`];
}

const isReady = (container: Container) =>
  expect.poll(() => container.status("/readyz"), { timeout: 90_000, interval: 200 }).toBe(200);

const servers: [keyof typeof images, string[]][] = [
  ["octavo-bundle", []],
  ["octavo", ["bundle-server"]],
];

describe.each(servers)("%s serves a bundle", (image, args) => {
  test("without privileges, in 96 MB, and again after a stop, when the URL has expired", async () => {
    const file = `${image}.tar.gz`;
    writeFileSync(path.join(folder, file), bundle("v1", "small"));
    const options = ["--memory", "96m", ...newVolume(), "--env", `OCTAVO_BUNDLE_URL=/bundles/${file}`];
    const server = await start(image, options, args);
    await isReady(server);
    expect(await server.text("/")).toContain("small");
    const status = server.exec("cat", "/proc/1/status");
    expect(status).toMatch(/^Uid:\s+54321\s/m);
    expect(status).toMatch(/^CapEff:\s+0+$/m);
    expect(status).toMatch(/^NoNewPrivs:\s+1$/m);
    expect(() => server.exec("touch", "/octavo/file")).toThrow(/Read-only file system/);
    expect(server.stop()).toBe(0);
    rmSync(path.join(folder, file));
    server.restart();
    await isReady(server);
    expect(await server.text("/")).toContain("small");
    expect(server.stop()).toBe(0);
  });

  test("and reports a full volume without stopping", async () => {
    const disk = ["--mount", "type=tmpfs,destination=/data,tmpfs-size=4m,tmpfs-mode=0770"];
    const server = await start(image, [...disk, "--env", "OCTAVO_BUNDLE_URL=/bundles/large.tar.gz"], args);
    await expect.poll(() => server.logs(), { timeout: 60_000 }).toMatch(/space|full/i);
    expect([await server.status("/healthz"), await server.status("/readyz")]).toEqual([200, 503]);
    expect(server.stop()).toBe(0);
  });
});

test("octavo runs the service without privileges, stops within its grace period, and keeps its data", async () => {
  const options = ["--memory", "1g", ...newVolume(), "--env", "OCTAVO_DOCS="];
  const service = await start("octavo", options);
  await isReady(service);
  const secret = service.exec("cat", "/data/secret");
  expect(service.exec("cat", "/proc/1/status")).toMatch(/^Uid:\s+54321\s/m);
  expect(service.stop()).toBe(0);
  service.restart();
  await isReady(service);
  expect(service.exec("cat", "/data/secret")).toBe(secret);
  expect(service.stop()).toBe(0);
});

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
