import { type DashboardResponse, redirect } from "../ui/dashboard-response.ts";
import { confirmHref } from "../ui/dashboard-urls.ts";
import { type DashboardRoute, userRoute } from "../ui/route.ts";
import type { UserVisit } from "../ui/visit.ts";
import { isRecent } from "./sessions.ts";
import { requireUnlimited } from "./unconfirmed.ts";

/**
 * Creates a route for users who authenticated recently. Redirects other users to a page where they confirm
 * their identity. Refuses limited sessions.
 */
export function recentRoute(
  route: `${"GET" | "POST"} ${string}`,
  name: string,
  handle: (visit: UserVisit) => Promise<DashboardResponse>,
): DashboardRoute {
  // After a POST request, users return to their account.
  const next = ({ url }: UserVisit) => (route.startsWith("GET") ? url.pathname : "/dashboard/account");
  return userRoute(route, name, (visit) => {
    requireUnlimited(visit.session);
    return requireRecentSignIn(visit, next(visit), () => handle(visit));
  });
}

/**
 * Runs a handler if the user authenticated recently. Otherwise redirects to the page where users confirm
 * their identity, which then redirects to `next`.
 */
export async function requireRecentSignIn(
  { session }: UserVisit,
  next: string,
  handle: () => Promise<DashboardResponse>,
): Promise<DashboardResponse> {
  return isRecent(session) ? handle() : redirect(confirmHref(next));
}
