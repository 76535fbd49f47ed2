import { pageOf } from "../core/list-page.ts";
import type { Handlers } from "../http/call.ts";
import type * as contract from "./contract.ts";
import { listOperators, setOperator } from "./operator-users.ts";

export const operatorHandlers: Handlers<
  Pick<typeof contract, "listOperators" | "addOperator" | "removeOperator">
> = {
  async listOperators({ service, query }) {
    const { rows, ...page } = pageOf(await listOperators(service), ({ id }) => id, query);
    return { operators: rows, ...page };
  },
  addOperator: ({ service, body }) => setOperator(service, body.userId, true),
  async removeOperator({ service, params }) {
    await setOperator(service, params.userId, false);
    return undefined;
  },
};
