import { limits } from "../../base/limits.ts";

/** Returns the email in lowercase without surrounding spaces; undefined if it isn't valid. */
export function readEmail(text: string): string | undefined {
  const email = text.trim().toLowerCase();
  return email.length <= limits.email_chars &&
    /^[^\s@<>"(),:;\\[\]]+@[^\s@<>"(),:;\\[\]]+\.[^\s@<>"(),:;\\[\].]+$/.test(email)
    ? email
    : undefined;
}
