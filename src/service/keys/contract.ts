import { Type } from "@sinclair/typebox";
import { endpoint, nullable, Timestamp } from "../core/endpoint.ts";
import { Name, organizationId } from "../organizations/contract.ts";

const tag = "Operator";

export const ApiKey = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    type: Type.Union([Type.Literal("admin"), Type.Literal("assistant")]),
    projectId: nullable(Type.String({ description: "Project of an assistant key." })),
    lastFour: Type.String(),
    scopes: Type.Array(Type.String()),
    allowedIps: Type.Array(Type.String()),
    groups: Type.Array(Type.String(), { description: "Reader groups that requests with an assistant key can use." }),
    createdBy: nullable(Type.String({ description: "Name of the member who created the key. Null if the operator created it." })),
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
  description: "The key is returned only once. The service stores only its hash.",
  method: "POST",
  path: "/operator/v1/organizations/{organizationId}/keys",
  caller: "operator",
  params: organizationId,
  body: {
    type: "application/json",
    schema: Type.Object({
      name: Name,
      type: Type.Optional(Type.Union([Type.Literal("admin"), Type.Literal("assistant")], { default: "admin" })),
      projectId: Type.Optional(Type.String({ description: "Required for assistant keys. Not allowed for admin keys." })),
      scopes: Type.Optional(
        Type.Array(Type.String({ description: "`read` or `write`. `write` includes `read`." }), {
          description: "Only for admin keys. Default: all scopes.",
        }),
      ),
      expiresAt: Type.Optional(
        nullable(
          Type.String({
            description: "Date-time when the key expires. Must be in the future. If omitted or null, the key doesn't expire.",
          }),
        ),
      ),
      allowedIps: Type.Optional(
        Type.Array(Type.String({ maxLength: 64 }), {
          maxItems: 100,
          description: "IP addresses or CIDR ranges that can use the key. Default: any IP.",
        }),
      ),
      groups: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
          maxItems: 100,
          description:
            "Reader groups whose pages this assistant key can read. Default: public pages only. Anyone with the key can read these groups' pages.",
        }),
      ),
    }),
  },
  success: {
    status: 201,
    description: "The key.",
    schema: Type.Composite([ApiKey, Type.Object({ key: Type.String({ description: "Returned only once." }) })], { $id: "NewApiKey" }),
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
  success: { status: 200, description: "All keys in the organization.", schema: Type.Object({ keys: Type.Array(ApiKey) }) },
});

export const revokeKey = endpoint({
  operationId: "revokeKey",
  tag,
  summary: "Revoke an API key",
  method: "DELETE",
  path: "/operator/v1/organizations/{organizationId}/keys/{keyId}",
  caller: "operator",
  params: { ...organizationId, keyId: "Key ID." },
  success: { status: 204, description: "The key was revoked." },
});
