import { Type } from "@sinclair/typebox";
import { countCursor } from "../core/count-cursor.ts";
import { endpoint, nextPage } from "../core/endpoint.ts";
import { instant, integer } from "../core/parameters.ts";

const tag = "Analytics";

/** Query parameters for the date range of daily counts. */
export const days = {
  dateFrom: instant(
    "Start of the period, inclusive. Counts are stored per UTC day, so the whole day is included.",
  ),
  dateTo: instant(
    "End of the period, exclusive. If the time isn't midnight UTC, that whole day is included.",
  ),
};

const query = {
  ...days,
  limit: integer("Number of items per page.", { minimum: 1, maximum: 250, default: 50 }),
  cursor: countCursor,
  offset: integer("Number of items to skip. Instead, you can use `cursor`.", {
    minimum: 0,
    maximum: 1_000_000,
    default: 0,
  }),
};

const counts = {
  human: Type.Integer({ description: "Number of views by people, or of people who visited." }),
  ai: Type.Integer({ description: "Number of views by AI agents, or of AI agents that visited." }),
  total: Type.Integer({
    description: "Sum of `human` and `ai`. Search engines and other bots aren't counted.",
  }),
};

const Totals = Type.Object(counts, { $id: "TrafficCounts" });
const PageCounts = Type.Object(
  { path: Type.String({ description: "Path of the page." }), ...counts },
  { $id: "PageTrafficCounts" },
);

export const listViews = endpoint({
  operationId: "listViews",
  tag,
  summary: "List page views",
  description:
    "Returns the number of views for each page, most viewed first. `totals` covers the whole site.",
  method: "GET",
  path: "/v1/analytics/{projectId}/views",
  caller: "admin",
  role: "viewer",
  rateLimit: "analytics",
  params: { projectId: "Project ID." },
  query,
  success: {
    status: 200,
    description: "A page of view counts.",
    schema: Type.Object({ totals: Totals, views: Type.Array(PageCounts), ...nextPage }, { $id: "ViewsPage" }),
  },
});

export const listVisitors = endpoint({
  operationId: "listVisitors",
  tag,
  summary: "List page visitors",
  description:
    "Returns the number of unique visitors to each page, most visited first. A visitor is counted once per day. Someone who visits on two days is counted twice, because no identifying data is stored. `totals` covers the whole site, so it can be lower than the sum of all pages.",
  method: "GET",
  path: "/v1/analytics/{projectId}/visitors",
  caller: "admin",
  role: "viewer",
  rateLimit: "analytics",
  params: { projectId: "Project ID." },
  query,
  success: {
    status: 200,
    description: "A page of visitor counts.",
    schema: Type.Object(
      { totals: Totals, visitors: Type.Array(PageCounts), ...nextPage },
      { $id: "VisitorsPage" },
    ),
  },
});
