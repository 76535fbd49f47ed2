import { Type } from "@sinclair/typebox";
import { countCursor } from "../core/count-cursor.ts";
import { endpoint, nextPage, nullable, timestamp } from "../core/endpoint.ts";
import { integer } from "../core/parameters.ts";
import { days } from "../traffic/contract.ts";

export const listSearches = endpoint({
  operationId: "listSearches",
  tag: "Analytics",
  summary: "List search queries",
  description:
    "Returns the queries that readers and API clients searched for, most frequent first. Queries that differ only in spacing or case are counted together.",
  method: "GET",
  path: "/v1/analytics/{projectId}/searches",
  caller: "admin",
  role: "viewer",
  rateLimit: "analytics",
  params: { projectId: "Project ID." },
  query: {
    ...days,
    limit: integer("Number of items per page.", { minimum: 1, maximum: 100, default: 50 }),
    cursor: countCursor,
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
              ctr: Type.Number({
                description:
                  "Click-through rate: readers' clicks on results divided by their searches, at most 1. Searches through the API aren't counted.",
              }),
              topClickedPage: nullable(
                Type.String({
                  description: "Path of the page that was clicked most often. Null if no result was clicked.",
                }),
              ),
              lastSearchedAt: timestamp("When the query was last searched for in the period."),
            },
            { $id: "SearchCounts" },
          ),
        ),
        totalSearches: Type.Integer({ minimum: 0, description: "Total number of searches in the period." }),
        ...nextPage,
      },
      { $id: "SearchesPage" },
    ),
  },
});
