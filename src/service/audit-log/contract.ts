import { Type } from "@sinclair/typebox";
import { endpoint, nextPage, nullable, timestamp } from "../core/endpoint.ts";
import { cursorParameter, integer } from "../core/parameters.ts";

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
    cursor: cursorParameter("`nextCursor` from the previous page.", /^[1-9]\d{0,8}$/),
    before: integer("Returns only entries with a lower `number`. Instead, you can use `cursor`.", {
      minimum: 1,
      maximum: 999_999_999,
      default: 999_999_999,
    }),
  },
  success: {
    status: 200,
    description: "A page of audit log entries.",
    schema: Type.Object({
      entries: Type.Array(AuditEntry),
      ...nextPage,
    }),
  },
});
