/**
 * Manages the sessions of signed-in users. The session cookie contains a random token, and the database only
 * stores a hash of the token.
 */

import { sql } from "kysely";
import { notFound } from "../../base/app-error.ts";
import { limits } from "../../base/limits.ts";
import type { Session } from "../core/identity.ts";
import { methodKey, provedIn } from "../core/proved-methods.ts";
import type { Service } from "../core/service.ts";
import { memberships } from "./members.ts";
import { endBegun } from "./one-time-tokens.ts";
import { createToken, hashToken } from "./random-token.ts";
import { passwordLimit } from "./unconfirmed.ts";

/** Idle timeout of a dashboard session. */
const sessionIdle_ms = 14 * 24 * 3_600_000;

/** Method and time of a sign-in. */
export type SignedIn = (
  | { method: "password" | "password and code" }
  | { method: "passkey"; passkeyId: string }
  /** `issuer`, `subject`: the identity at the sign-in provider. */
  | { method: "single sign-on"; issuer: string; subject: string }
) & {
  /** Time of the user's authentication; undefined if the provider didn't report it. */
  authenticatedAt?: Date | undefined;
};

/** Whether the user authenticated recently enough for a sensitive change, such as a first password. */
export function isRecent({ authenticatedAt }: Pick<Session, "authenticatedAt">): boolean {
  return (
    authenticatedAt !== null &&
    // A clock that was set back doesn't extend the time.
    Math.abs(Date.now() - authenticatedAt.getTime()) < limits.reauthentication_s * 1_000
  );
}

/**
 * Creates a session and returns the token for its cookie. Each sign-in gets a new token, which prevents
 * session fixation.
 */
export async function beginSession(
  service: Pick<Service, "db" | "ulid" | "random">,
  userId: string,
  { address, userAgent }: { address: string; userAgent: string },
  how: SignedIn,
): Promise<string> {
  const token = createToken(service.random);
  await service.db
    .insertInto("sessions")
    .values({
      id: service.ulid(),
      user_id: userId,
      token_hash: hashToken(token),
      address,
      user_agent: userAgent.slice(0, 300),
      method: keyOf(how),
      issuer: how.method === "single sign-on" ? how.issuer : null,
      authenticated_at: how.authenticatedAt ?? null,
      limited_to: how.method === "password" ? ((await passwordLimit(service, userId)) ?? null) : null,
    })
    .execute();

  return token;
}

function keyOf(how: SignedIn): string {
  if (how.method === "passkey") return methodKey.passkey(how.passkeyId);
  return how.method === "single sign-on" ? methodKey.identity(how) : methodKey.password;
}

/**
 * Returns the session of a token with the user's memberships, and updates its time of last use. Undefined if
 * the token is unknown or expired, or if single sign-on is required and the session wasn't started at the
 * required provider.
 */
export async function sessionOf(
  { db, settings: { requiredIssuer } }: Pick<Service, "db" | "settings">,
  token: string,
): Promise<Session | undefined> {
  const row = await db
    .selectFrom("sessions")
    .innerJoin("users", "users.id", "sessions.user_id")
    .select([
      "sessions.id as session_id",
      "users.id as user_id",
      "email",
      "name",
      "seen_at",
      "authenticated_at",
      "is_operator",
      "limited_to",
      "method",
    ])
    .select([memberships, provedIn])
    .where("token_hash", "=", hashToken(token))
    .where("seen_at", ">", before(sessionIdle_ms))
    .where("sessions.created_at", ">", before(limits.session_ms))
    .$if(requiredIssuer !== undefined, (query) => query.where("issuer", "=", requiredIssuer!))
    .executeTakeFirst();

  if (!row) return undefined;

  // Updated at most once a minute.
  if (Date.now() - row.seen_at.getTime() > 60_000)
    await db
      .updateTable("sessions")
      .set({ seen_at: sql<Date>`clock_timestamp()` })
      .where("id", "=", row.session_id)
      .execute();

  return {
    id: row.session_id,
    user: { id: row.user_id, email: row.email, name: row.name },
    authenticatedAt: row.authenticated_at,
    isOperator: row.is_operator && row.limited_to === null,
    limitedTo: row.limited_to ?? undefined,
    method: row.method,
    provedIn: row.proved_in,
    memberships: row.memberships.filter(
      ({ organizationId }) => row.limited_to === null || row.limited_to === organizationId,
    ),
  };
}

/** Records that the session's user has just confirmed their identity. */
export async function confirmSession({ db }: Pick<Service, "db">, { id }: Session): Promise<void> {
  await db
    .updateTable("sessions")
    .set({ authenticated_at: sql<Date>`clock_timestamp()` })
    .where("id", "=", id)
    .execute();
}

/** Returns the user's sessions, most recently used first. Leaves out expired sessions. */
export function listSessions({ db }: Pick<Service, "db">, userId: string) {
  return db
    .selectFrom("sessions")
    .select(["id", "address", "user_agent", "created_at", "seen_at"])
    .where("user_id", "=", userId)
    .where("seen_at", ">", before(sessionIdle_ms))
    .where("created_at", ">", before(limits.session_ms))
    .orderBy("seen_at", "desc")
    .execute();
}

/** Ends a session of the user. Throws "not found" if the user has no such session. */
export async function endSession(
  { db }: Pick<Service, "db">,
  userId: string,
  sessionId: string,
): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom("sessions")
    .where("user_id", "=", userId)
    .where("id", "=", sessionId)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw notFound();
}

/** Ends all sessions of the user except the given one, and what was begun without a session. */
export async function endOtherSessions({ db }: Pick<Service, "db">, { id, user }: Session): Promise<void> {
  await db.deleteFrom("sessions").where("user_id", "=", user.id).where("id", "<>", id).execute();
  await endBegun(db, user.id);
}

/** Deletes expired sessions. */
export async function sweepSessions({ db }: Pick<Service, "db">): Promise<void> {
  await db
    .deleteFrom("sessions")
    .where((where) =>
      where.or([
        where("seen_at", "<", before(sessionIdle_ms)),
        where("created_at", "<", before(limits.session_ms)),
      ]),
    )
    .execute();
}

/** Returns the SQL for the time `age_ms` ago, by the database's clock. */
function before(age_ms: number) {
  return sql<Date>`clock_timestamp() - ${age_ms} * interval '1 millisecond'`;
}
