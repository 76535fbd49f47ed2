import type { Handlers } from "../http/call.ts";
import type * as contract from "./contract.ts";
import { topSearches } from "./top-searches.ts";

export const searchesHandlers: Handlers<Pick<typeof contract, "listSearches">> = {
  async listSearches({ service, scope, params, query }) {
    const { searches, ...page } = await topSearches(service, scope, params.projectId, query);
    return {
      searches: searches.map(({ lastSearchedAt, ...search }) => ({
        ...search,
        lastSearchedAt: lastSearchedAt.toISOString(),
      })),
      ...page,
    };
  },
};
