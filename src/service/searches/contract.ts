import { Type } from "@sinclair/typebox";
import { endpoint, nullable, Timestamp } from "../core/endpoint.ts";
import { integer, opaque } from "../core/parameters.ts";
import { days } from "../traffic/contract.ts";

export const listSearches = endpoint({
  operationId: "listSearches",
  tag: "Analytics",
  summary: "List what is searched for",
  description: "What readers and programs searched for on the site, most first. Queries that differ in spaces or capitals only are one.",
  method: "GET",
  path: "/v1/analytics/{projectId}/searches",
  caller: "admin",
  role: "viewer",
  rateLimit: "analytics",
  params: { projectId: "The project." },
  query: {
    ...days,
    limit: integer("Items of a page.", { minimum: 1, maximum: 100, default: 50 }),
    cursor: opaque("`nextCursor` of the page before."),
  },
  success: {
    status: 200,
    description: "A page of queries.",
    schema: Type.Object(
      {
        searches: Type.Array(
          Type.Object(
            {
              searchQuery: Type.String({ description: "In lower case." }),
              hits: Type.Integer({ description: "How often it was searched for." }),
              ctr: Type.Number({ description: "Share of readers' searches after which a result was opened, 0 to 1." }),
              topClickedPage: nullable(Type.String({ description: "The page that was opened most; null when none was." })),
              lastSearchedAt: Timestamp,
            },
            { $id: "SearchCounts" },
          ),
        ),
        totalSearches: Type.Integer({ minimum: 0, description: "All searches of the range." }),
        nextCursor: nullable(Type.String({ description: "The cursor of the next page; null on the last one." })),
      },
      { $id: "SearchesPage" },
    ),
  },
});
