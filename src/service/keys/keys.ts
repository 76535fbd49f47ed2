/** Creates, lists, reads and revokes the API keys of an organization. */

import type { Static } from "@sinclair/typebox";
import { AppError, type FieldError, fieldThat, invalid, notFound } from "../../base/app-error.ts";
import { readInstant } from "../../base/instant.ts";
import { limits } from "../../base/limits.ts";
import { isNetwork } from "../../base/networks.ts";
import { plural } from "../../base/plural.ts";
import { mayActAs } from "../core/identity.ts";
import type { Service } from "../core/service.ts";
import { admit } from "../core/sliding-window.ts";
import type { MemberRole } from "../core/tables.ts";
import { requireProject } from "../projects/projects.ts";
import type { createKey } from "./contract.ts";
import { generateKey, hashKey } from "./key-format.ts";

export type NewKey = Static<(typeof createKey)["body"]["schema"]>;

export interface KeyCreation {
  /** The member who creates the key; absent if the operator or the first start creates it. */
  creator?: { id: string; role: MemberRole };
  /** The key, if the operator has chosen it. Absent if the key is generated. */
  given?: string;
}

/**
 * Creates a key. Returns the key's row and the key itself. Only a hash of the key is stored. Throws an
 * AppError for invalid values, for a key that the creator's role doesn't allow, and if members have created
 * too many keys.
 */
export async function createApiKey(
  service: Service,
  organizationId: string,
  newKey: NewKey,
  { creator, given }: KeyCreation = {},
) {
  const type = newKey.type ?? "admin";
  if (creator && !mayActAs(creator.role, "admin") && (type === "admin" || newKey.groups?.length))
    throw new AppError("forbidden", "Only admins can create admin keys and keys for reader groups");
  const details = problemsOf(newKey, type);
  if (details.length) throw invalid("Invalid key", ...details);
  if (newKey.projectId !== undefined) await requireProject(service, { organizationId }, newKey.projectId);

  // The limit doesn't apply to keys that the operator creates.
  if (creator) await admitNewKey(service, organizationId);
  const key = given ?? generateKey(type, service.random);
  const row = await service.db
    .insertInto("api_keys")
    .values({
      id: service.ulid(),
      organization_id: organizationId,
      project_id: newKey.projectId ?? null,
      type,
      name: newKey.name,
      hash: hashKey(key),
      last_four: key.slice(-4),
      scopes: type === "assistant" ? [] : (newKey.scopes ?? ["read", "write"]),
      allowed_ips: newKey.allowedIps ?? [],
      expires_at: typeof newKey.expiresAt === "string" ? new Date(readInstant(newKey.expiresAt)!) : null,
      created_by: creator?.id ?? null,
      groups: newKey.groups ?? [],
    })
    .returningAll()
    .executeTakeFirstOrThrow();

  return { row, key };
}

async function admitNewKey({ db }: Service, organizationId: string): Promise<void> {
  const { count, window_s } = limits.newKeys;
  const { isAdmitted, reset_s } = await admit(db, organizationId, { name: "keys", quota: count, window_s });
  if (isAdmitted) return;
  throw new AppError(
    "rate-limited",
    `Your organization has reached its limit of ${count} new keys per hour`,
    {
      details: [`Retry after ${plural(reset_s, "second")}`],
      retryAfter_s: reset_s,
    },
  );
}

function problemsOf(
  { projectId, scopes, expiresAt, allowedIps, groups }: NewKey,
  type: "admin" | "assistant",
): FieldError[] {
  const problems: FieldError[] = [];
  if (type === "assistant" && projectId === undefined)
    problems.push(fieldThat("projectId", "is required for assistant keys"));
  if (type === "admin" && projectId !== undefined)
    problems.push(fieldThat("projectId", "isn't allowed for admin keys"));
  if (type === "assistant" && scopes !== undefined)
    problems.push(fieldThat("scopes", "aren't allowed for assistant keys"));
  if (type === "admin" && groups?.length) problems.push(fieldThat("groups", "aren't allowed for admin keys"));
  if (scopes?.length === 0) problems.push(fieldThat("scopes", "must not be empty"));

  if (scopes?.some((scope) => scope !== "read" && scope !== "write"))
    problems.push(fieldThat("scopes", "must be read, write, or both"));

  if (typeof expiresAt === "string") {
    const instant = readInstant(expiresAt);
    if (instant === undefined) problems.push(fieldThat("expiresAt", "must be an RFC 3339 date-time"));
    else if (instant <= Date.now()) problems.push(fieldThat("expiresAt", "must be in the future"));
  }

  if (allowedIps?.some((network) => !isNetwork(network) || network.endsWith("/0")))
    problems.push(
      fieldThat("allowedIps", "must be valid IPs or CIDR ranges (0.0.0.0/0 and ::/0 aren't allowed)"),
    );
  return problems;
}

/** Lists the keys, newest first, with the name and the current role of the member who created each key. */
export function listApiKeys({ db }: Pick<Service, "db">, organizationId: string) {
  return db
    .selectFrom("api_keys")
    .leftJoin("users", "users.id", "api_keys.created_by")
    .leftJoin("memberships", (join) =>
      join
        .onRef("memberships.organization_id", "=", "api_keys.organization_id")
        .onRef("memberships.user_id", "=", "api_keys.created_by"),
    )
    .selectAll("api_keys")
    .select(["users.name as creator", "role as creator_role"])
    .where("api_keys.organization_id", "=", organizationId)
    .orderBy("api_keys.id", "desc")
    .execute();
}

/** Returns a key. Throws "not found" if the organization has no such key. */
export async function getApiKey({ db }: Pick<Service, "db">, organizationId: string, keyId: string) {
  const row = await db
    .selectFrom("api_keys")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("id", "=", keyId)
    .executeTakeFirst();
  if (!row) throw notFound();
  return row;
}

/** Revokes a key. Throws "not found" if the organization has no such key, or the key is already revoked. */
export async function revokeApiKey({ db }: Service, organizationId: string, keyId: string): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable("api_keys")
    .set({ revoked_at: new Date() })
    .where("organization_id", "=", organizationId)
    .where("id", "=", keyId)
    .where("revoked_at", "is", null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw notFound();
}
