/** User accounts. They are created from an invitation, with a password or for sign-in at a provider. */

import { AppError, invalid } from "../../base/app-error.ts";
import { limits } from "../../base/limits.ts";
import { hashPassword } from "../../base/password.ts";
import type { User } from "../core/identity.ts";
import type { Service } from "../core/service.ts";
import { confirmPassword, requirePasswords } from "./password-sign-in.ts";
import { readEmail } from "./read-email.ts";

export interface NewUser {
  email: string;
  name: string;
  /** Undefined if the user only signs in at a provider. */
  password: string | undefined;
  /** Whether a provider has verified the email. */
  isVerified: boolean;
}

/**
 * Creates a user. `organizationId`: the inviting organization. An email may have one unverified account per inviting
 * organization, in addition to a verified one. Throws an AppError for invalid values, and a conflict if the email has such an account.
 */
export async function createUser(
  service: Pick<Service, "db" | "ulid">,
  organizationId: string,
  { email, name, password, isVerified }: NewUser,
): Promise<User> {
  const details: string[] = [];
  const address = readEmail(email);
  const displayName = name.trim().slice(0, limits.personName_chars);
  if (address === undefined) details.push("email must be valid, such as ana@example.com");
  if (displayName === "") details.push("name must not be empty");
  if (password !== undefined) details.push(...problemsOfPassword(password));
  if (details.length) throw invalid("Invalid account", ...details);
  const row = {
    id: service.ulid(),
    email: address!,
    name: displayName,
    password_hash: password === undefined ? null : await hashPassword(password),
    email_verified_at: isVerified ? new Date() : null,
    invited_to: organizationId,
  };
  const inserted = await service.db
    .insertInto("users")
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst();
  if (!inserted) throw new AppError("conflict", "You already have an account with this email. Sign in to accept the invitation.");
  return { id: row.id, email: row.email, name: row.name };
}

export function problemsOfPassword(password: string): string[] {
  const { least, most } = limits.password_chars;
  if (password.length < least) return [`password must be at least ${least} characters long`];
  return password.length > most ? [`password must be at most ${most} characters long`] : [];
}

export async function changeName({ db }: Pick<Service, "db">, id: string, name: string): Promise<void> {
  const displayName = name.trim().slice(0, limits.personName_chars);
  if (displayName === "") throw invalid("The name wasn't changed", "name must not be empty");
  await db.updateTable("users").set({ name: displayName }).where("id", "=", id).execute();
}

/** Requires the current password or, if the user has none, a recent sign-in. */
export async function changePassword(
  service: Pick<Service, "db" | "rateLimit" | "settings">,
  user: User,
  /** `isRecent`: the user authenticated recently. */
  { before, isRecent }: { before: string; isRecent: boolean },
  after: string,
  address: string,
): Promise<void> {
  requirePasswords(service);
  const problems = problemsOfPassword(after);
  if (problems.length) throw invalid("Invalid password", ...problems);
  if (await hasPassword(service, user.id)) await confirmPassword(service, user, before, address);
  else if (!isRecent) throw new AppError("forbidden", "Confirm your identity with single sign-on, then set a password.");
  await service.db
    .updateTable("users")
    .set({ password_hash: await hashPassword(after) })
    .where("id", "=", user.id)
    .execute();
}

export async function hasPassword({ db }: Pick<Service, "db">, id: string): Promise<boolean> {
  const row = await db.selectFrom("users").select("password_hash").where("id", "=", id).executeTakeFirst();
  return row?.password_hash != null;
}

export function findUser({ db }: Pick<Service, "db">, id: string): Promise<User | undefined> {
  return db.selectFrom("users").select(["id", "email", "name"]).where("id", "=", id).executeTakeFirst();
}
