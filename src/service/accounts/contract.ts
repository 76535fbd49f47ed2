import { Type } from "@sinclair/typebox";
import { limits } from "../../base/limits.ts";
import { endpoint } from "../core/endpoint.ts";
import { organizationId } from "../organizations/contract.ts";

export const createInvitation = endpoint({
  operationId: "createInvitation",
  tag: "Operator",
  summary: "Invite someone to an organization",
  description:
    "Use this endpoint to invite an organization's first member. The link works once and expires after 7 days. A new invitation for the same email replaces the previous one.",
  method: "POST",
  path: "/operator/v1/organizations/{organizationId}/invitations",
  caller: "operator",
  params: organizationId,
  body: {
    type: "application/json",
    schema: Type.Object({
      email: Type.String({
        minLength: 3,
        maxLength: limits.email_chars,
        description: "Only an account with this email can accept the invitation.",
      }),
      role: Type.Union([Type.Literal("admin"), Type.Literal("editor"), Type.Literal("viewer")]),
    }),
  },
  success: {
    status: 201,
    description: "The invitation. Its link is returned only once.",
    schema: Type.Object({ id: Type.String(), url: Type.String({ format: "uri", description: "Link to send to the invited person." }) }),
  },
});
