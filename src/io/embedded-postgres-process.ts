/**
 * Runs the embedded database (PGlite) in its child process. PGlite has one session, which several connections
 * share. `Gate` forwards one batch of messages at a time. While a connection has an open transaction, `Gate`
 * only forwards batches of that connection.
 */

import { statfs } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { PGlite, type PGliteOptions } from "@electric-sql/pglite";
import { NodeFS } from "@electric-sql/pglite/nodefs";
import { DataLocked, lockData } from "./data-lock.ts";
import type { FromDatabase, ToDatabase } from "./embedded-postgres.ts";

/**
 * Memory settings for a single session. They save 170 MB compared with PostgreSQL's defaults. Small buffers
 * are enough, because the operating system also caches files.
 */
const memoryParams = [
  "-c",
  "shared_buffers=4MB",
  "-c",
  "wal_buffers=1MB",
  "-c",
  "temp_buffers=2MB",
  "-c",
  "max_connections=10",
];
/** Free space that the recovery after a crash may need: two segments of the write-ahead log. */
const neededSpace_bytes = 32 * 1024 * 1024;
/** Maximum time for the database of a killed service to finish its last statement. */
const lastStatement_ms = 15_000;

/** The files of PGlite, which it would otherwise look for next to its own code. */
type ProgramFiles = Required<Pick<PGliteOptions, "pgliteWasmModule" | "initdbWasmModule" | "fsBundle">>;

/** Serves the database in `folder` to the parent process until the parent stops it or ends. */
export async function runEmbeddedPostgres(folder: string, programFiles: ProgramFiles): Promise<void> {
  // A terminal or a service manager also signals this process. The parent stops it after its own last query.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});
  process.on("disconnect", () => process.exit());
  const answer = (message: FromDatabase) => process.send?.(message, undefined, undefined, () => {});
  try {
    const unlock = await lockWhenFree(folder);
    const database = await PGlite.create({
      ...programFiles,
      fs: new PrivateFiles(folder),
      // Committed transactions must survive a power failure.
      startParams: [...PGlite.defaultStartParams, "-c", "fsync=on", ...memoryParams],
    });
    const gate = new Gate(database, (connection, bytes) => answer({ connection, bytes }));
    process.on("message", async (message: ToDatabase | "stop") => {
      if (message !== "stop") return gate.receive(message);
      await database.close();
      unlock();
      process.exit();
    });
    answer({ ready: true });
  } catch (error) {
    const fault = (await isDiskFull(folder))
      ? `The disk is full: the database in ${folder} needs about ${neededSpace_bytes / 1024 / 1024} MB of free space to start. Nothing is lost. Free some space, and start again.`
      : (error as Error).message;
    answer({ fault, isLocked: error instanceof DataLocked });
  }
}

async function isDiskFull(folder: string): Promise<boolean> {
  const disk = await statfs(folder).catch(() => undefined);
  return disk !== undefined && disk.bavail * disk.bsize < neededSpace_bytes;
}

/**
 * Locks the folder as soon as the database of an earlier service, which may have been killed, has ended.
 * Throws `DataLocked` if it hasn't ended after `lastStatement_ms`.
 */
async function lockWhenFree(folder: string): Promise<() => void> {
  for (const began_ms = Date.now(); ; await wait(50)) {
    try {
      // Statements that were acknowledged after the loss could be overwritten by the new holder.
      return await lockData(folder, { onLost: () => process.exit(1) });
    } catch (error) {
      if (!(error instanceof DataLocked) || Date.now() - began_ms > lastStatement_ms) throw error;
    }
  }
}

/**
 * File system whose files only the process's user can read. PGlite itself sets modes 0666 and 0644 and
 * ignores the umask.
 */
class PrivateFiles extends NodeFS {
  override async init(...[database, options]: Parameters<NodeFS["init"]>): ReturnType<NodeFS["init"]> {
    const { emscriptenOpts } = await super.init(database, options);

    const close = ({
      NODEFS,
    }: {
      NODEFS?: { node_ops: { setattr(node: unknown, attributes: { mode?: number }): void } };
    }) => {
      const operations = NODEFS!.node_ops;
      const { setattr } = operations;
      operations.setattr = (node, attributes) =>
        setattr(
          node,
          attributes.mode === undefined ? attributes : { ...attributes, mode: attributes.mode & ~0o077 },
        );
    };

    return {
      emscriptenOpts: {
        ...emscriptenOpts,
        preRun: [close, ...(emscriptenOpts.preRun ?? [])],
      } as typeof emscriptenOpts,
    };
  }
}

const rollback = Buffer.from("Q\0\0\0\x0drollback\0", "latin1");

class Gate {
  private readonly database: PGlite;
  private readonly answer: (connection: number, bytes: Uint8Array) => void;
  /** Incomplete batches, by connection. */
  private readonly partial = new Map<number, Buffer>();
  private waiting: { connection: number; batch: Buffer; isEnd: boolean }[] = [];
  /** The connection whose transaction is open. */
  private transactionOwner: number | undefined;
  private isBusy = false;
  private readonly started = new Set<number>();

  constructor(database: PGlite, answer: (connection: number, bytes: Uint8Array) => void) {
    this.database = database;
    this.answer = answer;
  }

  receive({ connection, bytes }: ToDatabase): void {
    if (bytes.length === 0) {
      this.partial.delete(connection);
      // Rolls back the transaction of a connection that has ended.
      this.waiting = this.waiting.filter((entry) => entry.connection !== connection);
      this.waiting.push({ connection, batch: rollback, isEnd: true });
      return void this.next();
    }

    const known = this.partial.get(connection);
    const { batch, rest, isFirst } = cutBatch(
      known === undefined ? Buffer.from(bytes) : Buffer.concat([known, bytes]),
      known === undefined && !this.started.has(connection),
    );

    if (isFirst) this.started.add(connection);
    this.partial.set(connection, rest);
    if (batch.length) this.waiting.push({ connection, batch, isEnd: false });

    void this.next();
  }

  private async next(): Promise<void> {
    if (this.isBusy) return;
    const index = this.waiting.findIndex(
      ({ connection }) => this.transactionOwner === undefined || connection === this.transactionOwner,
    );
    if (index < 0) return;

    const [{ connection, batch, isEnd }] = this.waiting.splice(index, 1) as [(typeof this.waiting)[number]];
    this.isBusy = true;

    try {
      if (isEnd) {
        if (this.transactionOwner === connection) await this.database.execProtocolRaw(batch);
        this.transactionOwner = undefined;
        this.started.delete(connection);
      } else {
        const reply = await this.database.execProtocolRaw(batch);
        this.transactionOwner = isIdle(reply) ? undefined : connection;
        this.answer(connection, reply);
      }
    } finally {
      this.isBusy = false;
    }

    void this.next();
  }
}

/**
 * Splits the complete batches of messages from the rest. A batch ends with a message that the server responds
 * to: startup, simple query, Sync, Flush, or the end of a copy.
 */
function cutBatch(bytes: Buffer, isStartup: boolean): { batch: Buffer; rest: Buffer; isFirst: boolean } {
  let at = 0;
  let end = 0;

  if (isStartup) {
    if (bytes.length < 4 || bytes.length < bytes.readInt32BE(0))
      return { batch: bytes.subarray(0, 0), rest: bytes, isFirst: false };
    at = end = bytes.readInt32BE(0);
  }

  while (at + 5 <= bytes.length) {
    const next = at + 1 + bytes.readInt32BE(at + 1);
    if (next > bytes.length) break;
    const type = String.fromCharCode(bytes[at]!);
    // Terminate would end the shared session.
    if (type === "X")
      return { batch: bytes.subarray(0, end), rest: bytes.subarray(bytes.length), isFirst: isStartup };
    at = next;
    if ("QSHcf".includes(type)) end = at;
  }

  return { batch: bytes.subarray(0, end), rest: bytes.subarray(end), isFirst: isStartup };
}

/**
 * Whether no transaction is open after a batch. The last message of the reply is ReadyForQuery, which ends
 * with the transaction status.
 */
function isIdle(reply: Uint8Array): boolean {
  const { length } = reply;
  return length >= 6 && reply[length - 6] === 0x5a && reply[length - 1] === 0x49;
}
