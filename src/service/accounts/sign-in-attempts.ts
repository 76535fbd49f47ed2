/**
 * Limits password attempts per network, per account, and per account and network, so that an attacker in one
 * network can't lock out the owner. A browser that has signed in to the account before has a separate limit.
 */

import { AppError } from "../../base/app-error.ts";
import { waitText } from "../../base/wait-text.ts";
import type { Service } from "../core/service.ts";

export interface SignInAttempt {
  /** The entered email. Unknown accounts are counted like existing ones. */
  account: string;
  address: string;
  /**
   * ID of a browser that signed in to the account before, or of a signed-in user. Such attempts have a
   * separate limit.
   */
  browser?: string | undefined;
}

/**
 * Counts an attempt. Throws an AppError if the limit is exceeded. Returns a function that undoes the count,
 * to be called if the password is correct.
 */
export async function countSignIn(
  { rateLimit }: Pick<Service, "rateLimit">,
  attempt: SignInAttempt,
): Promise<() => Promise<void>> {
  const { browser, ...subject } = attempt;
  const { wait_s, uncount } =
    browser === undefined
      ? await rateLimit("sign-in", subject)
      : await rateLimit("known-browser", { ...subject, browser });
  if (wait_s === 0) return uncount;
  const message =
    browser === undefined
      ? `Too many attempts. Try again in ${waitText(wait_s)}, or use a browser that you've signed in with before.`
      : `Too many attempts. Try again in ${waitText(wait_s)}.`;
  throw new AppError("rate-limited", message, { retryAfter_s: wait_s });
}
