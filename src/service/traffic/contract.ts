import { Type } from "@sinclair/typebox";
import { endpoint } from "../core/endpoint.ts";
import { instant, integer } from "../core/parameters.ts";

const tag = "Analytics";

/** Query parameters for the date range of daily counts. */
export const days = {
  dateFrom: instant("Earliest instant, inclusive. Counts are kept by whole days in UTC: the day of this instant is part of the range."),
  dateTo: instant("Latest instant, exclusive; the day that it lies in is part of the range, unless it is its first moment."),
};

const query = {
  ...days,
  limit: integer("Items of a page.", { minimum: 1, maximum: 250, default: 50 }),
  offset: integer("Items that were read before.", { minimum: 0, maximum: 1_000_000, default: 0 }),
};

const counts = {
  human: Type.Integer({ description: "By people." }),
  ai: Type.Integer({ description: "By programs of AI services." }),
  total: Type.Integer({ description: "By both. Search engines and other programs are not counted." }),
};

const Totals = Type.Object(counts, { $id: "TrafficCounts" });
const PageCounts = Type.Object({ path: Type.String({ description: "Path of the page." }), ...counts }, { $id: "PageTrafficCounts" });
const hasMore = Type.Boolean({ description: "Whether there is a next page." });

export const listViews = endpoint({
  operationId: "listViews",
  tag,
  summary: "List views of pages",
  description: "How often the pages of the live site were shown, most first. `totals` are those of the whole site.",
  method: "GET",
  path: "/v1/analytics/{projectId}/views",
  caller: "admin",
  role: "viewer",
  rateLimit: "analytics",
  params: { projectId: "The project." },
  query,
  success: {
    status: 200,
    description: "A page of counts.",
    schema: Type.Object({ totals: Totals, views: Type.Array(PageCounts), hasMore }, { $id: "ViewsPage" }),
  },
});

export const listVisitors = endpoint({
  operationId: "listVisitors",
  tag,
  summary: "List visitors of pages",
  description:
    "How many different visitors the pages had, most first. A visitor counts once a day; who comes on two days counts twice, since nothing is kept by which they could be known again. `totals` are those of the whole site: fewer than those of its pages together.",
  method: "GET",
  path: "/v1/analytics/{projectId}/visitors",
  caller: "admin",
  role: "viewer",
  rateLimit: "analytics",
  params: { projectId: "The project." },
  query,
  success: {
    status: 200,
    description: "A page of counts.",
    schema: Type.Object({ totals: Totals, visitors: Type.Array(PageCounts), hasMore }, { $id: "VisitorsPage" }),
  },
});
