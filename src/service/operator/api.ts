import type { Handlers } from "../http/call.ts";
import type * as contract from "./contract.ts";
import { listOperators, setOperator } from "./operator-users.ts";

export const operatorHandlers: Handlers<
  Pick<typeof contract, "listOperators" | "addOperator" | "removeOperator">
> = {
  listOperators: async ({ service }) => ({ operators: await listOperators(service) }),
  addOperator: ({ service, body }) => setOperator(service, body.userId, true),
  async removeOperator({ service, params }) {
    await setOperator(service, params.userId, false);
    return undefined;
  },
};
