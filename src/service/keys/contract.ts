import { Type } from "@sinclair/typebox";
import { describedNetwork, describedTime } from "../core/described.ts";
import { endpoint, nextPage, nullable, timestamp } from "../core/endpoint.ts";
import { listQuery } from "../core/list-page.ts";
import { DisplayName, organizationId } from "../organizations/contract.ts";

const tag = "Operator";

export const ApiKey = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    type: Type.Union([Type.Literal("admin"), Type.Literal("assistant")]),
    projectId: nullable(
      Type.String({ description: "ID of the project that an assistant key is for. Null for admin keys." }),
    ),
    lastFour: Type.String({ description: "Last four characters of the key." }),
    scopes: Type.Array(Type.String(), {
      description: "Scopes of an admin key: `read`, `write`, or both. Empty for assistant keys.",
    }),
    allowedIps: Type.Array(Type.String(), {
      description:
        "IP addresses and CIDR ranges that the key can be used from. Empty if it can be used from any IP.",
    }),
    groups: Type.Array(Type.String(), {
      description:
        "Reader groups whose pages an assistant key can read. Ignored if the member who created the key is no longer an admin. Empty for admin keys, and for assistant keys that can read only public pages.",
    }),
    createdBy: nullable(
      Type.String({
        description: "Name of the member who created the key. Null if the operator created it.",
      }),
    ),
    expiresAt: nullable(timestamp("When the key expires. Null if it doesn't expire.")),
    revokedAt: nullable(timestamp("When the key was revoked. Null if it wasn't revoked.")),
    lastUsedAt: nullable(
      timestamp("When the key was last used, to within a minute. Null if it was never used."),
    ),
    createdAt: timestamp("When the key was created."),
  },
  { $id: "ApiKey" },
);

export const createKey = endpoint({
  operationId: "createKey",
  isIdempotent: true,
  tag,
  summary: "Create an API key",
  description:
    "Returns the key only once, because the service stores only a hash of the key. If you send an `Idempotency-Key`, the response is also stored, encrypted, for 24 hours.",
  method: "POST",
  path: "/operator/v1/organizations/{organizationId}/keys",
  caller: "operator",
  params: organizationId,
  body: {
    type: "application/json",
    schema: Type.Object(
      {
        name: DisplayName,
        type: Type.Optional(
          Type.Union([Type.Literal("admin"), Type.Literal("assistant")], {
            default: "admin",
            description:
              "`admin`: a key for the organization's API. `assistant`: a key for one project's search, pages, and assistant.",
          }),
        ),
        projectId: Type.Optional(
          Type.String({
            description: "ID of the project. Required for assistant keys. Not allowed for admin keys.",
          }),
        ),
        scopes: Type.Optional(
          Type.Array(
            Type.String({
              description: "`read` or `write`. `write` includes `read`.",
              described: { enum: ["read", "write"] },
            }),
            {
              described: { minItems: 1 },
              description:
                "Scopes of an admin key. Default: `read` and `write`. Not allowed for assistant keys.",
            },
          ),
        ),
        expiresAt: Type.Optional(
          nullable(
            Type.String({
              described: describedTime,
              description:
                "When the key expires: a date or date-time in an ISO 8601 format, in the future. If omitted or null, the key doesn't expire.",
            }),
          ),
        ),
        allowedIps: Type.Optional(
          Type.Array(Type.String({ maxLength: 64, described: describedNetwork }), {
            maxItems: 100,
            description:
              "IP addresses and CIDR ranges that the key can be used from, such as `192.0.2.7` or `2001:db8::/32`. Default: any IP.",
          }),
        ),
        groups: Type.Optional(
          Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
            maxItems: 100,
            description:
              "Reader groups whose pages an assistant key can read. Default: only public pages. Anyone who has the key can read these groups' pages. Not allowed for admin keys.",
          }),
        ),
      },
      {
        described: {
          if: { properties: { type: { const: "assistant" } }, required: ["type"] },
          // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
          then: { required: ["projectId"], properties: { projectId: {}, scopes: false } },
          else: { properties: { projectId: false, groups: { maxItems: 0 } } },
        },
      },
    ),
  },
  success: {
    status: 201,
    description: "The key.",
    schema: Type.Composite(
      [ApiKey, Type.Object({ key: Type.String({ description: "The key itself. Returned only once." }) })],
      {
        $id: "NewApiKey",
      },
    ),
  },
});

export const listKeys = endpoint({
  operationId: "listKeys",
  tag,
  summary: "List API keys",
  description: "Returns the keys without the keys themselves, of which only hashes are stored.",
  method: "GET",
  path: "/operator/v1/organizations/{organizationId}/keys",
  caller: "operator",
  params: organizationId,
  query: listQuery,
  success: {
    status: 200,
    description: "All keys in the organization, newest first, including expired and revoked ones.",
    schema: Type.Object({ keys: Type.Array(ApiKey), ...nextPage }),
  },
});

export const revokeKey = endpoint({
  operationId: "revokeKey",
  tag,
  summary: "Revoke an API key",
  description: "Takes effect immediately and can't be undone.",
  method: "DELETE",
  path: "/operator/v1/organizations/{organizationId}/keys/{keyId}",
  caller: "operator",
  params: { ...organizationId, keyId: "Key ID." },
  success: { status: 204, description: "The key was revoked." },
});
