import { Type } from "@sinclair/typebox";
import { endpoint, nullable, timestamp } from "../core/endpoint.ts";
import { integer } from "../core/parameters.ts";

export const AuditEntry = Type.Object(
  {
    number: Type.Integer({
      description: "Sequential number of the entry within the organization, without gaps.",
    }),
    at: timestamp("When the action happened."),
    actor: Type.String({
      description:
        "Actor of the event: `member` with an email, `key` with an ID, `operator` (with an email for changes in the dashboard), `service`, or `unknown` for failed sign-ins.",
    }),
    action: Type.String({
      description:
        "Name of the action, such as `createDeployment`. For API requests, this is the operation ID.",
    }),
    target: Type.String({ description: "Path of the request, or the ID or name of the changed object." }),
    outcome: Type.String({
      description:
        "HTTP status of the response. For background work: `success` or `failure`, or of a successful deployment, `live`, `ready` (a preview) or `superseded` (by a later deployment).",
    }),
    requestId: nullable(
      Type.String({
        description:
          "Value of the response's `X-Request-Id` header. Null if the entry isn't about a single request.",
      }),
    ),
    address: nullable(
      Type.String({
        description: "IP address of the client. Null if the entry isn't about a single request.",
      }),
    ),
    metadata: Type.Record(Type.String(), Type.Unknown()),
    hash: Type.String({
      description: "SHA-256 hash of the entry and the previous entry's hash, in hexadecimal.",
    }),
  },
  { $id: "AuditEntry" },
);

export const listAudit = endpoint({
  operationId: "listAuditLog",
  tag: "Audit log",
  summary: "List the audit log",
  description: "Returns the organization's audit log entries, newest first.",
  method: "GET",
  path: "/v1/audit-log",
  caller: "admin",
  query: {
    limit: integer("Number of entries per page.", { minimum: 1, maximum: 1000, default: 100 }),
    before: integer(
      "Returns only entries with a lower `number`. For the next page, use the `number` of the last entry.",
      {
        minimum: 1,
        maximum: 999_999_999,
        default: 999_999_999,
      },
    ),
  },
  success: {
    status: 200,
    description: "A page of audit log entries.",
    schema: Type.Object({
      entries: Type.Array(AuditEntry),
      hasMore: Type.Boolean({ description: "Whether there is a next page." }),
    }),
  },
});
