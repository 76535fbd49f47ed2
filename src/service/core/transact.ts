import type { Database, Tx } from "./tables.ts";

/** Runs `change` in a new transaction or, if `db` is a transaction, in that one. */
export function transact<Result>(db: Database, change: (tx: Tx) => Promise<Result>): Promise<Result> {
  return db.isTransaction ? change(db as Tx) : db.transaction().execute(change);
}
