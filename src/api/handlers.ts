/** Every endpoint of the contract and what answers it. */
import type { Handlers } from "./call.ts";
import { analyticsHandlers } from "./handlers/analytics.ts";
import { assistantHandlers } from "./handlers/assistant.ts";
import { conversationHandlers } from "./handlers/conversations.ts";
import { deploymentHandlers } from "./handlers/deployments.ts";
import { operatorHandlers } from "./handlers/operator.ts";
import { projectHandlers } from "./handlers/projects.ts";
import { exportHandlers } from "./handlers/static-export.ts";

export const handlers: Handlers = {
  ...analyticsHandlers,
  ...assistantHandlers,
  ...conversationHandlers,
  ...deploymentHandlers,
  ...exportHandlers,
  ...projectHandlers,
  ...operatorHandlers,
};
