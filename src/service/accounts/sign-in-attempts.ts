/**
 * How often a password may be tried. A stranger's guesses slow down their own network and leave the account to everyone
 * else; a browser that signed in to the account before has attempts of its own.
 */
import { AppError } from "../../base/app-error.ts";
import type { Service } from "../core/service.ts";

export interface SignInAttempt {
  /** As it was typed: an account that doesn't exist is counted like one that does. */
  account: string;
  address: string;
  /** Id of a browser that is known to the account. */
  browser?: string | undefined;
}

/** Counts an attempt. Answers with what takes it back: only wrong passwords count. */
export async function countSignIn({ rateLimit }: Pick<Service, "rateLimit">, attempt: SignInAttempt): Promise<() => Promise<void>> {
  const { browser, ...who } = attempt;
  const { wait_s, giveBack } =
    browser === undefined ? await rateLimit("sign-in", who) : await rateLimit("known-browser", { ...who, browser });
  if (wait_s === 0) return giveBack;
  const wait = wait_s > 60 ? `${Math.ceil(wait_s / 60)} minutes` : `${wait_s} seconds`;
  throw new AppError(
    "rate-limited",
    `Too many attempts from your network. Try again in ${wait}, or use a browser you signed in with before.`,
    {
      retryAfter_s: wait_s,
    },
  );
}
