/** Resets passwords with single-use links that expire after an hour. */

import { sql } from "kysely";
import { AppError, invalid } from "../../base/app-error.ts";
import { limits } from "../../base/limits.ts";
import { hashPassword } from "../../base/password.ts";
import { waitText } from "../../base/wait-text.ts";
import type { User } from "../core/identity.ts";
import { methodKey, recordProof } from "../core/proved-methods.ts";
import type { Service } from "../core/service.ts";
import { mayChangeSignIn, membershipsOf } from "./members.ts";
import {
  createOneTimeToken,
  endBegun,
  oneTimeTokenLifetime_s,
  readOneTimeToken,
  type TokenOwner,
  useOneTimeToken,
} from "./one-time-tokens.ts";
import { passwordAccounts, requirePasswords } from "./password-sign-in.ts";
import { problemsOfPassword } from "./passwords.ts";
import { readEmail } from "./read-email.ts";
import { tellOwner } from "./tell-owner.ts";
import { removeUnconfirmed } from "./unconfirmed.ts";

/** Maximum number of accounts with the same email that a request sends links for. */
const resetAccounts_count = 5;

/** Returns the URL path of a reset link. */
export function resetPath(token: string): string {
  return `/dashboard/reset-password/${token}`;
}

/**
 * Emails reset links for up to `resetAccounts_count` accounts that have this email and a password. Doesn't
 * wait for the email, so that neither the result nor the response time reveals whether such an account
 * exists. `report` receives later errors. Throws an AppError if there were too many requests or passwords are
 * turned off.
 */
export async function requestReset(
  service: Service,
  email: string,
  address: string,
  report: (error: unknown) => void,
): Promise<void> {
  requirePasswords(service);
  const known = readEmail(email);
  const account = known ?? email.trim().toLowerCase().slice(0, limits.email_chars);
  const { wait_s } = await service.rateLimit("password-reset", { account, address });
  if (wait_s > 0)
    throw new AppError("rate-limited", `Too many requests. Try again in ${waitText(wait_s)}.`, {
      retryAfter_s: wait_s,
    });
  if (known !== undefined) sendLinks(service, known).catch(report);
}

async function sendLinks(service: Service, email: string): Promise<void> {
  const accounts = (await passwordAccounts(service, email)).slice(0, resetAccounts_count);
  const links: string[] = [];
  for (const { id } of accounts) links.push(await resetLink(service, { userId: id }));
  if (links.length === 0) return;

  await service.mail?.send({
    to: email,
    subject: "Reset your Octavo password",
    text: [
      links.length === 1
        ? "Someone asked to reset the password for your Octavo account. To choose a new password, open this link:"
        : `Someone asked to reset the passwords for your ${links.length} Octavo accounts. There is one link per account. To choose a new password for an account, open its link:`,
      ...links,
      `${links.length === 1 ? "The link works" : "Each link works"} once and expires in ${oneTimeTokenLifetime_s["password-reset"] / 60} minutes. If you didn't request this, you can ignore this email.`,
    ].join("\n\n"),
  });
}

/** Creates a reset link, which replaces the user's earlier link. */
export async function resetLink(
  service: Pick<Service, "db" | "random" | "settings">,
  owner: TokenOwner,
): Promise<string> {
  return service.settings.url + resetPath(await createOneTimeToken(service, "password-reset", owner));
}

/**
 * Returns the ID of the link's user. Throws an AppError if the link was used or replaced, has expired or
 * never existed, or if the admin who created it couldn't create it now.
 */
export async function requireResetToken(service: Pick<Service, "db">, token: string): Promise<string> {
  return requireValid(service, await readOneTimeToken(service, "password-reset", token));
}

/**
 * Returns the ID of the token's user. Checks again whether the admin who created the token may reset the
 * user's password.
 */
async function requireValid(service: Pick<Service, "db">, owner: TokenOwner | undefined): Promise<string> {
  if (!owner || (owner.admin && !(await mayChangeSignIn(service, owner.admin, owner.userId))))
    throw goneLink();
  return owner.userId;
}

/**
 * Sets the password and ends all sessions of the user. With a link that the user requested, also removes the
 * sign-in methods that someone else may have added, and returns them. With an admin's link, the password only
 * opens the admin's organization. Throws an AppError if the link or the password isn't valid, or passwords
 * are turned off.
 */
export async function resetPassword(
  service: Pick<Service, "db" | "settings" | "mail">,
  token: string,
  password: string,
): Promise<{ user: User; removed: string[] }> {
  requirePasswords(service);
  const problems = problemsOfPassword(password);
  if (problems.length) throw invalid("Invalid password", ...problems);

  await requireResetToken(service, token);
  const password_hash = await hashPassword(password);
  const { user, removed, admin } = await service.db.transaction().execute(async (tx) => {
    const owner = await useOneTimeToken({ db: tx }, "password-reset", token);
    const userId = await requireValid({ db: tx }, owner);
    await tx.deleteFrom("sessions").where("user_id", "=", userId).execute();
    await endBegun(tx, userId);
    const admin = owner?.admin;
    const removed = admin ? [] : await removeUnconfirmed(tx, userId);

    const user = await tx
      .updateTable("users")
      .set({
        password_hash,
        password_set_in: admin?.organizationId ?? null,
        ...(admin ? { unconfirmed_since: sql<Date>`coalesce(unconfirmed_since, clock_timestamp())` } : {}),
      })
      .where("id", "=", userId)
      .returning(["id", "email", "name"])
      .executeTakeFirstOrThrow();

    const proved = admin ? [admin] : await membershipsOf({ db: tx }, userId);
    await recordProof(
      tx,
      userId,
      methodKey.password,
      proved.map(({ organizationId }) => organizationId),
    );

    return { user, removed, admin };
  });

  const how = admin ? " with a reset link from an admin of your organization" : "";
  const also = removed.length
    ? ` Because someone else may have added them, these sign-in methods were removed: ${removed.join(", ")}.`
    : "";
  tellOwner(service, user, `The password of your Octavo account was set${how}.${also}`);

  return { user, removed };
}

function goneLink(): AppError {
  return new AppError("gone", "This link was already used or has expired. Request a new one.");
}
