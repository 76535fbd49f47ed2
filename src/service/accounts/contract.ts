import { Type } from "@sinclair/typebox";
import { limits } from "../../base/limits.ts";
import { describedEmail } from "../core/described.ts";
import { endpoint } from "../core/endpoint.ts";
import { organizationId } from "../organizations/contract.ts";

export const createInvitation = endpoint({
  operationId: "createInvitation",
  isIdempotent: true,
  tag: "Operator",
  summary: "Invite someone to an organization",
  description:
    "Creates an invitation link, for example for an organization's first member. The link works once, expires after 7 days, and isn't emailed. A new invitation for the same email replaces the previous one.",
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
        described: describedEmail,
        description: "Only an account with this email can accept the invitation.",
      }),
      role: Type.Union([Type.Literal("admin"), Type.Literal("editor"), Type.Literal("viewer")], {
        description: "Role of the new member. A person who is already a member keeps their role.",
      }),
    }),
  },
  success: {
    status: 201,
    description: "The invitation. Its link is returned only once.",
    schema: Type.Object({
      id: Type.String(),
      url: Type.String({ format: "uri", description: "Invitation link to share with the person." }),
    }),
  },
});
