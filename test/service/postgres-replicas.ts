/** A PostgreSQL server with a streaming replica behind one address, from Debian's packages. */

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { freePort } from "./postgres.ts";

/** Folder of the newest installed server. Undefined if it or `pg_basebackup` isn't installed. */
export const postgresPrograms = installed("/usr/lib/postgresql");

function installed(folder: string): string | undefined {
  const versions = existsSync(folder) ? readdirSync(folder).sort((a, b) => Number(b) - Number(a)) : [];
  return versions
    .map((version) => path.join(folder, version, "bin"))
    .find((bin) => existsSync(path.join(bin, "pg_basebackup")));
}

export interface ReplicatedPostgres {
  /** Connection string of the proxy in front of the server. */
  url: string;
  /** Kills the primary, promotes the replica, and connects the proxy to it. */
  failOver(): Promise<void>;
  stop(): void;
}

/** Starts the servers. Commits wait until the replica has received them. */
export async function startReplicatedPostgres(programs: string): Promise<ReplicatedPostgres> {
  const folder = mkdtempSync(path.join(tmpdir(), "octavo-replicas-"));
  const owner = serverUser();
  if (owner) chownSync(folder, owner.uid, owner.gid);
  chmodSync(folder, 0o700);
  const run = (program: string, ...args: string[]) =>
    execFileSync(path.join(programs, program), args, {
      cwd: folder,
      stdio: ["ignore", "pipe", "pipe"],
      ...owner,
    });
  const [primaryPort, replicaPort, port] = [await freePort(), await freePort(), await freePort()];
  const [primary, replica] = [path.join(folder, "primary"), path.join(folder, "replica")];
  const servers: ChildProcess[] = [];
  const start = async (data: string, at: number) => {
    const settings = [
      `port=${at}`,
      "listen_addresses=127.0.0.1",
      `unix_socket_directories=${folder}`,
      "max_connections=100",
    ];
    const server = spawn(
      path.join(programs, "postgres"),
      ["-D", data, ...settings.flatMap((each) => ["-c", each])],
      {
        cwd: folder,
        stdio: "ignore",
        ...owner,
      },
    );
    servers.push(server);
    await ready(() =>
      run("pg_isready", "-h", "127.0.0.1", "-p", String(at), "-U", "octavo", "-d", "postgres"),
    );
    return server;
  };
  run("initdb", "-D", primary, "-U", "octavo", "--auth=trust", "--encoding=UTF8", "--locale=C");
  const first = await start(primary, primaryPort);
  run(
    "pg_basebackup",
    "-h",
    "127.0.0.1",
    "-p",
    String(primaryPort),
    "-U",
    "octavo",
    "-D",
    replica,
    "-R",
    "-X",
    "stream",
  );
  await start(replica, replicaPort);
  const sql = (text: string) =>
    run(
      "psql",
      "-h",
      "127.0.0.1",
      "-p",
      String(primaryPort),
      "-U",
      "octavo",
      "-d",
      "postgres",
      "-Atc",
      text,
    ).toString();
  sql("alter system set synchronous_standby_names = '*'");
  sql("select pg_reload_conf()");
  await ready(() => {
    if (sql("select sync_state from pg_stat_replication").trim() !== "sync")
      throw new Error("The replica is not connected yet");
  });

  let target = primaryPort;
  const open = new Set<Socket>();
  const proxy = createServer((client) => {
    const server = connect(target, "127.0.0.1");
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      open.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        open.delete(socket);
        other.destroy();
      });
    }
    client.pipe(server).pipe(client);
  }).listen(port, "127.0.0.1");
  return {
    url: `postgres://octavo@127.0.0.1:${port}/postgres`,
    async failOver() {
      const gone = new Promise((resolve) => first.once("exit", resolve));
      first.kill("SIGKILL");
      await gone;
      run("pg_ctl", "promote", "-D", replica, "-w");
      target = replicaPort;
      for (const socket of open) socket.destroy();
    },
    stop() {
      proxy.close();
      for (const socket of open) socket.destroy();
      for (const server of servers) server.kill("SIGQUIT");
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

/** PostgreSQL refuses to run as root, so Debian's user runs it. */
function serverUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (option: string) => Number(execFileSync("id", [option, "postgres"]).toString());
  return { uid: id("-u"), gid: id("-g") };
}

/** Calls `check` until it doesn't throw. */
async function ready(check: () => void): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      return check();
    } catch (error) {
      if (attempt === 300) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}
