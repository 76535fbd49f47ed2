import { Type } from "@sinclair/typebox";
import { limits } from "../../base/limits.ts";
import { endpoint } from "../core/endpoint.ts";
import { organizationId } from "../organizations/contract.ts";

export const createInvitation = endpoint({
  operationId: "createInvitation",
  tag: "Operator",
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
