/**
 * Creates and changes user accounts. An account is created when someone accepts an invitation, either with a
 * password or by signing in at a provider.
 */

import { sql } from "kysely";
import { AppError, type FieldError, fieldThat, invalid } from "../../base/app-error.ts";
import { limits } from "../../base/limits.ts";
import { hasUrl, oneLine } from "../../base/one-line.ts";
import { hashPassword } from "../../base/password.ts";
import type { User } from "../core/identity.ts";
import type { Service } from "../core/service.ts";
import { problemsOfPassword } from "./passwords.ts";
import { readEmail } from "./read-email.ts";

export interface NewUser {
  email: string;
  name: string;
  /** Password as entered. Undefined if the user only signs in at a provider. */
  password: string | undefined;
  /** Whether a provider has verified the email. */
  isVerified: boolean;
}

/**
 * Creates a user. `organizationId`: the inviting organization. An email can have one verified account, and
 * one unverified account per inviting organization. Throws an AppError for invalid values, and a "conflict"
 * error if such an account already exists.
 */
export async function createUser(
  service: Pick<Service, "db" | "ulid">,
  organizationId: string,
  { email, name, password, isVerified }: NewUser,
): Promise<User> {
  const details: FieldError[] = [];
  const address = readEmail(email);
  const displayName = oneLine(name).slice(0, limits.personName_chars);
  if (address === undefined)
    details.push(fieldThat("email", "must be a valid email address, such as ana@example.com"));

  details.push(...problemsOfName(displayName));
  if (password !== undefined) details.push(...problemsOfPassword(password));
  if (details.length) throw invalid("Invalid account", ...details);

  const row = {
    id: service.ulid(),
    email: address!,
    name: displayName,
    password_hash: password === undefined ? null : await hashPassword(password),
    email_verified_at: isVerified ? new Date() : null,
    invited_to: organizationId,
    // The invitation's link may have been used by someone else.
    unconfirmed_since: isVerified ? null : sql<Date>`now()`,
  };

  const inserted = await service.db
    .insertInto("users")
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst();

  if (!inserted)
    throw new AppError(
      "conflict",
      "You already have an account with this email. Sign in to accept the invitation.",
    );

  return { id: row.id, email: row.email, name: row.name };
}

function problemsOfName(name: string): FieldError[] {
  if (name === "") return [fieldThat("name", "must not be empty")];
  return hasUrl(name) ? [fieldThat("name", "must not contain a URL")] : [];
}

/**
 * Changes a user's name, which is trimmed and cut to `limits.personName_chars`. Throws an AppError if the
 * name is blank.
 */
export async function changeName({ db }: Pick<Service, "db">, id: string, name: string): Promise<void> {
  const displayName = oneLine(name).slice(0, limits.personName_chars);
  const problems = problemsOfName(displayName);
  if (problems.length) throw invalid("The name wasn't changed", ...problems);
  await db.updateTable("users").set({ name: displayName }).where("id", "=", id).execute();
}

export function findUser({ db }: Pick<Service, "db">, id: string): Promise<User | undefined> {
  return db.selectFrom("users").select(["id", "email", "name"]).where("id", "=", id).executeTakeFirst();
}

/** Whether the service has an account. */
export async function anyUser({ db }: Pick<Service, "db">): Promise<boolean> {
  return (await db.selectFrom("users").select("id").limit(1).executeTakeFirst()) !== undefined;
}
