/** User accounts. They are created from an invitation, with a password or for sign-in at a provider. */

import { AppError, invalid } from "../../base/app-error.ts";
import { limits } from "../../base/limits.ts";
import { hashPassword, isPassword } from "../../base/password.ts";
import type { User } from "../core/identity.ts";
import type { Service } from "../core/service.ts";
import { countSignIn } from "./sign-in-attempts.ts";

/** Returns the email in lower case; undefined if it isn't valid. */
export function readEmail(text: string): string | undefined {
  const email = text.trim().toLowerCase();
  return email.length <= limits.email_chars && /^[^\s@<>"(),:;\\[\]]+@[^\s@<>"(),:;\\[\]]+\.[^\s@<>"(),:;\\[\].]+$/.test(email)
    ? email
    : undefined;
}

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
 * organization, in addition to a verified one.
 */
export async function createUser(
  service: Pick<Service, "db" | "ulid">,
  organizationId: string,
  { email, name, password, isVerified }: NewUser,
): Promise<User> {
  const details: string[] = [];
  const address = readEmail(email);
  const displayName = name.trim().slice(0, limits.personName_chars);
  if (address === undefined) details.push("email must be an address such as ana@example.com");
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

function problemsOfPassword(password: string): string[] {
  const { least, most } = limits.password_chars;
  if (password.length < least) return [`password must have at least ${least} characters`];
  return password.length > most ? [`password must have at most ${most} characters`] : [];
}

/** Hash to compare a password with if no account has the email, so that the response takes as long as with an account. */
let dummyHash: Promise<string> | undefined;

/** Throws the same error for an unknown email and a wrong password, after about the same time. If several accounts have the email, the password selects one. */
export async function signIn(
  service: Pick<Service, "db" | "rateLimit" | "settings">,
  { email, password, address, browser }: { email: string; password: string; address: string; browser?: string | undefined },
): Promise<User> {
  requirePasswords(service);
  const known = readEmail(email);
  const account = known ?? email.trim().toLowerCase().slice(0, limits.email_chars);
  const undoCount = await countSignIn(service, { account, address, browser });
  const rows = known === undefined ? [] : await passwordAccounts(service, known);
  dummyHash ??= hashPassword("");
  const hashes = rows.length ? rows.map(({ password_hash }) => password_hash!) : [await dummyHash];
  const given = password.slice(0, limits.password_chars.most + 1);
  const row = rows[(await Promise.all(hashes.map((hash) => isPassword(given, hash)))).indexOf(true)];
  if (!row) {
    const ids = rows.map(({ id }) => id);
    if (ids.length)
      await service.db
        .updateTable("users")
        .set(({ eb }) => ({ failed_sign_ins: eb("failed_sign_ins", "+", 1) }))
        .where("id", "in", ids)
        .execute();
    throw new AppError("unauthorized", "Incorrect email or password");
  }
  await undoCount();
  return { id: row.id, email: row.email, name: row.name };
}

/** The existing account with this email and password; undefined if there is none. */
export async function existingAccount(
  service: Pick<Service, "db" | "rateLimit" | "settings">,
  email: string,
  password: string,
  address: string,
): Promise<User | undefined> {
  requirePasswords(service);
  const known = readEmail(email);
  if (known === undefined || (await passwordAccounts(service, known)).length === 0) return undefined;
  return signIn(service, { email, password, address }).catch((error: unknown) => {
    if (error instanceof AppError && error.code === "unauthorized") return undefined;
    throw error;
  });
}

/** Accounts with this email and a password: the verified account first, then the oldest. */
function passwordAccounts({ db }: Pick<Service, "db">, email: string) {
  return db
    .selectFrom("users")
    .select(["id", "email", "name", "password_hash"])
    .where("email", "=", email)
    .where("password_hash", "is not", null)
    .orderBy("email_verified_at")
    .orderBy("id")
    .execute();
}

function requirePasswords({ settings }: Pick<Service, "settings">): void {
  if (settings.requiredIssuer !== undefined) throw new AppError("forbidden", "Passwords are turned off. Use single sign-on.");
}

export async function changeName({ db }: Pick<Service, "db">, id: string, name: string): Promise<void> {
  const displayName = name.trim().slice(0, limits.personName_chars);
  if (displayName === "") throw invalid("The name is not changed", "name must not be empty");
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

/** Throws an AppError if the password isn't the user's, or if there were too many attempts. */
export async function confirmPassword(
  service: Pick<Service, "db" | "rateLimit" | "settings">,
  user: User,
  password: string,
  address: string,
): Promise<void> {
  // Uses a separate rate limit, so that other people's attempts don't block a signed-in user.
  const attempt = { email: user.email, password, address, browser: `signed in ${user.id}` };
  if ((await signIn(service, attempt)).id !== user.id) throw new AppError("unauthorized", "Incorrect password");
}

export async function hasPassword({ db }: Pick<Service, "db">, id: string): Promise<boolean> {
  const row = await db.selectFrom("users").select("password_hash").where("id", "=", id).executeTakeFirst();
  return row?.password_hash != null;
}
