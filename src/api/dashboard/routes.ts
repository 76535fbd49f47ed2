/** All routes of the dashboard. */
import { accountRoutes } from "./pages/account.tsx";
import { apiKeyRoutes } from "./pages/api-keys.tsx";
import { auditRoutes } from "./pages/audit-log.tsx";
import { conversationRoutes } from "./pages/conversations.tsx";
import { deploymentRoutes } from "./pages/deployments.tsx";
import { domainRoutes } from "./pages/domains.tsx";
import { exportRoutes } from "./pages/exports.tsx";
import { feedbackRoutes } from "./pages/feedback.tsx";
import { invitationRoutes } from "./pages/invitation.tsx";
import { memberRoutes } from "./pages/members.tsx";
import { organizationRoutes } from "./pages/organization.tsx";
import { overviewRoutes } from "./pages/overview.tsx";
import { questionRoutes } from "./pages/questions.tsx";
import { searchRoutes } from "./pages/searches.tsx";
import { settingsRoutes } from "./pages/settings.tsx";
import { type SignInOptions, signInRoutes } from "./pages/sign-in.tsx";
import { singleSignOnRoutes } from "./pages/single-sign-on.tsx";
import { trafficRoutes } from "./pages/traffic.tsx";
import type { DashboardRoute } from "./route.ts";

export function dashboardRoutes(options: SignInOptions): DashboardRoute[] {
  return [
    ...signInRoutes(options),
    ...invitationRoutes(options),
    ...singleSignOnRoutes(options),
    ...accountRoutes(options),
    ...organizationRoutes,
    ...memberRoutes,
    ...auditRoutes,
    ...settingsRoutes,
    ...apiKeyRoutes,
    ...overviewRoutes,
    ...deploymentRoutes,
    ...exportRoutes,
    ...domainRoutes,
    ...conversationRoutes,
    ...questionRoutes,
    ...searchRoutes,
    ...trafficRoutes,
    ...feedbackRoutes,
  ];
}
