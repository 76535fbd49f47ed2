import { Type } from "@sinclair/typebox";
import { limits } from "../../base/limits.ts";
import { endpoint, nextPage, timestamp } from "../core/endpoint.ts";
import { listQuery } from "../core/list-page.ts";

const tag = "Operator";
export const organizationId = { organizationId: "Organization ID." };

const Plan = Type.Union([Type.Literal("free"), Type.Literal("pro"), Type.Literal("enterprise")]);
const Role = Type.Union([Type.Literal("viewer"), Type.Literal("editor"), Type.Literal("admin")], {
  description: "Role that the dashboard preselects for invitations.",
});
/** Name of an organization, a project, or a key. */
export const DisplayName = Type.String({ minLength: 1, maxLength: limits.organizationName_chars });
const RequiresConfirmedSignIn = Type.Boolean({
  description: "Whether members need a sign-in method that they confirmed after joining.",
});

export const Organization = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    plan: Plan,
    defaultRole: Role,
    requiresConfirmedSignIn: RequiresConfirmedSignIn,
    createdAt: timestamp("When the organization was created."),
  },
  { $id: "Organization" },
);

export const createOrganization = endpoint({
  operationId: "createOrganization",
  isIdempotent: true,
  organization: "created",
  tag,
  summary: "Create an organization",
  description: "Creates an organization without members. To add the first one, create an invitation.",
  method: "POST",
  path: "/operator/v1/organizations",
  caller: "operator",
  body: { type: "application/json", schema: Type.Object({ name: DisplayName, plan: Plan }) },
  success: { status: 201, description: "The organization.", schema: Organization },
});

export const listOrganizations = endpoint({
  operationId: "listOrganizations",
  tag,
  summary: "List organizations",
  description: "Returns all organizations of the service, oldest first.",
  method: "GET",
  path: "/operator/v1/organizations",
  caller: "operator",
  query: listQuery,
  success: {
    status: 200,
    description: "All organizations.",
    schema: Type.Object({ organizations: Type.Array(Organization), ...nextPage }),
  },
});

export const getOrganization = endpoint({
  operationId: "getOrganization",
  tag,
  summary: "Get an organization",
  description: "Returns the organization with its plan and its settings.",
  method: "GET",
  path: "/operator/v1/organizations/{organizationId}",
  caller: "operator",
  params: organizationId,
  success: { status: 200, description: "The organization.", schema: Organization },
});

export const changeOrganization = endpoint({
  operationId: "changeOrganization",
  tag,
  summary: "Update an organization",
  description: "Updates the specified fields. Omitted fields don't change.",
  method: "PATCH",
  path: "/operator/v1/organizations/{organizationId}",
  caller: "operator",
  params: organizationId,
  body: {
    type: "application/json",
    schema: Type.Object({
      name: Type.Optional(DisplayName),
      plan: Type.Optional(Plan),
      defaultRole: Type.Optional(Role),
      requiresConfirmedSignIn: Type.Optional(RequiresConfirmedSignIn),
    }),
  },
  success: { status: 200, description: "The updated organization.", schema: Organization },
});

export const deleteOrganization = endpoint({
  operationId: "deleteOrganization",
  organization: "deleted",
  tag,
  summary: "Delete an organization",
  description: "Also deletes the organization's projects, API keys, deployments, and conversations.",
  method: "DELETE",
  path: "/operator/v1/organizations/{organizationId}",
  caller: "operator",
  params: organizationId,
  success: { status: 204, description: "The organization was deleted." },
});
