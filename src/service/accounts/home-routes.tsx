/** Dashboard route of the home page: lists the user's organizations, or redirects to the only one. */

import { page, redirect } from "../ui/dashboard-response.ts";
import { organizationHref } from "../ui/dashboard-urls.ts";
import { type DashboardRoute, userRoute } from "../ui/route.ts";
import { Home } from "./home-view.tsx";

export const homeRoutes: DashboardRoute[] = [
  userRoute("GET /", "home", async ({ session: { memberships } }) => {
    if (memberships.length === 1) return redirect(organizationHref(memberships[0]!.organizationId));
    const organizations = memberships.map(({ organizationId, organizationName, role }) => ({
      id: organizationId,
      name: organizationName,
      role,
    }));
    return page("Organizations", <Home organizations={organizations} />);
  }),
];
