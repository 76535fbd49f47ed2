/**
 * PostgreSQL (PGlite) in a worker thread, for a service on one machine. Messages to the thread contain PostgreSQL's wire
 * protocol, so `pg` works as with a server. Because of the thread, long queries don't block the event loop.
 */

import { Duplex } from "node:stream";
import { Worker } from "node:worker_threads";

/** Message from a connection to the thread. Empty `bytes` end the connection. */
export interface ToDatabase {
  connection: number;
  bytes: Uint8Array;
}

export type FromDatabase = { ready: true } | { fault: string } | { connection: number; bytes: Uint8Array };

export class EmbeddedPostgres {
  private readonly worker: Worker;
  private readonly connections = new Map<number, Connection>();
  private lastConnection = 0;

  private constructor(worker: Worker) {
    this.worker = worker;
  }

  /** Starts the database. `module` is the script of the thread. `folder` is the data directory, which the caller has locked. */
  static async start(module: string, folder: string): Promise<EmbeddedPostgres> {
    const worker = new Worker(module, { workerData: { folder } });
    const database = new EmbeddedPostgres(worker);
    await new Promise<void>((resolve, reject) => {
      worker.once("error", reject);
      worker.once("exit", (code) => reject(new Error(`The database ended while it started (${code})`)));
      worker.on("message", (message: FromDatabase) => {
        if ("ready" in message) resolve();
        else if ("fault" in message) reject(new Error(message.fault));
        else database.connections.get(message.connection)?.receive(message.bytes);
      });
    });
    worker.removeAllListeners("exit");
    worker.once("exit", () => database.endConnections());
    return database;
  }

  /** Opens a connection. Returns its stream, for the `stream` option of `pg`. */
  connect(): Duplex {
    const id = ++this.lastConnection;
    const connection = new Connection(
      (bytes) => this.worker.postMessage({ connection: id, bytes } satisfies ToDatabase),
      () => this.connections.delete(id),
    );
    this.connections.set(id, connection);
    return connection;
  }

  /** Shuts down the database. Its connections must be closed. */
  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.worker.once("exit", resolve));
    this.worker.postMessage("stop");
    await ended;
  }

  private endConnections(): void {
    for (const connection of this.connections.values()) connection.destroy(new Error("The database ended"));
  }
}

/** Implements the methods of a socket that `pg` uses. */
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
