/** A PgBouncer in transaction mode in front of a PostgreSQL server, from Debian's packages. */

import { execFileSync, spawn, spawnSync } from "node:child_process";
import { chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { freePort } from "./postgres.ts";

export const isPgBouncerInstalled = spawnSync("pgbouncer", ["--version"]).status === 0;

export interface PgBouncer {
  /** Connection string of a database of the server, through the pooler. */
  urlOf(databaseUrl: string): string;
  stop(): Promise<void>;
}

/** `connections_count`: maximum number of connections to the server. */
export async function startPgBouncer(databaseUrl: string, connections_count: number): Promise<PgBouncer> {
  const server = new URL(databaseUrl);
  const folder = mkdtempSync(path.join(tmpdir(), "octavo-pgbouncer-"));
  const port = await freePort();
  writeFileSync(
    path.join(folder, "users.txt"),
    `"${server.username}" "${decodeURIComponent(server.password)}"\n`,
  );
  writeFileSync(
    path.join(folder, "pgbouncer.ini"),
    [
      "[databases]",
      `* = host=${server.hostname} port=${server.port || 5432}`,
      "[pgbouncer]",
      "listen_addr = 127.0.0.1",
      `listen_port = ${port}`,
      "unix_socket_dir =",
      "auth_type = trust",
      `auth_file = ${folder}/users.txt`,
      "pool_mode = transaction",
      `default_pool_size = ${connections_count}`,
      "max_client_conn = 200",
      "ignore_startup_parameters = statement_timeout",
    ].join("\n"),
  );
  // PgBouncer refuses to run as root.
  const isRoot = process.getuid?.() === 0;
  if (isRoot) chownSync(folder, Number(execFileSync("id", ["-u", "nobody"]).toString()), 0);
  const child = spawn(
    "pgbouncer",
    [...(isRoot ? ["-u", "nobody"] : []), path.join(folder, "pgbouncer.ini")],
    { stdio: "ignore" },
  );
  for (let attempt = 0; !(await isOpen(port)); attempt++) {
    if (attempt === 100 || child.exitCode !== null) throw new Error("PgBouncer did not start");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return {
    urlOf: (url) => Object.assign(new URL(url), { host: `127.0.0.1:${port}` }).toString(),
    async stop() {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGKILL");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}
