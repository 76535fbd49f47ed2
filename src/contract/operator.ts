import { Type } from "@sinclair/typebox";
import { limits } from "../base/limits.ts";
import { endpoint, nullable, Timestamp } from "./endpoint.ts";
import { Domain, DomainBody, OperatorSource, Project } from "./projects.ts";
import { ExportJob } from "./static-export.ts";

const tag = "Operator";
const organizationId = { organizationId: "The organization." };

const Plan = Type.Union([Type.Literal("free"), Type.Literal("pro"), Type.Literal("enterprise")]);
const Name = Type.String({ minLength: 1, maxLength: 100 });

export const Organization = Type.Object(
  { id: Type.String(), name: Type.String(), plan: Plan, createdAt: Timestamp },
  { $id: "Organization" },
);

export const ApiKey = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    type: Type.Union([Type.Literal("admin"), Type.Literal("assistant")]),
    projectId: nullable(Type.String({ description: "The one project of an assistant key." })),
    lastFour: Type.String(),
    scopes: Type.Array(Type.String()),
    allowedIps: Type.Array(Type.String()),
    groups: Type.Array(Type.String(), { description: "Groups of readers that an assistant key may ask for." }),
    createdBy: nullable(Type.String({ description: "Name of the member who created it; null: the operator." })),
    expiresAt: nullable(Timestamp),
    revokedAt: nullable(Timestamp),
    lastUsedAt: nullable(Timestamp),
    createdAt: Timestamp,
  },
  { $id: "ApiKey" },
);

export const createOrganization = endpoint({
  operationId: "createOrganization",
  tag,
  summary: "Create an organization",
  method: "POST",
  path: "/operator/v1/organizations",
  caller: "operator",
  body: { type: "application/json", schema: Type.Object({ name: Name, plan: Plan }) },
  success: { status: 201, description: "The organization.", schema: Organization },
});

export const createInvitation = endpoint({
  operationId: "createInvitation",
  tag,
  summary: "Invite somebody to an organization",
  description:
    "The way to an organization's first person. The link is good once, and for a week; another one for the same address replaces it.",
  method: "POST",
  path: "/operator/v1/organizations/{organizationId}/invitations",
  caller: "operator",
  params: organizationId,
  body: {
    type: "application/json",
    schema: Type.Object({
      email: Type.String({ minLength: 3, maxLength: limits.email_chars, description: "Only an account with this address can accept." }),
      role: Type.Union([Type.Literal("admin"), Type.Literal("editor"), Type.Literal("viewer")]),
    }),
  },
  success: {
    status: 201,
    description: "The invitation. Its link is shown this once.",
    schema: Type.Object({ id: Type.String(), url: Type.String({ format: "uri", description: "To be sent to whoever is invited." }) }),
  },
});

export const listOrganizations = endpoint({
  operationId: "listOrganizations",
  tag,
  summary: "List organizations",
  method: "GET",
  path: "/operator/v1/organizations",
  caller: "operator",
  success: { status: 200, description: "All organizations.", schema: Type.Object({ organizations: Type.Array(Organization) }) },
});

export const getOrganization = endpoint({
  operationId: "getOrganization",
  tag,
  summary: "Get an organization",
  method: "GET",
  path: "/operator/v1/organizations/{organizationId}",
  caller: "operator",
  params: organizationId,
  success: { status: 200, description: "The organization.", schema: Organization },
});

export const changeOrganization = endpoint({
  operationId: "changeOrganization",
  tag,
  summary: "Change an organization",
  method: "PATCH",
  path: "/operator/v1/organizations/{organizationId}",
  caller: "operator",
  params: organizationId,
  body: { type: "application/json", schema: Type.Object({ name: Type.Optional(Name), plan: Type.Optional(Plan) }) },
  success: { status: 200, description: "The organization as it is now.", schema: Organization },
});

export const deleteOrganization = endpoint({
  operationId: "deleteOrganization",
  tag,
  summary: "Delete an organization",
  description: "With everything that it owns: projects, keys, deployments, conversations.",
  method: "DELETE",
  path: "/operator/v1/organizations/{organizationId}",
  caller: "operator",
  params: organizationId,
  success: { status: 204, description: "It is gone." },
});

export const createKey = endpoint({
  operationId: "createKey",
  tag,
  summary: "Create an API key",
  description: "The key itself is in this answer and nowhere else: the service keeps a hash of it.",
  method: "POST",
  path: "/operator/v1/organizations/{organizationId}/keys",
  caller: "operator",
  params: organizationId,
  body: {
    type: "application/json",
    schema: Type.Object({
      name: Name,
      type: Type.Optional(Type.Union([Type.Literal("admin"), Type.Literal("assistant")], { default: "admin" })),
      projectId: Type.Optional(Type.String({ description: "Needed for an assistant key, and only there." })),
      scopes: Type.Optional(
        Type.Array(Type.String({ description: "`read` or `write`; write includes read." }), {
          description: "All when absent. For admin keys only.",
        }),
      ),
      expiresAt: Type.Optional(nullable(Type.String({ description: "An instant in the future; absent or null: never." }))),
      allowedIps: Type.Optional(
        Type.Array(Type.String({ maxLength: 64 }), {
          maxItems: 100,
          description: "Addresses or networks (CIDR) that may use the key; absent: all.",
        }),
      ),
      groups: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
          maxItems: 100,
          description:
            "Groups of readers that requests with this assistant key may ask for; absent: public pages only. Anyone who has the key can read the pages of these groups.",
        }),
      ),
    }),
  },
  success: {
    status: 201,
    description: "The key.",
    schema: Type.Composite([ApiKey, Type.Object({ key: Type.String({ description: "Shown this once." }) })], { $id: "NewApiKey" }),
  },
});

export const listKeys = endpoint({
  operationId: "listKeys",
  tag,
  summary: "List API keys",
  method: "GET",
  path: "/operator/v1/organizations/{organizationId}/keys",
  caller: "operator",
  params: organizationId,
  success: { status: 200, description: "All keys of the organization.", schema: Type.Object({ keys: Type.Array(ApiKey) }) },
});

export const revokeKey = endpoint({
  operationId: "revokeKey",
  tag,
  summary: "Revoke an API key",
  method: "DELETE",
  path: "/operator/v1/organizations/{organizationId}/keys/{keyId}",
  caller: "operator",
  params: { ...organizationId, keyId: "The key's id." },
  success: { status: 204, description: "The key opens nothing any more." },
});

export const createProject = endpoint({
  operationId: "createProject",
  tag,
  summary: "Create a project",
  method: "POST",
  path: "/operator/v1/organizations/{organizationId}/projects",
  caller: "operator",
  params: organizationId,
  body: {
    type: "application/json",
    schema: Type.Object({
      name: Name,
      subdomain: Type.String({ maxLength: 63, description: "Letters, digits and hyphens." }),
      source: Type.Optional(OperatorSource),
    }),
  },
  success: { status: 201, description: "The project.", schema: Project },
  refusals: { 409: "The subdomain is taken." },
});

export const listOrganizationProjects = endpoint({
  operationId: "listOrganizationProjects",
  tag,
  summary: "List an organization's projects",
  method: "GET",
  path: "/operator/v1/organizations/{organizationId}/projects",
  caller: "operator",
  params: organizationId,
  success: { status: 200, description: "All projects of the organization.", schema: Type.Object({ projects: Type.Array(Project) }) },
});

export const deleteProject = endpoint({
  operationId: "deleteProject",
  tag,
  summary: "Delete a project",
  method: "DELETE",
  path: "/operator/v1/projects/{projectId}",
  caller: "operator",
  params: { projectId: "The project." },
  success: { status: 204, description: "It is gone, with its deployments and conversations." },
});

export const addOperatorDomain = endpoint({
  operationId: "addOperatorDomain",
  tag,
  summary: "Give a project a domain",
  description: "The operator vouches for the domain: it needs no verification, and unverified claims of others don't count.",
  method: "POST",
  path: "/operator/v1/projects/{projectId}/domains",
  caller: "operator",
  params: { projectId: "The project." },
  body: {
    type: "application/json",
    schema: Type.Composite([
      DomainBody,
      Type.Object({ replace: Type.Optional(Type.Boolean({ description: "Takes the domain from the project that has verified it." })) }),
    ]),
  },
  success: { status: 201, description: "The domain.", schema: Domain },
  refusals: { 409: "Another project has verified the domain." },
});

export const listOperatorDomains = endpoint({
  operationId: "listOperatorDomains",
  tag,
  summary: "List a project's domains",
  method: "GET",
  path: "/operator/v1/projects/{projectId}/domains",
  caller: "operator",
  params: { projectId: "The project." },
  success: { status: 200, description: "All domains of the project.", schema: Type.Object({ domains: Type.Array(Domain) }) },
});

export const cancelExport = endpoint({
  operationId: "cancelStaticExport",
  tag,
  summary: "Cancel a static export",
  description: "The job ends as failed, with the reason that the operator cancelled it.",
  method: "POST",
  path: "/operator/v1/static-export/jobs/{jobId}/cancel",
  caller: "operator",
  params: { jobId: "The job." },
  success: { status: 200, description: "The job.", schema: ExportJob },
  refusals: { 409: "The job has ended." },
});
