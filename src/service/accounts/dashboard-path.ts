import { returnPath } from "../../host/sign-in/return-path.ts";

/**
 * Returns `next` if it is a dashboard path, except for pages to sign in or reset a password. Returns
 * `/dashboard` for all other values.
 */
export function dashboardPath(next: string | null): string {
  const path = returnPath(next, "");
  return /^\/dashboard(?:[/?]|$)/.test(path) && !/^\/dashboard\/(?:sign-|provider|forgot-|reset-)/.test(path)
    ? path
    : "/dashboard";
}
