// Starts OpenStack Swift with its S3 API on this machine, as an independent S3 server for tests.
import { execFile, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { run } from "../../scripts/prepare.js";
import { mayInstall } from "./may-install.js";

const packages = ["swift-proxy", "swift-account", "swift-container", "swift-object", "memcached"];
const executables = [
  "swift-proxy-server",
  "swift-account-server",
  "swift-container-server",
  "swift-object-server",
  "memcached",
];

/** Returns the reason if Swift isn't available, and undefined if it is. */
export function missingSwift() {
  return executables.every(isThere) ? undefined : "OpenStack Swift isn't installed";
}

/**
 * Installs Swift if that is possible and allowed. Resolves with the reason if Swift isn't available, and with
 * undefined if it is.
 */
export async function ensureSwift() {
  if (!missingSwift()) return undefined;
  if (process.getuid?.() !== 0) return "OpenStack Swift isn't installed, and only root can install it";
  if (!isThere("apt-get")) return "OpenStack Swift isn't installed, and this system has no apt-get";
  if (!(await mayInstall("The tests of S3 need OpenStack Swift. Install it with apt-get?")))
    return "OpenStack Swift isn't installed";
  console.error("Installing OpenStack Swift with apt-get…");
  const quiet = {
    stdio: ["ignore", "ignore", "ignore"],
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  };
  // apt-get must not ask questions.
  const install = () =>
    run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...packages], quiet);
  if (install() !== 0) {
    run("apt-get", ["update", "-qq"], quiet);
    install();
  }
  return executables.every(isThere) ? undefined : "OpenStack Swift couldn't be installed with apt-get";
}

/**
 * Starts the servers. In the result, `storage` returns a value for OCTAVO_STORAGE, and `env` has the
 * credentials of the client.
 */
export async function startSwift() {
  const folder = mkdtempSync(path.join(tmpdir(), "octavo-swift-"));
  const [proxy, account, container, object, memcached] = await Promise.all(executables.map(freePort));
  mkdirSync(path.join(folder, "devices/d1"), { recursive: true });
  const write = (name, lines) => writeFileSync(path.join(folder, name), `${lines.join("\n")}\n`);
  const common = [
    "[DEFAULT]",
    "bind_ip = 127.0.0.1",
    `swift_dir = ${folder}`,
    "user = root",
    "log_level = WARNING",
    "log_address = /dev/null",
  ];
  write("swift.conf", [
    "[swift-hash]",
    "swift_hash_path_suffix = test",
    "[storage-policy:0]",
    "name = only",
    "default = yes",
  ]);
  for (const [kind, port] of Object.entries({ account, container, object })) {
    const server = [
      ...common,
      `bind_port = ${port}`,
      `devices = ${folder}/devices`,
      "mount_check = false",
      "workers = 0",
    ];
    write(`${kind}.conf`, [
      ...server,
      "[pipeline:main]",
      `pipeline = ${kind}-server`,
      `[app:${kind}-server]`,
      `use = egg:swift#${kind}`,
    ]);
  }
  await writeRings(folder, { account, container, object });
  const filters = {
    catch_errors: [],
    cache: [`memcache_servers = 127.0.0.1:${memcached}`],
    listing_formats: [],
    s3api: [],
    tempauth: ["user_test_tester = testing .admin"],
  };
  write("proxy.conf", [
    ...common,
    `bind_port = ${proxy}`,
    "workers = 0",
    "[pipeline:main]",
    "pipeline = catch_errors healthcheck cache listing_formats s3api tempauth proxy-server",
    "[app:proxy-server]",
    "use = egg:swift#proxy",
    "account_autocreate = true",
    ...Object.entries({ ...filters, healthcheck: [] }).flatMap(([name, lines]) => [
      `[filter:${name}]`,
      `use = egg:swift#${name === "cache" ? "memcache" : name}`,
      ...lines,
    ]),
  ]);
  const log = openSync(path.join(folder, "log"), "a");
  const start = (name, words) => spawn(name, words, { stdio: ["ignore", log, log] });
  const children = [
    start("memcached", ["-u", "root", "-l", "127.0.0.1", "-p", String(memcached), "-m", "16"]),
    ...["account", "container", "object", "proxy"].map((kind) =>
      start(`swift-${kind}-server`, [path.join(folder, `${kind}.conf`)]),
    ),
  ];
  const stop = async () => {
    await Promise.all(
      children.map((child) => {
        if (child.exitCode !== null) return undefined;
        const ended = new Promise((resolve) => child.once("exit", resolve));
        child.kill("SIGKILL");
        return ended;
      }),
    );
    rmSync(folder, { recursive: true, force: true });
  };
  const endpoint = `http://127.0.0.1:${proxy}`;
  // After several failed connections, the proxy doesn't use a server for a minute. So all servers must be
  // ready before the first request.
  const areReady = async () => {
    const answers = await Promise.all(
      [account, container, object].map((port) => answersAt(`http://127.0.0.1:${port}/`)),
    );
    return answers.every(Boolean) && answersAt(`${endpoint}/healthcheck`);
  };
  for (let tries = 0; !(await areReady()); tries++) {
    if (tries > 300 || children.some((child) => child.exitCode !== null)) {
      const said = readFileSync(path.join(folder, "log"), "utf8");
      await stop();
      throw new Error(`OpenStack Swift didn't start:\n${said}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const env = { AWS_ACCESS_KEY_ID: "test:tester", AWS_SECRET_ACCESS_KEY: "testing" };
  return {
    endpoint,
    env,
    /** Creates a bucket. */
    async createBucket(name) {
      const { CreateBucketCommand, S3Client } = await import("@aws-sdk/client-s3");
      const credentials = { accessKeyId: env.AWS_ACCESS_KEY_ID, secretAccessKey: env.AWS_SECRET_ACCESS_KEY };
      const client = new S3Client({ endpoint, forcePathStyle: true, region: "us-east-1", credentials });
      await client.send(new CreateBucketCommand({ Bucket: name }));
      client.destroy();
    },
    storage: (bucket) => `s3://${bucket}?endpoint=${encodeURIComponent(endpoint)}&region=us-east-1`,
    stop,
  };
}

function isThere(name) {
  return locate(name) !== "";
}

/** Path of an executable. Empty if there is none. */
function locate(name) {
  return spawnSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).stdout.trim();
}

/**
 * Writes the rings, which tell the proxy where the servers are. One process is faster than nine calls of
 * `swift-ring-builder`.
 */
async function writeRings(folder, ports) {
  const script = `
import json, sys
from swift.common.ring import RingBuilder
folder, ports = sys.argv[1], json.loads(sys.argv[2])
for kind, port in ports.items():
    builder = RingBuilder(4, 1, 1)
    place = {"ip": "127.0.0.1", "port": port, "replication_ip": "127.0.0.1", "replication_port": port}
    builder.add_dev({"id": 0, "region": 1, "zone": 1, "device": "d1", "weight": 1.0, "meta": "", **place})
    builder.rebalance()
    builder.get_ring().save(f"{folder}/{kind}.ring.gz")
`;
  // Swift can be installed for a different Python than the first one in PATH.
  const [, python] = /^#!\s*(\S+)/.exec(readFileSync(locate("swift-ring-builder"), "utf8"));
  await promisify(execFile)(python, ["-c", script, folder, JSON.stringify(ports)]);
}

/** Whether a server responds, with any status. */
async function answersAt(url) {
  return fetch(url).then(
    (response) => response.arrayBuffer().then(() => true),
    () => false,
  );
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
