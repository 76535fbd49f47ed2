/** Authenticates API keys and the operator's token. */

import { createHash, timingSafeEqual } from "node:crypto";
import { AppError } from "../../base/app-error.ts";
import { networkTest } from "../../base/networks.ts";
import { mayActAs } from "../core/identity.ts";
import type { Scope } from "../core/scope.ts";
import type { Database, KeyType, MemberRole } from "../core/tables.ts";
import { hashKey } from "./key-format.ts";

/**
 * Returns the error for missing, wrong, revoked and expired credentials. The same error is used for all of
 * them, so that it doesn't reveal the cause.
 */
function unauthorized(): AppError {
  return new AppError(
    "unauthorized",
    "Missing or invalid API key. Send the key in the header Authorization: Bearer <key>.",
  );
}

/**
 * Returns the token of an `Authorization: Bearer` header; undefined if the header is missing or malformed.
 */
export function bearerToken(header: string | undefined): string | undefined {
  return /^Bearer ([\x21-\x7e]{1,512})$/i.exec(header ?? "")?.[1];
}

/**
 * Returns the scope of a key. The key must allow the call. For admin keys, the current role of the member who
 * created the key must also allow it. Keys that the operator created have the admin role. Keys of former
 * members aren't valid. Throws an AppError if the key isn't valid or doesn't allow the call. Updates the
 * key's time of last use, at most once a minute.
 */
export async function authenticateKey(
  db: Database,
  token: string | undefined,
  /** Requirements of the call. `role`: minimum current role of the member who created an admin key. */
  required: { type: KeyType; scope: "read" | "write"; role: MemberRole; address: string },
): Promise<Scope> {
  if (token === undefined) throw unauthorized();

  // Text that can't be a key is looked up too, so that the response time doesn't reveal the format.
  const row = await db
    .selectFrom("api_keys")
    .innerJoin("organizations", "organizations.id", "api_keys.organization_id")
    .leftJoin("memberships", (join) =>
      join
        .onRef("memberships.organization_id", "=", "api_keys.organization_id")
        .onRef("memberships.user_id", "=", "api_keys.created_by"),
    )
    .select([
      "api_keys.id",
      "api_keys.organization_id",
      "project_id",
      "type",
      "last_four",
      "scopes",
      "allowed_ips",
      "last_used_at",
      "plan",
    ])
    .select(["groups", "created_by", "role"])
    .where("hash", "=", hashKey(token))
    .where("revoked_at", "is", null)
    .where((where) =>
      where.or([
        where("expires_at", "is", null),
        where("expires_at", ">", where.fn<Date>("clock_timestamp")),
      ]),
    )
    .executeTakeFirst();

  if (!row) throw unauthorized();
  const role = row.created_by === null ? "admin" : row.role;
  if (role === null) throw unauthorized();

  if (row.type !== required.type)
    throw new AppError(
      "forbidden",
      `This endpoint requires an ${required.type} key, but yours is an ${row.type} key`,
    );

  if (row.allowed_ips.length && !networkTest(row.allowed_ips)(required.address))
    throw new AppError(
      "forbidden",
      "This key can't be used from your IP address. Use an allowed IP, or create another key.",
    );

  if (row.type === "admin" && !row.scopes.includes("write") && !row.scopes.includes(required.scope))
    throw new AppError("forbidden", `This key doesn't have the ${required.scope} scope`);

  if (row.type === "admin" && !mayActAs(role, required.role))
    throw new AppError(
      "forbidden",
      `The member who created this key is now ${role === "viewer" ? "a viewer" : "an editor"}, and that role doesn't allow this`,
    );

  if (row.last_used_at === null || Date.now() - row.last_used_at.getTime() > 60_000)
    await db.updateTable("api_keys").set({ last_used_at: new Date() }).where("id", "=", row.id).execute();

  return {
    organizationId: row.organization_id,
    plan: row.plan,
    actor: `key ${row.id} (…${row.last_four})`,
    ...(row.project_id === null ? {} : { projectId: row.project_id }),
    groups: role === "admin" ? row.groups : [],
    requireRights: async (db) => void (await authenticateKey(db, token, required)),
  };
}

/** Throws an AppError if the token isn't the operator's token, or if the service has no operator token. */
export function authenticateOperator(token: string | undefined, operatorToken: string | undefined): void {
  const hash = (text: string) => createHash("sha256").update(text).digest();
  if (
    token === undefined ||
    operatorToken === undefined ||
    !timingSafeEqual(hash(token), hash(operatorToken))
  )
    throw unauthorized();
}
