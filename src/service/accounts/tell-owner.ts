import type { User } from "../core/identity.ts";
import type { Service } from "../core/service.ts";

/**
 * Emails the owner of an account about a new sign-in method, if the service sends email. `change`: a sentence
 * such as "A passkey was added to your Octavo account." Doesn't wait for the email, and a change doesn't fail
 * because of it.
 */
export function tellOwner(
  { mail, settings }: Pick<Service, "mail" | "settings">,
  { email }: User,
  change: string,
): void {
  const text = [
    change,
    `If this wasn't you, reset your password at ${settings.url}/dashboard/forgot-password. This signs out all devices. Then remove the sign-in methods and API keys that you don't recognize from your account.`,
  ].join("\n\n");
  mail?.send({ to: email, subject: "Your Octavo sign-in changed", text }).catch(() => {});
}
