/**
 * Implements two-factor authentication with an authenticator app (TOTP, RFC 6238, section 4) and recovery
 * codes. Each code is accepted once.
 */

import { Secret, TOTP } from "otpauth";
import { renderSVG } from "uqr";
import { AppError, atField, invalid } from "../../base/app-error.ts";
import { waitText } from "../../base/wait-text.ts";
import type { Session } from "../core/identity.ts";
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
  /** The secret for the form, encrypted for this session. */
  sealed: string;
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
 * Creates a secret, which is stored when the user enters a code. Only the form of this session contains it,
 * so no one else has seen it. `sealed`: that of an earlier form of the session, whose secret is kept.
 */
export function beginTwoFactor(
  { secrets, random }: Pick<Service, "secrets" | "random">,
  session: SetupSession,
  sealed: string,
): TotpSetup {
  const created = () => new Secret({ buffer: new Uint8Array(random(secret_bytes)).buffer }).base32;
  const secret = unsealed(secrets, session, sealed) ?? created();
  return {
    secret,
    svg: renderSVG(totpOf(secret, session.user.email).toString()),
    sealed: secrets.encrypt(secret, setupContext(session)),
  };
}

type SetupSession = Pick<Session, "id" | "user">;

function setupContext({ id }: SetupSession): string {
  return `totp setup ${id}`;
}

/** Returns the secret of a form. Undefined if there is none, or it's of another session. */
function unsealed(secrets: Service["secrets"], session: SetupSession, sealed: string): string | undefined {
  return sealed.startsWith("enc:") ? secrets.decrypt(sealed, setupContext(session)) || undefined : undefined;
}

/** Who enters a code. `browser`: ID of a browser that signed in to the account before. */
export interface CodeOrigin {
  userId: string;
  address: string;
  browser?: string | undefined;
}

/**
 * Turns two-factor authentication on and returns new recovery codes. `sealed`: the secret in the form. Throws
 * an AppError if the code is wrong, there were too many wrong codes, or two-factor authentication is on.
 */
export async function confirmTwoFactor(
  service: Pick<Service, "db" | "secrets" | "random" | "rateLimit">,
  session: SetupSession,
  { code, sealed, ...origin }: { code: string; sealed: string } & Omit<CodeOrigin, "userId">,
) {
  const { db, secrets } = service;
  const userId = session.user.id;
  const secret = unsealed(secrets, session, sealed);
  if (secret === undefined) throw invalid("The form has expired. Add the new key to your app.");
  const uncount = await countAppCode(service, { userId, ...origin });
  const last_step = stepOf(secret, code);
  if (last_step === undefined) throw wrongCode();

  const factor = {
    secret: secrets.encrypt(secret, totpContext(userId)),
    confirmed_at: new Date(),
    last_step,
  };
  const added = await db
    .insertInto("totp_factors")
    .values({ user_id: userId, ...factor })
    // Earlier versions stored secrets before they were confirmed.
    .onConflict((conflict) =>
      conflict.column("user_id").doUpdateSet(factor).where("totp_factors.confirmed_at", "is", null),
    )
    .returning("user_id")
    .executeTakeFirst();
  if (!added) throw new AppError("conflict", "Two-factor authentication is already on");
  await uncount();
  return createRecoveryCodes(service, userId);
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
  const { userId } = origin;
  const uncount = await countAppCode(service, origin);
  const secret = await secretOf(service, userId);
  if (secret === undefined) throw invalid("Two-factor authentication isn't set up. Set it up first.");
  const step = stepOf(secret, code);
  const accepted =
    step !== undefined &&
    (await service.db
      .updateTable("totp_factors")
      .set({ last_step: step })
      .where("user_id", "=", userId)
      .where("last_step", "<", step)
      .returning("user_id")
      .executeTakeFirst());

  if (!accepted) throw wrongCode();
  await uncount();
}

/** Returns the time step of a code. Undefined if the code is wrong. */
function stepOf(secret: string, code: string): number | undefined {
  const delta = totpOf(secret, "").validate({ token: code.replace(/\s/g, ""), window: window_steps });
  return delta === null ? undefined : Math.floor(Date.now() / 30_000) + delta;
}

function wrongCode(): AppError {
  return new AppError("unauthorized", "Incorrect code", {
    details: [atField("code", "Enter the current code from your authenticator app")],
  });
}

/** Counts an attempt to enter a code from the app, like `countCode`. */
function countAppCode(service: Pick<Service, "rateLimit">, origin: CodeOrigin): Promise<() => Promise<void>> {
  const rule = origin.browser === undefined ? "second-factor" : "second-factor-known-browser";
  return countCode(service, rule, origin);
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

async function secretOf(
  { db, secrets }: Pick<Service, "db" | "secrets">,
  userId: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom("totp_factors")
    .select("secret")
    .where("user_id", "=", userId)
    .where("confirmed_at", "is not", null)
    .executeTakeFirst();
  return row && secrets.decrypt(row.secret, totpContext(userId));
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
