import { type DashboardResponse, redirect } from "../ui/dashboard-response.ts";
import { confirmHref } from "../ui/dashboard-urls.ts";
import { type DashboardRoute, userRoute } from "../ui/route.ts";
import type { UserVisit } from "../ui/visit.ts";
import { isRecent } from "./sessions.ts";

/** Creates a route for users who authenticated recently. Redirects other users to a page where they confirm their identity. */
export function recentRoute(
  route: `${"GET" | "POST"} ${string}`,
  name: string,
  handle: (visit: UserVisit) => Promise<DashboardResponse>,
): DashboardRoute {
  const method = route.startsWith("GET") ? "GET" : "POST";
  return userRoute(route, name, async (visit) => (isRecent(visit.session) ? handle(visit) : askToConfirm(visit, method)));
}

/**
 * Returns a redirect to the page where users confirm their identity. Afterward, users return to the requested page or, after a POST
 * request, to their account.
 */
function askToConfirm({ url }: UserVisit, method: "GET" | "POST"): DashboardResponse {
  const next = method === "GET" ? url.pathname : "/dashboard/account";
  return redirect(confirmHref(next));
}
