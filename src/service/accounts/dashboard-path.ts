import { returnPath } from "../../host/sign-in/return-path.ts";

/** Returns `next` if it is a dashboard path, but not one of a sign-in page; otherwise the path of the home page. */
export function dashboardPath(next: string | null): string {
  const path = returnPath(next);
  return /^\/dashboard(?:[/?]|$)/.test(path) && !/^\/dashboard\/(?:sign-|provider|forgot-|reset-)/.test(path) ? path : "/dashboard";
}
