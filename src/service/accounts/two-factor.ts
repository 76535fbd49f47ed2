/**
 * Implements two-factor authentication with an authenticator app (TOTP, RFC 6238, section 4) and recovery
 * codes. Each code is accepted once.
 */

import { Secret, TOTP } from "otpauth";
import { renderSVG } from "uqr";
import { AppError, atField, invalid } from "../../base/app-error.ts";
import { waitText } from "../../base/wait-text.ts";
import type { User } from "../core/identity.ts";
import type { Service } from "../core/service.ts";
import { totpContext } from "../core/totp-secrets.ts";
import { hashToken } from "./random-token.ts";

const secret_bytes = 20;
const recoveryCodes_count = 10;
const recoveryCode_chars = 10;
/**
 * Number of time steps before and after the current one whose codes are also accepted, because clocks can
 * differ.
 */
const window_steps = 1;

export interface TwoFactorState {
  isOn: boolean;
  /** Number of unused recovery codes. */
  recoveryCodes: number;
}

export interface TotpSetup {
  /** Secret in Base32, which users can type into an app. */
  secret: string;
  /** QR code of the `otpauth:` URI, as SVG. */
  svg: string;
}

export async function twoFactorState({ db }: Pick<Service, "db">, userId: string): Promise<TwoFactorState> {
  const [factor, codes] = await Promise.all([
    db.selectFrom("totp_factors").select("confirmed_at").where("user_id", "=", userId).executeTakeFirst(),
    db
      .selectFrom("recovery_codes")
      .select((select) => select.fn.countAll<number>().as("count"))
      .where("user_id", "=", userId)
      .executeTakeFirstOrThrow(),
  ]);
  return { isOn: factor?.confirmed_at != null, recoveryCodes: Number(codes.count) };
}

/**
 * Creates a secret, which takes effect when the user enters a code. Returns the same secret until then.
 * Throws a conflict if two-factor authentication is on.
 */
export async function beginTwoFactor(
  service: Pick<Service, "db" | "secrets" | "random">,
  user: User,
): Promise<TotpSetup> {
  const { db, secrets, random } = service;
  const created = new Secret({ buffer: new Uint8Array(random(secret_bytes)).buffer }).base32;
  await db
    .insertInto("totp_factors")
    .values({ user_id: user.id, secret: secrets.encrypt(created, totpContext(user.id)) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const factor = await factorOf(service, user.id);
  if (!factor || factor.isConfirmed)
    throw new AppError("conflict", "Two-factor authentication is already on");
  return { secret: factor.secret, svg: renderSVG(totpOf(factor.secret, user.email).toString()) };
}

/** Who enters a code. `browser`: ID of a browser that signed in to the account before. */
export interface CodeOrigin {
  userId: string;
  address: string;
  browser?: string | undefined;
}

/**
 * Turns two-factor authentication on and returns new recovery codes. Throws an AppError if the code is wrong,
 * or there were too many wrong codes.
 */
export async function confirmTwoFactor(
  service: Pick<Service, "db" | "secrets" | "random" | "rateLimit">,
  user: User,
  { code, ...origin }: { code: string } & Omit<CodeOrigin, "userId">,
) {
  await requireCode(service, { userId: user.id, ...origin }, code);
  await service.db
    .updateTable("totp_factors")
    .set({ confirmed_at: new Date() })
    .where("user_id", "=", user.id)
    .where("confirmed_at", "is", null)
    .execute();
  return createRecoveryCodes(service, user.id);
}

/** Replaces all recovery codes, and returns the new ones. Only hashes are stored. */
export async function createRecoveryCodes(
  { db, random }: Pick<Service, "db" | "random">,
  userId: string,
): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodes_count }, () => readableCode(random(recoveryCode_chars)));
  await db.transaction().execute(async (tx) => {
    await tx.deleteFrom("recovery_codes").where("user_id", "=", userId).execute();
    await tx
      .insertInto("recovery_codes")
      .values(codes.map((code) => ({ user_id: userId, hash: hashOf(code) })))
      .execute();
  });
  return codes;
}

export async function turnOffTwoFactor({ db }: Pick<Service, "db">, userId: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await tx.deleteFrom("totp_factors").where("user_id", "=", userId).execute();
    await tx.deleteFrom("recovery_codes").where("user_id", "=", userId).execute();
  });
}

/**
 * Checks a code from the app or a recovery code, and marks it as used, because each code is accepted only
 * once. Throws an AppError if the code is wrong, or there were too many wrong codes.
 */
export async function requireSecondFactor(
  service: Pick<Service, "db" | "secrets" | "rateLimit">,
  origin: CodeOrigin,
  code: string,
): Promise<void> {
  if (/^\s*\d{3}\s?\d{3}\s*$/.test(code)) return requireCode(service, origin, code);
  const { userId } = origin;
  const uncount = await countCode(service, "recovery-code", origin);

  const used = await service.db
    .deleteFrom("recovery_codes")
    .where("user_id", "=", userId)
    .where("hash", "=", hashOf(code))
    .returning("user_id")
    .executeTakeFirst();

  if (!used)
    throw new AppError("unauthorized", "Incorrect code", {
      details: [
        atField("code", "Enter the current code from your authenticator app, or an unused recovery code"),
      ],
    });

  await uncount();
}

async function requireCode(
  service: Pick<Service, "db" | "secrets" | "rateLimit">,
  origin: CodeOrigin,
  code: string,
): Promise<void> {
  const { userId, browser } = origin;
  const uncount = await countCode(
    service,
    browser === undefined ? "second-factor" : "second-factor-known-browser",
    origin,
  );

  const factor = await factorOf(service, userId);
  if (!factor) throw invalid("Two-factor authentication isn't set up. Set it up first.");
  const delta = totpOf(factor.secret, "").validate({ token: code.replace(/\s/g, ""), window: window_steps });
  const step = Math.floor(Date.now() / 30_000) + (delta ?? 0);
  const accepted =
    delta !== null &&
    (await service.db
      .updateTable("totp_factors")
      .set({ last_step: step })
      .where("user_id", "=", userId)
      .where("last_step", "<", step)
      .returning("user_id")
      .executeTakeFirst());

  if (!accepted)
    throw new AppError("unauthorized", "Incorrect code", {
      details: [atField("code", "Enter the current code from your authenticator app")],
    });

  await uncount();
}

/**
 * Counts an attempt to enter a code. Throws an AppError if there were too many. Returns a function that
 * undoes the count.
 */
async function countCode(
  { rateLimit }: Pick<Service, "rateLimit">,
  rule: "second-factor" | "second-factor-known-browser" | "recovery-code",
  { userId, address, browser = "" }: CodeOrigin,
): Promise<() => Promise<void>> {
  const { wait_s, uncount } = await rateLimit(rule, { account: userId, address, browser });
  if (wait_s === 0) return uncount;
  throw new AppError("rate-limited", `Too many incorrect codes. Try again in ${waitText(wait_s)}.`, {
    retryAfter_s: wait_s,
  });
}

async function factorOf({ db, secrets }: Pick<Service, "db" | "secrets">, userId: string) {
  const row = await db
    .selectFrom("totp_factors")
    .select(["secret", "confirmed_at"])
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return (
    row && {
      secret: secrets.decrypt(row.secret, totpContext(userId)),
      isConfirmed: row.confirmed_at !== null,
    }
  );
}

function totpOf(secret: string, label: string): TOTP {
  return new TOTP({ issuer: "Octavo", label, secret: Secret.fromBase32(secret) });
}

/** Characters of recovery codes. Leaves out characters that are easily confused. */
const codeLetters = "023456789abcdefghjkmnpqrstuvwxyz";

/** Formats random bytes as a code such as `k3f9a-7hq2m`, with 5 random bits per character. */
function readableCode(bytes: Uint8Array): string {
  const letters = [...bytes].map((byte) => codeLetters[byte % codeLetters.length]).join("");
  return `${letters.slice(0, letters.length / 2)}-${letters.slice(letters.length / 2)}`;
}

function hashOf(code: string): Buffer {
  return hashToken(code.toLowerCase().replace(/[^a-z0-9]/g, ""));
}
