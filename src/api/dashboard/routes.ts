/** All routes of the dashboard. */
import { accountRoutes } from "./pages/account.tsx";
import { auditRoutes } from "./pages/audit-log.tsx";
import { type DoorOptions, doorRoutes } from "./pages/door.tsx";
import { memberRoutes } from "./pages/members.tsx";
import { organizationRoutes } from "./pages/organization.tsx";
import { settingsRoutes } from "./pages/settings.tsx";
import type { DashboardRoute } from "./route.ts";

export function dashboardRoutes(options: DoorOptions): DashboardRoute[] {
  return [...doorRoutes(options), ...accountRoutes, ...organizationRoutes, ...memberRoutes, ...auditRoutes, ...settingsRoutes];
}
