import type { Handlers } from "../http/call.ts";
import { topSearches } from "./top-searches.ts";

export const searchesHandlers: Handlers<"listSearches"> = {
  async listSearches({ service, scope, params, query }) {
    const { searches, ...page } = await topSearches(service, scope, params.projectId, query);
    return {
      searches: searches.map(({ lastSearchedAt, ...search }) => ({ ...search, lastSearchedAt: lastSearchedAt.toISOString() })),
      ...page,
    };
  },
};
