/**
 * Implements idempotency keys: a repeated request gets the stored response to the first one and has no
 * further effect.
 */

import { createHash } from "node:crypto";
import { sql } from "kysely";
import { AppError, invalid } from "../../base/app-error.ts";
import type { Service } from "./service.ts";
import type { Tx } from "./tables.ts";

/** How long the response to a request with an Idempotency-Key is stored. */
const idempotency_s = 24 * 3_600;

/** Rule for idempotency keys, as JSON Schema keywords. */
export const idempotencyKey = { minLength: 1, maxLength: 255, pattern: "^[!-~]+$" };

/** Owner of idempotency keys. The ID is undefined for a request that creates an organization. */
interface KeyOwner {
  organizationId: string | undefined;
}

export interface IdempotentRequest {
  /** Route of the request. Keys of different routes or organizations are independent. */
  route: string;
  /** Idempotency key of the request. Undefined if it has none. */
  key: string | undefined;
  /** Body of the request. A key that was used with a different body is refused. */
  body: unknown;
}

/** Throws an AppError if the key is malformed. */
export function checkIdempotencyKey(key: string | undefined): void {
  if (key !== undefined && !/^[\x21-\x7e]{1,255}$/.test(key))
    throw invalid("Invalid header", "Idempotency-Key must be 1 to 255 visible ASCII characters");
}

/**
 * Runs `prepare` and `commit`, or returns the stored result of an earlier request with the same key. `commit`
 * runs in the transaction that stores its result, which must be JSON, and is encrypted because it can contain
 * secrets. If several requests with the same key are concurrent, each may run `prepare`, but at most one
 * `commit` takes effect. Throws an AppError if the key is malformed, was used with a different body, or
 * belongs to a request that is being committed. Errors of `prepare` and `commit` pass through, and nothing is
 * stored then.
 */
export async function idempotent<Prepared, Answer>(
  service: Pick<Service, "db" | "secrets">,
  owner: KeyOwner,
  { route, key, body }: IdempotentRequest,
  prepare: () => Promise<Prepared>,
  commit: (tx: Tx, prepared: Prepared) => Promise<Answer>,
): Promise<{ answer: Answer; isRepeated: boolean }> {
  const { db, secrets } = service;

  if (key === undefined) {
    const prepared = await prepare();
    return { answer: await db.transaction().execute((tx) => commit(tx, prepared)), isRepeated: false };
  }

  checkIdempotencyKey(key);
  const bodyHash = createHash("sha256").update(JSON.stringify(body)).digest();
  const stored = { owner, route, key, bodyHash };
  const known = await find<Answer>(service, stored);
  if (known) return known;

  const prepared = await prepare();
  return db.transaction().execute(async (tx) => {
    const lock = `idempotency ${owner.organizationId ?? ""} ${route} ${key}`;
    const { rows } = await sql<{
      mine: boolean;
    }>`select pg_try_advisory_xact_lock(hashtextextended(${lock}, 0)) as mine`.execute(tx);

    if (!rows[0]!.mine)
      throw new AppError(
        "conflict",
        "A request with this Idempotency-Key is still in progress. Try again in a moment.",
        {
          retryAfter_s: 1,
        },
      );

    const first = await find<Answer>({ ...service, db: tx }, stored);
    if (first) return first;
    const answer = await commit(tx, prepared);
    const response = JSON.stringify(secrets.encrypt(JSON.stringify(answer), contextOf(route, key)));
    const organizationId = owner.organizationId ?? (answer as { id: string }).id;
    const values = { body_hash: bodyHash, response, created_at: sql<Date>`clock_timestamp()` };
    await tx
      .insertInto("idempotency_keys")
      .values({ organization_id: organizationId, route, key, ...values })
      // If there is a row with this key, it has expired.
      .onConflict((conflict) =>
        conflict.columns(["organization_id", "route", "key"]).doUpdateSet(values as never),
      )
      .execute();

    return { answer, isRepeated: false };
  });
}

async function find<Answer>(
  { db, secrets }: Pick<Service, "db" | "secrets">,
  { owner, route, key, bodyHash }: { owner: KeyOwner; route: string; key: string; bodyHash: Buffer },
) {
  const { organizationId } = owner;
  const row = await db
    .selectFrom("idempotency_keys")
    .select(["body_hash", "response"])
    .$if(organizationId !== undefined, (query) => query.where("organization_id", "=", organizationId!))
    .where("route", "=", route)
    .where("key", "=", key)
    .where("created_at", ">", sql<Date>`clock_timestamp() - ${idempotency_s} * interval '1 second'`)
    .executeTakeFirst();

  if (!row) return undefined;

  if (!row.body_hash.equals(bodyHash))
    throw new AppError(
      "reused",
      "This Idempotency-Key was already used with a different request body. Use a new one.",
    );

  return { answer: readResponse(row.response, secrets, contextOf(route, key)) as Answer, isRepeated: true };
}

/** Decrypts a stored response. Earlier versions stored responses without encryption. */
function readResponse(stored: unknown, secrets: Service["secrets"], context: string): unknown {
  if (typeof stored !== "string") return stored;
  const text = secrets.decrypt(stored, context);
  if (text === "")
    throw new AppError(
      "conflict",
      "The first request with this Idempotency-Key succeeded, but the service's secret has changed since, so its response can't be repeated.",
    );
  return text === stored ? stored : JSON.parse(text);
}

function contextOf(route: string, key: string): string {
  return `idempotency_keys ${route} ${key} response`;
}

/** Deletes the stored responses that have expired. */
export async function deleteExpiredIdempotencyKeys({ db }: Pick<Service, "db">): Promise<void> {
  await db
    .deleteFrom("idempotency_keys")
    .where("created_at", "<", sql<Date>`clock_timestamp() - ${idempotency_s} * interval '1 second'`)
    .execute();
}
