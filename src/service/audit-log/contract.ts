import { Type } from "@sinclair/typebox";
import { endpoint, nullable, Timestamp } from "../core/endpoint.ts";
import { integer } from "../core/parameters.ts";

export const AuditEntry = Type.Object(
  {
    number: Type.Integer({ description: "Sequence number within the organization, without gaps." }),
    at: Timestamp,
    actor: Type.String(),
    action: Type.String(),
    target: Type.String(),
    outcome: Type.String(),
    requestId: nullable(Type.String()),
    address: nullable(Type.String()),
    metadata: Type.Record(Type.String(), Type.Unknown()),
    hash: Type.String({ description: "SHA-256 of the entry and the previous entry's hash." }),
  },
  { $id: "AuditEntry" },
);

export const listAudit = endpoint({
  operationId: "listAuditLog",
  tag: "Audit log",
  summary: "List the audit log",
  description: "Returns the entries of the audit log, newest first.",
  method: "GET",
  path: "/v1/audit-log",
  caller: "admin",
  query: {
    limit: integer("Number of entries per page.", { minimum: 1, maximum: 1000, default: 100 }),
    before: integer("Returns only entries with a lower sequence number.", { minimum: 1, maximum: 999_999_999, default: 999_999_999 }),
  },
  success: {
    status: 200,
    description: "A page of the audit log.",
    schema: Type.Object({ entries: Type.Array(AuditEntry), hasMore: Type.Boolean() }),
  },
});
