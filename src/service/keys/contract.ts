import { Type } from "@sinclair/typebox";
import { endpoint, nullable, Timestamp } from "../core/endpoint.ts";
import { Name, organizationId } from "../organizations/contract.ts";

const tag = "Operator";

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
