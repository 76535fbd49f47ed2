/** All routes of the dashboard. */
import { accountRoutes } from "./pages/account.tsx";
import { type DoorOptions, doorRoutes } from "./pages/door.tsx";
import { organizationRoutes } from "./pages/organization.tsx";
import type { DashboardRoute } from "./route.ts";

export function dashboardRoutes(options: DoorOptions): DashboardRoute[] {
  return [...doorRoutes(options), ...accountRoutes, ...organizationRoutes];
}
