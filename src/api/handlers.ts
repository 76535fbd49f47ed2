/** The handlers of all endpoints of the contract. */
import type { Handlers } from "./call.ts";
import { assistantHandlers } from "./handlers/assistant.ts";
import { auditHandlers } from "./handlers/audit-log.ts";
import { conversationHandlers } from "./handlers/conversations.ts";
import { deploymentHandlers } from "./handlers/deployments.ts";
import { domainHandlers } from "./handlers/domains.ts";
import { feedbackHandlers } from "./handlers/feedback.ts";
import { invitationHandlers } from "./handlers/invitations.ts";
import { keyHandlers } from "./handlers/keys.ts";
import { organizationHandlers } from "./handlers/organizations.ts";
import { projectHandlers } from "./handlers/projects.ts";
import { searchHandlers } from "./handlers/search.ts";
import { searchesHandlers } from "./handlers/searches.ts";
import { exportHandlers } from "./handlers/static-export.ts";
import { trafficHandlers } from "./handlers/traffic.ts";

export const handlers: Handlers = {
  ...assistantHandlers,
  ...auditHandlers,
  ...conversationHandlers,
  ...deploymentHandlers,
  ...domainHandlers,
  ...exportHandlers,
  ...feedbackHandlers,
  ...invitationHandlers,
  ...keyHandlers,
  ...organizationHandlers,
  ...projectHandlers,
  ...searchHandlers,
  ...searchesHandlers,
  ...trafficHandlers,
};
