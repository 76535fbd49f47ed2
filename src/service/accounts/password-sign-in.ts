/** Signs users in with a password. */

import { AppError, atField } from "../../base/app-error.ts";
import { limits } from "../../base/limits.ts";
import { hashPassword, isPassword } from "../../base/password.ts";
import type { User } from "../core/identity.ts";
import type { Service } from "../core/service.ts";
import { readEmail } from "./read-email.ts";
import { countSignIn } from "./sign-in-attempts.ts";

/**
 * Hash that a password is compared with if no account has the email, so that the response takes as long as
 * for an existing account.
 */
let dummyHash: Promise<string> | undefined;

/**
 * Returns the user with this email and password. If several accounts have the email, the password selects
 * one. Throws the same error, after about the same time, for an unknown email and for a wrong password. After
 * too many failed attempts, throws "rate-limited". Throws "forbidden" if passwords are turned off.
 */
export async function signIn(
  service: Pick<Service, "db" | "rateLimit" | "settings">,
  {
    email,
    password,
    address,
    browser,
  }: { email: string; password: string; address: string; browser?: string | undefined },
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

/**
 * Returns the account with this email and password. Undefined if there is none. Throws an AppError if there
 * were too many attempts or passwords are turned off.
 */
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

/**
 * Returns the accounts with this email and a password: first the verified account, then the others, oldest
 * first.
 */
export function passwordAccounts({ db }: Pick<Service, "db">, email: string) {
  return db
    .selectFrom("users")
    .select(["id", "email", "name", "password_hash"])
    .where("email", "=", email)
    .where("password_hash", "is not", null)
    .orderBy("email_verified_at")
    .orderBy("id")
    .execute();
}

/** Throws an AppError if passwords are turned off, so that users can only sign in at the provider. */
export function requirePasswords({ settings }: Pick<Service, "settings">): void {
  if (settings.requiredIssuer !== undefined)
    throw new AppError("forbidden", "Only single sign-on is allowed.");
}

/**
 * Throws an AppError if the password isn't the user's, there were too many attempts, or passwords are turned
 * off.
 */
export async function confirmPassword(
  service: Pick<Service, "db" | "rateLimit" | "settings">,
  user: User,
  password: string,
  address: string,
): Promise<void> {
  // Uses a separate rate limit, so that other people's attempts don't block a signed-in user.
  const attempt = { email: user.email, password, address, browser: `signed in ${user.id}` };
  if ((await signIn(service, attempt)).id !== user.id)
    throw new AppError("unauthorized", "Incorrect password", {
      details: [atField("currentPassword", "Enter your current password")],
    });
}
