/**
 * Creates and verifies passkeys (WebAuthn). A page with a passkey button contains a signed challenge, which
 * is accepted once.
 */

import { createHash } from "node:crypto";
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";
import { AppError, invalid, notFound } from "../../base/app-error.ts";
import { limits } from "../../base/limits.ts";
import { CookieSigner } from "../../host/sign-in/cookie-signer.ts";
import type { Session, User } from "../core/identity.ts";
import { methodKey, recordProof, requireProvedAdmins } from "../core/proved-methods.ts";
import type { Service } from "../core/service.ts";

/** Maximum number of passkeys per user. */
const passkeys_count = 20;
const passkeyName_chars = 60;
/** Maximum length of the browser's answer, in characters. */
const answer_chars = 20_000;

export interface PasskeyRequest<Options> {
  /** Options for the browser's WebAuthn API. */
  options: Options;
  /** Signed challenge, which the form returns. */
  challenge: string;
}

/** Returns the challenge and options for creating a passkey. */
export async function registrationRequest(
  service: Pick<Service, "db" | "settings" | "random">,
  user: User,
): Promise<PasskeyRequest<PublicKeyCredentialCreationOptionsJSON>> {
  const challenge = signedChallenge(service, user.id);
  const options = await generateRegistrationOptions({
    rpName: "Octavo",
    rpID: relyingParty(service).id,
    userID: new TextEncoder().encode(user.id),
    userName: user.email,
    userDisplayName: user.name,
    challenge: challengeBytes(challenge),
    excludeCredentials: (await listPasskeys(service, user.id)).map(({ id }) => ({ id })),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
  return { options, challenge };
}

/** Returns the challenge and options for signing in with any passkey of this service. */
export async function signInRequest(
  service: Pick<Service, "settings" | "random">,
): Promise<PasskeyRequest<PublicKeyCredentialRequestOptionsJSON>> {
  const challenge = signedChallenge(service, "");
  const options = await generateAuthenticationOptions({
    rpID: relyingParty(service).id,
    challenge: challengeBytes(challenge),
    userVerification: "required",
  });
  return { options, challenge };
}

/** The browser's answer from a form. */
export interface PasskeyAnswer {
  challenge: string;
  /** JSON of the browser's credential. */
  response: string;
}

/**
 * Stores a new passkey, and returns its name. Throws an AppError if the browser's answer isn't valid, the
 * passkey is already stored, or the user has too many.
 */
export async function addPasskey(
  service: Pick<Service, "db" | "settings" | "rateLimit">,
  { user, provedIn }: Pick<Session, "user" | "provedIn">,
  { challenge, response }: PasskeyAnswer,
  name: string,
): Promise<string> {
  const { id: rpId, origin } = relyingParty(service);
  await useChallenge(service, challenge, user.id);

  const { verified, registrationInfo } = await checked(() =>
    verifyRegistrationResponse({
      response: JSON.parse(response.slice(0, answer_chars)) as RegistrationResponseJSON,
      expectedChallenge: challengeBytes(challenge).toString("base64url"),
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: true,
    }),
  );

  if (!verified) throw rejected();
  const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
  if ((await listPasskeys(service, user.id)).length >= passkeys_count)
    throw new AppError(
      "conflict",
      `You've reached the limit of ${passkeys_count} passkeys. Remove one first.`,
    );

  const row = {
    id,
    user_id: user.id,
    public_key: Buffer.from(publicKey),
    counter,
    transports: [...transports],
  };

  const inserted = await service.db
    .insertInto("passkeys")
    .values({ ...row, name: name.slice(0, passkeyName_chars) || "Passkey" })
    .onConflict((conflict) => conflict.doNothing())
    .returning("name")
    .executeTakeFirst();

  if (!inserted) throw new AppError("conflict", "This passkey is already registered");
  await recordProof(service.db, user.id, methodKey.passkey(id), provedIn);
  return inserted.name;
}

/** Returns the user of a passkey, and its ID. Throws an AppError if the browser's answer isn't valid. */
export async function userByPasskey(
  service: Pick<Service, "db" | "settings" | "rateLimit">,
  { challenge, response }: PasskeyAnswer,
): Promise<{ user: User; passkeyId: string }> {
  const { id: rpId, origin } = relyingParty(service);
  await useChallenge(service, challenge, "");
  const answer = await checked(
    async () => JSON.parse(response.slice(0, answer_chars)) as AuthenticationResponseJSON,
  );

  const row = await service.db
    .selectFrom("passkeys")
    .innerJoin("users", "users.id", "passkeys.user_id")
    .select(["passkeys.id", "public_key", "counter", "user_id", "email", "users.name"])
    .where("passkeys.id", "=", String(answer?.id))
    .executeTakeFirst();

  if (!row) throw rejected();

  const { verified, authenticationInfo } = await checked(() =>
    verifyAuthenticationResponse({
      response: answer,
      expectedChallenge: challengeBytes(challenge).toString("base64url"),
      expectedOrigin: origin,
      expectedRPID: rpId,
      credential: { id: row.id, publicKey: new Uint8Array(row.public_key), counter: Number(row.counter) },
      requireUserVerification: true,
    }),
  );

  if (!verified) throw rejected();
  const used = { counter: authenticationInfo.newCounter, last_used_at: new Date() };
  await service.db.updateTable("passkeys").set(used).where("id", "=", row.id).execute();

  return { user: { id: row.user_id, email: row.email, name: row.name }, passkeyId: row.id };
}

/** Returns the user's passkeys, oldest first. */
export function listPasskeys({ db }: Pick<Service, "db">, userId: string) {
  return db
    .selectFrom("passkeys")
    .select(["id", "name", "created_at", "last_used_at"])
    .where("user_id", "=", userId)
    .orderBy("created_at")
    .execute();
}

/**
 * Removes a user's passkey. Throws "not found" if the user has no such passkey, and a conflict if the admins
 * of an organization would lock themselves out.
 */
export async function removePasskey({ db }: Pick<Service, "db">, userId: string, id: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom("passkeys")
      .where("user_id", "=", userId)
      .where("id", "=", id)
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw notFound();
    await requireProvedAdmins(tx, userId);
  });
}

function relyingParty({ settings: { url } }: Pick<Service, "settings">): { id: string; origin: string } {
  const { hostname, origin } = new URL(url);
  return { id: hostname, origin };
}

function signerOf({ settings }: Pick<Service, "settings">): CookieSigner {
  return new CookieSigner(Buffer.from(settings.secret), "passkey challenge");
}

/** Returns a new signed challenge. `userId`: the user who creates a passkey. Empty for a sign-in. */
function signedChallenge(service: Pick<Service, "settings" | "random">, userId: string): string {
  const value = { random: service.random(24).toString("base64url"), userId };
  return signerOf(service).sign(value, Date.now() + limits.passkeyChallenge_s * 1_000);
}

function challengeBytes(challenge: string): Buffer<ArrayBuffer> {
  return createHash("sha256").update(challenge).digest() as Buffer<ArrayBuffer>;
}

/**
 * Marks a challenge as used. Throws an AppError if the challenge isn't valid for the user, has expired, or
 * was used before.
 */
async function useChallenge(
  service: Pick<Service, "settings" | "rateLimit">,
  challenge: string,
  userId: string,
): Promise<void> {
  const value = signerOf(service).verify(challenge, Date.now());
  const { wait_s } =
    value?.userId === userId
      ? await service.rateLimit("passkey-challenge", {
          token: challengeBytes(challenge).toString("base64url"),
        })
      : { wait_s: 1 };
  if (wait_s > 0) throw invalid("This page expired. Reload and try again.");
}

/** Runs `verify`. Replaces any error, such as for invalid JSON, with an AppError. */
async function checked<T>(verify: () => Promise<T>): Promise<T> {
  try {
    return await verify();
  } catch {
    throw rejected();
  }
}

function rejected(): AppError {
  return new AppError("unauthorized", "This passkey wasn't accepted. Try again, or use another one.");
}
