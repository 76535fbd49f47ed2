/** Limits the emails that the service sends, so that it can't be used to send spam. */

import { AppError } from "../../base/app-error.ts";
import type { RateLimit } from "../../base/rate-limit.ts";
import type { Email, Mailer } from "../../io/mailer.ts";

export interface ServiceEmail extends Email {
  /** ID of the organization that the email is about. Absent for emails about an account. */
  organization?: string;
  /** Whether the recipient may not have an account. Such emails have lower limits. */
  isInvitation?: boolean;
}

export interface ServiceMailer {
  /**
   * Rejects if there were too many emails to the recipient or from the organization, or if the server doesn't
   * accept the email.
   */
  send(email: ServiceEmail): Promise<void>;
}

/**
 * Creates a mailer that sends each email through `mailer` if the limits of its recipient and organization
 * allow it.
 */
export function limitedMailer(mailer: Mailer, rateLimit: RateLimit): ServiceMailer {
  return {
    async send({ organization = "", isInvitation = false, ...email }) {
      const subject = { account: email.to.toLowerCase(), organization };
      const rules = isInvitation ? (["email", "invitation-email"] as const) : (["email"] as const);
      const counted: (() => Promise<void>)[] = [];

      for (const rule of rules) {
        const { wait_s, uncount } = await rateLimit(rule, subject);
        if (wait_s > 0) {
          for (const undo of counted) await undo();
          throw new AppError("rate-limited", "Too many emails", { retryAfter_s: wait_s });
        }
        counted.push(uncount);
      }

      await mailer.send(email);
    },
  };
}
