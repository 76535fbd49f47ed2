/** Lists all routes of the dashboard. */

import { accountRoutes } from "../accounts/account-routes.tsx";
import { confirmRoutes } from "../accounts/confirm-routes.tsx";
import { homeRoutes } from "../accounts/home-routes.tsx";
import { invitationRoutes } from "../accounts/invitation-routes.tsx";
import { memberRoutes } from "../accounts/members-routes.tsx";
import { newMethodRoutes } from "../accounts/new-method-routes.tsx";
import { passkeyRoutes } from "../accounts/passkey-routes.tsx";
import { passwordResetRoutes } from "../accounts/password-reset-routes.tsx";
import { proveSessionRoutes } from "../accounts/prove-session-routes.tsx";
import { type SignInOptions, signInRoutes } from "../accounts/sign-in-routes.tsx";
import { singleSignOnRoutes } from "../accounts/single-sign-on-routes.tsx";
import { twoFactorRoutes } from "../accounts/two-factor-routes.tsx";
import { auditRoutes } from "../audit-log/routes.tsx";
import { conversationRoutes } from "../conversations/routes.tsx";
import { questionRoutes } from "../conversations/unanswered-routes.tsx";
import { brokenLinkRoutes } from "../deployments/broken-links-routes.tsx";
import { problemRoutes } from "../deployments/problem-routes.tsx";
import { deploymentRoutes } from "../deployments/routes.tsx";
import { domainRoutes } from "../domains/routes.tsx";
import { feedbackRoutes } from "../feedback/routes.tsx";
import { apiKeyRoutes } from "../keys/routes.tsx";
import { emailRoutes } from "../notifications/email-routes.tsx";
import { notificationRoutes } from "../notifications/routes.tsx";
import { operatorRoutes } from "../operator/routes.tsx";
import { organizationSettingsRoutes } from "../organizations/routes.tsx";
import { overviewRoutes } from "../overview/routes.tsx";
import { organizationRoutes } from "../projects/routes.tsx";
import { settingsRoutes } from "../projects/settings-routes.tsx";
import { repositoryRoutes } from "../repositories/routes.tsx";
import { searchRoutes } from "../searches/routes.tsx";
import { exportRoutes } from "../static-export/routes.tsx";
import { trafficRoutes } from "../traffic/routes.tsx";
import type { DashboardRoute } from "../ui/route.ts";

export function dashboardRoutes(options: SignInOptions): DashboardRoute[] {
  return [
    ...signInRoutes(options),
    ...invitationRoutes(options),
    ...singleSignOnRoutes(options),
    ...passwordResetRoutes(options),
    ...twoFactorRoutes(options),
    ...passkeyRoutes(options),
    ...newMethodRoutes,
    ...confirmRoutes(options),
    ...proveSessionRoutes(options),
    ...homeRoutes,
    ...accountRoutes(options),
    ...operatorRoutes,
    ...organizationRoutes,
    ...memberRoutes,
    ...organizationSettingsRoutes,
    ...notificationRoutes,
    ...emailRoutes,
    ...auditRoutes,
    ...settingsRoutes,
    ...repositoryRoutes,
    ...apiKeyRoutes,
    ...overviewRoutes,
    ...deploymentRoutes,
    ...brokenLinkRoutes,
    ...problemRoutes,
    ...exportRoutes,
    ...domainRoutes,
    ...conversationRoutes,
    ...questionRoutes,
    ...searchRoutes,
    ...trafficRoutes,
    ...feedbackRoutes,
  ];
}
