/** Rules for passwords, and the change of a password. */

import { AppError, type FieldError, fieldThat, invalid } from "../../base/app-error.ts";
import { limits } from "../../base/limits.ts";
import { hashPassword } from "../../base/password.ts";
import type { Session } from "../core/identity.ts";
import { methodKey, recordProof, requireProvedAdmins } from "../core/proved-methods.ts";
import type { Service } from "../core/service.ts";
import { confirmPassword, requirePasswords } from "./password-sign-in.ts";

/**
 * Returns the error messages for a new password that is too short or too long. Empty if the password is
 * accepted.
 */
export function problemsOfPassword(password: string): FieldError[] {
  const { least, most } = limits.password_chars;
  if (password.length < least) return [fieldThat("password", `must be at least ${least} characters long`)];
  return password.length > most ? [fieldThat("password", `must be at most ${most} characters long`)] : [];
}

/**
 * Sets a password. Requires the current password or, if the user has none, recent authentication. Throws an
 * AppError if this requirement isn't met, if the new password isn't accepted, if passwords are turned off, or
 * if the admins of an organization would lock themselves out.
 */
export async function changePassword(
  service: Pick<Service, "db" | "rateLimit" | "settings">,
  { user, limitedTo, provedIn }: Pick<Session, "user" | "limitedTo" | "provedIn">,
  /** `before`: the current password, as entered. `isRecent`: whether the user authenticated recently. */
  { before, isRecent }: { before: string; isRecent: boolean },
  after: string,
  address: string,
): Promise<void> {
  requirePasswords(service);
  const problems = problemsOfPassword(after);
  if (problems.length) throw invalid("Invalid password", ...problems);
  if (await hasPassword(service, user.id)) await confirmPassword(service, user, before, address);
  else if (!isRecent)
    throw new AppError("forbidden", "Confirm your identity with single sign-on, then set a password.");
  const password_hash = await hashPassword(after);

  await service.db.transaction().execute(async (tx) => {
    await tx
      .updateTable("users")
      // A password that is set in a limited session is limited, too.
      .set({ password_hash, password_set_in: limitedTo ?? null })
      .where("id", "=", user.id)
      .execute();
    await recordProof(tx, user.id, methodKey.password, provedIn);
    await requireProvedAdmins(tx, user.id);
  });
}

export async function hasPassword({ db }: Pick<Service, "db">, id: string): Promise<boolean> {
  const row = await db.selectFrom("users").select("password_hash").where("id", "=", id).executeTakeFirst();
  return row?.password_hash != null;
}
