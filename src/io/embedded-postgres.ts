/**
 * Runs PostgreSQL (PGlite) in a child process, for a service on one machine. Messages to the process contain
 * PostgreSQL's wire protocol, so `pg` works as with a server. A separate process can have its own allocator
 * settings for WebAssembly, and takes 60 MB less memory than a thread.
 */

import { type ChildProcess, spawn } from "node:child_process";
import { Duplex } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { DataLocked } from "./data-lock.ts";

/** Message from a connection to the database process. Empty `bytes` end the connection. */
export interface ToDatabase {
  connection: number;
  bytes: Uint8Array;
}

/**
 * Message from the database process: it has started, it has failed to start, or it responds to a connection.
 */
export type FromDatabase =
  | { ready: true }
  | { fault: string; isLocked: boolean }
  | { connection: number; bytes: Uint8Array };

/**
 * Arguments and environment variables of the child process. Compiling WebAssembly allocates memory in
 * short-lived threads. With few threads and one arena, less memory stays allocated afterward.
 */
const nodeArguments = ["--v8-pool-size=1", "--max-semi-space-size=2"];
const allocatorSettings = { MALLOC_ARENA_MAX: "1", MALLOC_TRIM_THRESHOLD_: "65536" };

/** Pause before the database is restarted after it has ended unexpectedly. */
const restart_ms = 1_000;

export class EmbeddedPostgres {
  private readonly module: string;
  private readonly folder: string;
  private readonly connections = new Map<number, Connection>();
  private lastConnection = 0;
  private child: ChildProcess | undefined;
  /** Resolves when the process accepts messages. */
  private ready: Promise<void> = Promise.resolve();
  /** Whether the first start has succeeded. */
  private hasStarted = false;
  private isStopping = false;

  private constructor(module: string, folder: string) {
    this.module = module;
    this.folder = folder;
  }

  /**
   * Starts the database. `module`: script of the process. `folder`: folder of the cluster, which the process
   * locks. Rejects with `DataLocked` if another process uses the folder.
   */
  static async start(module: string, folder: string): Promise<EmbeddedPostgres> {
    const database = new EmbeddedPostgres(module, folder);
    database.ready = database.launch();
    await database.ready;
    return database;
  }

  /**
   * Starts the process. If it ends later, for example because it runs out of memory, its connections end and
   * it is restarted.
   */
  private launch(): Promise<void> {
    const child = spawn(process.execPath, [...nodeArguments, this.module, this.folder], {
      env: { NODE_ENV: "production", ...allocatorSettings },
      serialization: "advanced",
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });

    this.child = child;

    child.once("exit", () => {
      this.endConnections();
      if (!this.hasStarted || this.isStopping) return;
      this.ready = wait(restart_ms, undefined, { ref: false }).then(() =>
        this.isStopping ? undefined : this.launch(),
      );
      this.ready.catch(() => {});
    });

    const started = new Promise<void>((resolve, reject) => {
      child.once("error", reject);
      child.once("exit", (code, signal) =>
        reject(new Error(`The database stopped during startup (${signal ?? code})`)),
      );
      child.on("message", (message: FromDatabase) => {
        if ("connection" in message) return this.connections.get(message.connection)?.receive(message.bytes);
        if ("fault" in message)
          return reject(message.isLocked ? new DataLocked(message.fault) : new Error(message.fault));
        this.hasStarted = true;
        resolve();
      });
    });

    started.catch(() => child.kill("SIGKILL"));
    return started;
  }

  /** Opens a connection. Returns its stream, for the `stream` option of `pg`. */
  connect(): Duplex {
    const id = ++this.lastConnection;
    const connection = new Connection(
      (bytes) => this.send({ connection: id, bytes }),
      () => this.connections.delete(id),
    );
    this.connections.set(id, connection);
    return connection;
  }

  /** Shuts down the database. All connections must be closed first. */
  async stop(): Promise<void> {
    this.isStopping = true;
    const { child } = this;
    if (!child?.connected) return;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    this.send("stop");
    await ended;
  }

  /**
   * Sends a message to the process. Does nothing if the process has ended, since its connections ended with
   * it.
   */
  private send(message: ToDatabase | "stop"): void {
    this.ready.then(
      () => this.child?.connected && this.child.send(message, () => {}),
      () => {},
    );
  }

  private endConnections(): void {
    for (const connection of this.connections.values()) connection.destroy(new Error("The database stopped"));
  }
}

/** A connection to the database process. Implements the socket methods that `pg` uses. */
class Connection extends Duplex {
  private readonly send: (bytes: Uint8Array) => void;
  private readonly onClosed: () => void;

  constructor(send: (bytes: Uint8Array) => void, onClosed: () => void) {
    super();
    this.send = send;
    this.onClosed = onClosed;
  }

  connect(): void {
    setImmediate(() => this.emit("connect"));
  }

  setNoDelay(): void {}
  setKeepAlive(): void {}
  ref(): void {}
  unref(): void {}

  receive(bytes: Uint8Array): void {
    this.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.send(chunk);
    done();
  }

  override _final(done: () => void): void {
    this.send(new Uint8Array());
    this.push(null);
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    if (!this.writableFinished) this.send(new Uint8Array());
    this.onClosed();
    done(error);
  }
}
