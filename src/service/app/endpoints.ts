/** Lists all endpoints of the API. The code only compiles if each endpoint has a handler. */

import { createInvitation } from "../accounts/contract.ts";
import { askAssistant } from "../assistant/contract.ts";
import { getPage, searchSite } from "../assistant/search-contract.ts";
import { listAudit } from "../audit-log/contract.ts";
import { listChanges } from "../changes/contract.ts";
import {
  deleteConversation,
  getCallerStats,
  getThread,
  importConversations,
  listConversations,
} from "../conversations/contract.ts";
import { changeUnanswered, listUnanswered } from "../conversations/unanswered-contract.ts";
import type { Endpoint } from "../core/endpoint.ts";
import {
  cancelDeployment,
  createDeployment,
  getDeployment,
  listDeployments,
  preview,
  purge,
  rollBack,
  update,
  updateStatus,
} from "../deployments/contract.ts";
import {
  addDomain,
  addOperatorDomain,
  listDomains,
  listOperatorDomains,
  removeDomain,
  verifyDomain,
} from "../domains/contract.ts";
import { listFeedback, listFeedbackByPage } from "../feedback/contract.ts";
import { createKey, listKeys, revokeKey } from "../keys/contract.ts";
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  listWebhookDeliveries,
  listWebhooks,
  resendWebhookDelivery,
} from "../notifications/contract.ts";
import { addOperator, listOperators, removeOperator } from "../operator/contract.ts";
import {
  changeOrganization,
  createOrganization,
  deleteOrganization,
  getOrganization,
  listOrganizations,
} from "../organizations/contract.ts";
import {
  changeProject,
  createOwnProject,
  createProject,
  deleteProject,
  getProject,
  listOrganizationProjects,
  listProjects,
} from "../projects/contract.ts";
import { listSearches } from "../searches/contract.ts";
import {
  bundleExport,
  cancelExport,
  cancelOwnExport,
  getExport,
  listExports,
  startExport,
} from "../static-export/contract.ts";
import { listViews, listVisitors } from "../traffic/contract.ts";

export const endpoints = {
  listConversations,
  getThread,
  importConversations,
  deleteConversation,
  getCallerStats,
  listUnanswered,
  changeUnanswered,
  listFeedback,
  listFeedbackByPage,
  listSearches,
  listChanges,
  listViews,
  listVisitors,
  askAssistant,
  searchSite,
  getPage,
  startExport,
  listExports,
  getExport,
  cancelOwnExport,
  bundleExport,
  createDeployment,
  listDeployments,
  getDeployment,
  rollBack,
  cancelDeployment,
  purge,
  update,
  updateStatus,
  preview,
  listProjects,
  createOwnProject,
  getProject,
  changeProject,
  addDomain,
  listDomains,
  verifyDomain,
  removeDomain,
  createWebhook,
  listWebhooks,
  changeWebhook,
  deleteWebhook,
  listWebhookDeliveries,
  resendWebhookDelivery,
  listAudit,
  createOrganization,
  listOrganizations,
  getOrganization,
  changeOrganization,
  deleteOrganization,
  createInvitation,
  createKey,
  listKeys,
  revokeKey,
  createProject,
  listOrganizationProjects,
  deleteProject,
  addOperatorDomain,
  listOperatorDomains,
  cancelExport,
  listOperators,
  addOperator,
  removeOperator,
} satisfies Record<string, Endpoint>;

export type Endpoints = typeof endpoints;
