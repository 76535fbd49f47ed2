import { Type } from "@sinclair/typebox";
import { endpoint, nextPage } from "../core/endpoint.ts";
import { listQuery } from "../core/list-page.ts";

const tag = "Operator";

export const Operator = Type.Object(
  { id: Type.String(), email: Type.String(), name: Type.String() },
  { $id: "Operator" },
);

export const listOperators = endpoint({
  operationId: "listOperators",
  tag,
  summary: "List operators",
  description: "Returns the users who can open the operator pages in the dashboard.",
  method: "GET",
  path: "/operator/v1/operators",
  caller: "operator",
  query: listQuery,
  success: {
    status: 200,
    description: "All operators.",
    schema: Type.Object({ operators: Type.Array(Operator), ...nextPage }),
  },
});

export const addOperator = endpoint({
  operationId: "addOperator",
  tag,
  summary: "Make a user an operator",
  description:
    "Requires the user's ID, because multiple accounts can have the same unverified email. Users can find their ID on the account page.",
  method: "POST",
  path: "/operator/v1/operators",
  caller: "operator",
  body: {
    type: "application/json",
    schema: Type.Object({ userId: Type.String({ minLength: 1, maxLength: 100 }) }),
  },
  success: { status: 201, description: "The operator.", schema: Operator },
  refusals: {
    404: "There is no user with this ID.",
    409: "The change would remove the last confirmed sign-in method of an organization's admins.",
  },
});

export const removeOperator = endpoint({
  operationId: "removeOperator",
  tag,
  summary: "Remove an operator",
  description: "The user keeps their account and all memberships.",
  method: "DELETE",
  path: "/operator/v1/operators/{userId}",
  caller: "operator",
  params: { userId: "User ID." },
  success: { status: 204, description: "The user is no longer an operator." },
});
