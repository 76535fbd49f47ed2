/** Every endpoint of the service. An endpoint without a handler does not compile. */
import { askAssistant } from "./assistant.ts";
import { listAudit } from "./audit-log.ts";
import { deleteConversation, getCallerStats, getThread, importConversations, listConversations } from "./conversations.ts";
import { createDeployment, getDeployment, listDeployments, preview, purge, rollBack, update, updateStatus } from "./deployments.ts";
import { addDomain, addOperatorDomain, listDomains, listOperatorDomains, removeDomain, verifyDomain } from "./domains.ts";
import type { Endpoint } from "./endpoint.ts";
import { listFeedback, listFeedbackByPage } from "./feedback.ts";
import { createInvitation } from "./invitations.ts";
import { createKey, listKeys, revokeKey } from "./keys.ts";
import { changeOrganization, createOrganization, deleteOrganization, getOrganization, listOrganizations } from "./organizations.ts";
import { changeProject, createProject, deleteProject, getProject, listOrganizationProjects, listProjects } from "./projects.ts";
import { getPage, searchSite } from "./search.ts";
import { listSearches } from "./searches.ts";
import { bundleExport, cancelExport, cancelOwnExport, getExport, listExports, startExport } from "./static-export.ts";
import { listViews, listVisitors } from "./traffic.ts";

export const endpoints = {
  listConversations,
  getThread,
  importConversations,
  deleteConversation,
  getCallerStats,
  listFeedback,
  listFeedbackByPage,
  listSearches,
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
  purge,
  update,
  updateStatus,
  preview,
  listProjects,
  getProject,
  changeProject,
  addDomain,
  listDomains,
  verifyDomain,
  removeDomain,
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
} satisfies Record<string, Endpoint>;

export type Endpoints = typeof endpoints;
export type EndpointName = keyof Endpoints;
