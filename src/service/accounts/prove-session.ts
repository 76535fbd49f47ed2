/** Proves the sign-in method of a session with a second method. */

import { AppError } from "../../base/app-error.ts";
import type { Session } from "../core/identity.ts";
import { methodKey, recordProof } from "../core/proved-methods.ts";
import type { Service } from "../core/service.ts";
import { confirmPassword } from "./password-sign-in.ts";
import { hasPassword } from "./passwords.ts";
import { requireSecondFactor, twoFactorState } from "./two-factor.ts";

/** How a session can prove its sign-in method: with the password, and a code if there is a second factor. */
export interface ProofRequest {
  asksForCode: boolean;
}

/** Returns what the user has to enter to prove the session's method. Undefined if nothing would prove it. */
export async function proofRequest(
  service: Pick<Service, "db">,
  { user, method, limitedTo }: Session,
): Promise<ProofRequest | undefined> {
  if (method === null || limitedTo !== undefined || !(await hasPassword(service, user.id))) return undefined;
  const { isOn } = await twoFactorState(service, user.id);
  // A password alone doesn't prove itself.
  return method === methodKey.password && !isOn ? undefined : { asksForCode: isOn };
}

/**
 * Proves the session's sign-in method and the password in an organization. Throws an AppError if the password
 * or the code is wrong, or if they wouldn't be a second method.
 */
export async function proveSession(
  service: Pick<Service, "db" | "secrets" | "rateLimit" | "settings">,
  session: Session,
  organizationId: string,
  { password, code, address }: { password: string; code: string; address: string },
): Promise<void> {
  const { user, method } = session;
  const request = await proofRequest(service, session);
  if (!request || method === null)
    throw new AppError("forbidden", "Confirm your sign-in method in one of the ways that the page lists");

  await confirmPassword(service, user, password, address);
  if (request.asksForCode) await requireSecondFactor(service, { userId: user.id, address }, code);
  for (const proved of new Set([method, methodKey.password]))
    await recordProof(service.db, user.id, proved, [organizationId]);
}
