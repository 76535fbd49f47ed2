/**
 * PostgreSQL in a thread of this process, for a service on one machine: the same wire protocol as a server's, carried by
 * messages, so that everything above speaks to both through `pg`. The thread keeps long queries off the event loop.
 */
import { Duplex } from "node:stream";
import { Worker } from "node:worker_threads";

/** From a connection to the thread; an empty `bytes` ends the connection. */
export interface Sent {
  connection: number;
  bytes: Uint8Array;
}

export type Received = { ready: true } | { fault: string } | { connection: number; bytes: Uint8Array };

export class EmbeddedPostgres {
  private readonly worker: Worker;
  private readonly connections = new Map<number, Connection>();
  private lastConnection = 0;

  private constructor(worker: Worker) {
    this.worker = worker;
  }

  /** `module`: the thread's executable. `folder`: where the data lies; whoever calls holds its lock. */
  static async start(module: string, folder: string): Promise<EmbeddedPostgres> {
    const worker = new Worker(module, { workerData: { folder } });
    const database = new EmbeddedPostgres(worker);
    await new Promise<void>((resolve, reject) => {
      worker.once("error", reject);
      worker.once("exit", (code) => reject(new Error(`The database ended while it started (${code})`)));
      worker.on("message", (message: Received) => {
        if ("ready" in message) resolve();
        else if ("fault" in message) reject(new Error(message.fault));
        else database.connections.get(message.connection)?.receive(message.bytes);
      });
    });
    worker.removeAllListeners("exit");
    worker.once("exit", () => database.endConnections());
    return database;
  }

  /** What `pg` takes as the stream of a connection. */
  connect(): Duplex {
    const id = ++this.lastConnection;
    const connection = new Connection(
      (bytes) => this.worker.postMessage({ connection: id, bytes } satisfies Sent),
      () => this.connections.delete(id),
    );
    this.connections.set(id, connection);
    return connection;
  }

  /** Ends the database in order. Its connections must be closed. */
  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.worker.once("exit", resolve));
    this.worker.postMessage("stop");
    await ended;
  }

  private endConnections(): void {
    for (const connection of this.connections.values()) connection.destroy(new Error("The database ended"));
  }
}

/** Looks like a socket, as far as `pg` asks. */
class Connection extends Duplex {
  private readonly send: (bytes: Uint8Array) => void;
  private readonly closed_: () => void;

  constructor(send: (bytes: Uint8Array) => void, closed: () => void) {
    super();
    this.send = send;
    this.closed_ = closed;
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
    this.closed_();
    done(error);
  }
}
