import { Type } from "@sinclair/typebox";
import { endpoint, nullable, Timestamp } from "../core/endpoint.ts";
import { integer, opaque } from "../core/parameters.ts";
import { days } from "../traffic/contract.ts";

export const listSearches = endpoint({
  operationId: "listSearches",
  tag: "Analytics",
  summary: "List search queries",
  description:
    "Returns search queries from readers and API clients, most frequent first. Queries that differ only in spacing or case are counted together.",
  method: "GET",
  path: "/v1/analytics/{projectId}/searches",
  caller: "admin",
  role: "viewer",
  rateLimit: "analytics",
  params: { projectId: "Project ID." },
  query: {
    ...days,
    limit: integer("Number of items per page.", { minimum: 1, maximum: 100, default: 50 }),
    cursor: opaque("`nextCursor` from the previous page."),
  },
  success: {
    status: 200,
    description: "A page of queries.",
    schema: Type.Object(
      {
        searches: Type.Array(
          Type.Object(
            {
              searchQuery: Type.String({ description: "The query in lowercase." }),
              hits: Type.Integer({ description: "Number of searches." }),
              ctr: Type.Number({ description: "Share of readers' searches in which a result was clicked, from 0 to 1." }),
              topClickedPage: nullable(Type.String({ description: "Page with the most clicks. Null if no result was clicked." })),
              lastSearchedAt: Timestamp,
            },
            { $id: "SearchCounts" },
          ),
        ),
        totalSearches: Type.Integer({ minimum: 0, description: "Number of searches in the period." }),
        nextCursor: nullable(Type.String({ description: "Cursor for the next page. Null on the last page." })),
      },
      { $id: "SearchesPage" },
    ),
  },
});
