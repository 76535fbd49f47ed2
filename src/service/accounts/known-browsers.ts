/**
 * Remembers in a signed cookie which accounts a browser has signed in to. For these accounts, the browser has
 * a separate rate limit for password attempts.
 */

import { createHash } from "node:crypto";
import { limits } from "../../base/limits.ts";
import { CookieSigner } from "../../host/sign-in/cookie-signer.ts";
import type { Service } from "../core/service.ts";

/** Maximum number of accounts in the cookie. Those with the oldest sign-ins are dropped. */
const knownAccounts_count = 5;

interface KnownBrowser {
  id: string;
  /** Hashes of emails, most recent sign-in first. */
  accounts: string[];
}

export class KnownBrowsers {
  private readonly signer: CookieSigner;
  private readonly random: Service["random"];

  constructor({ settings, random }: Pick<Service, "settings" | "random">) {
    this.signer = new CookieSigner(Buffer.from(settings.secret), "known browser");
    this.random = random;
  }

  /**
   * Returns the ID of the browser if its cookie contains the account. Undefined otherwise. `cookie`: value
   * that `add` returned.
   */
  idFor(cookie: string | undefined, email: string): string | undefined {
    const known = this.read(cookie);
    return known?.accounts.includes(hashOf(email)) ? known.id : undefined;
  }

  /** Returns the new value of the cookie after the browser has signed in to the account. */
  add(cookie: string | undefined, email: string): string {
    const known = this.read(cookie) ?? { id: this.random(16).toString("base64url"), accounts: [] };
    const account = hashOf(email);
    const accounts = [account, ...known.accounts.filter((other) => other !== account)].slice(
      0,
      knownAccounts_count,
    );
    return this.signer.sign({ id: known.id, accounts }, Date.now() + limits.knownBrowser_s * 1_000);
  }

  private read(cookie: string | undefined): KnownBrowser | undefined {
    const opened = cookie === undefined ? undefined : this.signer.verify(cookie, Date.now());
    return opened as KnownBrowser | undefined;
  }
}

function hashOf(email: string): string {
  return createHash("sha256").update(email.trim().toLowerCase()).digest("base64url").slice(0, 22);
}
