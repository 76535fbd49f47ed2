/** The database: PostgreSQL by its address, or embedded in a folder. The same SQL and the same client on both. */
import path from "node:path";
import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import { limits } from "../base/limits.ts";
import { lockData } from "./data-lock.ts";
import { prepareCluster } from "./database-template.ts";
import { EmbeddedPostgres } from "./embedded-postgres.ts";
import { migrate } from "./migrate.ts";

/** Connections that one process opens to the database. */
const databaseConnections_count = 10;
/** One statement. A transaction must not hold an id that it was given for longer than a reader looks back. */
const statement_ms = 5_000;

export interface DatabaseOptions {
  /** `postgres://…`; absent: embedded. */
  url?: string;
  /** Where an embedded database lies. */
  folder: string;
  /** The executable of the embedded database's thread; beside it is the cluster that new databases start from. */
  thread: string;
  migrations: string;
}

export interface OpenDatabase<Tables> {
  db: Kysely<Tables>;
  pool: pg.Pool;
  isEmbedded: boolean;
  close(): Promise<void>;
}

// Counts and sizes stay far below 2^53.
pg.types.setTypeParser(20, Number);
pg.types.setTypeParser(1700, Number);

export async function openDatabase<Tables>(options: DatabaseOptions): Promise<OpenDatabase<Tables>> {
  if (options.url !== undefined) return open<Tables>(serverPool(options.url), options, false, async () => {});
  const unlock = lockData(options.folder);
  try {
    const cluster = path.join(options.folder, "postgres");
    await prepareCluster(path.join(path.dirname(options.thread), "postgres.tar.gz"), cluster);
    const embedded = await EmbeddedPostgres.start(options.thread, cluster);
    return await open<Tables>(embeddedPool(embedded), options, true, async () => {
      await embedded.stop();
      unlock();
    });
  } catch (error) {
    unlock();
    throw error;
  }
}

async function open<Tables>(
  pool: pg.Pool,
  { migrations }: DatabaseOptions,
  isEmbedded: boolean,
  closed: () => Promise<void>,
): Promise<OpenDatabase<Tables>> {
  // A connection that ends while nobody uses it is replaced when the next one is needed.
  pool.on("error", () => {});
  // One that ends between two statements of a transaction is told of by the next of them, and must not end the process.
  pool.on("connect", (client) => client.on("error", () => {}));
  await migrate(pool, migrations);
  return {
    db: new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }),
    pool,
    isEmbedded,
    async close() {
      await pool.end();
      await closed();
    },
  };
}

function serverPool(url: string): pg.Pool {
  return new pg.Pool({
    connectionString: url,
    max: databaseConnections_count,
    connectionTimeoutMillis: limits.databaseWait_ms,
    statement_timeout: statement_ms,
    application_name: "octavo",
  });
}

/** Several connections, so that a transaction may stand open while another request waits for its turn. */
function embeddedPool(embedded: EmbeddedPostgres): pg.Pool {
  return new pg.Pool({
    user: "postgres",
    database: "postgres",
    max: databaseConnections_count,
    stream: () => embedded.connect() as never,
  });
}
