/** Lists the handlers of all API endpoints. */

import { invitationHandlers } from "../accounts/api.ts";
import { assistantHandlers } from "../assistant/api.ts";
import { searchHandlers } from "../assistant/search-api.ts";
import type { SiteDocs } from "../assistant/site-docs.ts";
import { auditHandlers } from "../audit-log/api.ts";
import { changesHandlers } from "../changes/api.ts";
import { conversationHandlers } from "../conversations/api.ts";
import { unansweredHandlers } from "../conversations/unanswered-api.ts";
import { deploymentHandlers } from "../deployments/api.ts";
import { domainHandlers } from "../domains/api.ts";
import { feedbackHandlers } from "../feedback/api.ts";
import type { Handlers } from "../http/call.ts";
import { keyHandlers } from "../keys/api.ts";
import { webhookHandlers } from "../notifications/api.ts";
import { operatorHandlers } from "../operator/api.ts";
import { organizationHandlers } from "../organizations/api.ts";
import { projectHandlers } from "../projects/api.ts";
import { searchesHandlers } from "../searches/api.ts";
import { exportHandlers } from "../static-export/api.ts";
import { trafficHandlers } from "../traffic/api.ts";
import type { Endpoints } from "./endpoints.ts";

/** Returns the handlers. `docs`: provides live sites to the assistant and search endpoints. */
export const handlersOf = (docs: SiteDocs): Handlers<Endpoints> => ({
  ...assistantHandlers(docs),
  ...auditHandlers,
  ...changesHandlers,
  ...conversationHandlers,
  ...deploymentHandlers,
  ...domainHandlers,
  ...exportHandlers,
  ...feedbackHandlers,
  ...invitationHandlers,
  ...keyHandlers,
  ...operatorHandlers,
  ...organizationHandlers,
  ...projectHandlers,
  ...searchHandlers(docs),
  ...searchesHandlers,
  ...trafficHandlers,
  ...unansweredHandlers,
  ...webhookHandlers,
});
