/**
 * Opens the database: a PostgreSQL server, or the embedded database in a folder. Both use the same SQL and
 * the same client.
 */

import path from "node:path";
import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import { limits } from "../base/limits.ts";
import { endWithoutLock, lockData } from "./data-lock.ts";
import { prepareCluster } from "./database-template.ts";
import { EmbeddedPostgres } from "./embedded-postgres.ts";
import { migrate } from "./migrate.ts";

/** Maximum number of database connections per process. */
const databaseConnections_count = 10;
/** Timeout for a statement on a database server. */
const statement_ms = 5_000;

export interface DatabaseOptions {
  /** URL of the server, `postgres://…`. Undefined for the embedded database. */
  url?: string;
  /** Data directory of the embedded database. */
  folder: string;
  /** Script of the embedded database's process. The template of new databases is in the same folder. */
  script: string;
  migrations: string;
}

export interface OpenDatabase<Tables> {
  db: Kysely<Tables>;
  pool: pg.Pool;
  isEmbedded: boolean;
  close(): Promise<void>;
}

// Parses int8 and numeric as numbers. Counts and sizes are far below 2^53.
pg.types.setTypeParser(20, Number);
pg.types.setTypeParser(1700, Number);

/**
 * Opens the database and runs its migrations. Rejects if one of these fails, with `DataLocked` if another
 * process uses the folder of the embedded database.
 */
export async function openDatabase<Tables>(options: DatabaseOptions): Promise<OpenDatabase<Tables>> {
  if (options.url !== undefined) return open<Tables>(serverPool(options.url), options, false, async () => {});
  const unlock = await lockData(options.folder, { onLost: () => endWithoutLock(options.folder) });
  try {
    const cluster = path.join(options.folder, "postgres");
    await prepareCluster(path.join(path.dirname(options.script), "database/cluster.tar.br"), cluster);
    const embedded = await EmbeddedPostgres.start(options.script, cluster);
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
  // The pool replaces idle connections that have ended.
  pool.on("error", () => {});

  // If a connection ends within a transaction, the next statement fails. The event itself must not end the
  // process.
  pool.on("connect", (client) => client.on("error", () => {}));

  const close = async () => {
    await pool.end();
    await closed();
  };

  try {
    await migrate(pool, migrations);
  } catch (error) {
    // An open database would keep this process alive.
    await close();
    throw error;
  }

  return { db: new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }), pool, isEmbedded, close };
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

/**
 * Creates a pool for the embedded database. The pool has several connections, so that other requests can wait
 * while a transaction is open.
 */
function embeddedPool(embedded: EmbeddedPostgres): pg.Pool {
  return new pg.Pool({
    user: "postgres",
    database: "postgres",
    max: databaseConnections_count,
    stream: () => embedded.connect() as never,
  });
}
