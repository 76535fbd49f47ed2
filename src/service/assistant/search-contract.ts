import { Type } from "@sinclair/typebox";
import { limits } from "../../base/limits.ts";
import { endpoint } from "../core/endpoint.ts";

const tag = "Search";

export const domain = { domain: "The site's subdomain, host name or custom domain." };

export const groups = Type.Optional(
  Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
    maxItems: 100,
    description: "The reader's groups. If omitted, only public pages are searched on sites that require sign-in.",
  }),
);

export const version = Type.Optional(Type.String({ maxLength: 200, description: "Name of the version in the navigation." }));
export const language = Type.Optional(Type.String({ maxLength: 35, description: "Language code in the navigation, such as `en`." }));

export const SearchResult = Type.Object(
  {
    content: Type.String({ description: "The section as Markdown." }),
    path: Type.String({ description: "Path of the page without a leading slash. Empty for the home page." }),
    metadata: Type.Object({
      title: Type.String({ description: "Title of the page." }),
      headings: Type.Array(Type.String(), { description: "Headings of the section, outermost first." }),
      breadcrumbs: Type.Array(Type.String(), { description: "Navigation levels and groups that contain the page, outermost first." }),
      anchor: Type.String({ description: "ID of the section. Empty for the start of the page." }),
      url: Type.String({ description: "URL of the section." }),
      method: Type.Optional(Type.String({ description: "API operation that the page documents, if any." })),
      score: Type.Number({ description: "Relevance from 0 to 1. Results below `scoreThreshold` aren't returned." }),
    }),
  },
  { $id: "SearchResult" },
);

export const searchSite = endpoint({
  operationId: "searchSite",
  tag,
  summary: "Search a site",
  description:
    "Returns sections of published pages, most relevant first. The search also matches other word forms, prefixes and misspelled words.",
  method: "POST",
  path: "/v1/search/{domain}",
  caller: "assistant",
  rateLimit: "searches",
  params: domain,
  body: {
    type: "application/json",
    schema: Type.Object({
      query: Type.String({ minLength: 1, maxLength: limits.question_chars }),
      pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: 10, description: "Maximum number of results." })),
      scoreThreshold: Type.Optional(Type.Number({ minimum: 0, maximum: 1, description: "Minimum relevance score." })),
      filter: Type.Optional(
        Type.Object({
          version,
          language,
          tag: Type.Optional(Type.String({ maxLength: 200, description: "Name of a navigation level or group that contains the page." })),
          groups,
        }),
      ),
    }),
  },
  success: { status: 200, description: "The search results.", schema: Type.Array(SearchResult) },
});

export const getPage = endpoint({
  operationId: "getPage",
  tag,
  summary: "Get a page as Markdown",
  method: "POST",
  path: "/v1/page/{domain}",
  caller: "assistant",
  rateLimit: "pages",
  params: domain,
  body: {
    type: "application/json",
    schema: Type.Object({ path: Type.String({ maxLength: 1_000, description: "Path of the page, such as `guides/start`." }), groups }),
  },
  success: {
    status: 200,
    description: "The page.",
    schema: Type.Object({ path: Type.String(), content: Type.String({ description: "Markdown." }) }, { $id: "PageContent" }),
  },
});
