import { Type } from "@sinclair/typebox";
import { limits } from "../../base/limits.ts";
import { endpoint } from "../core/endpoint.ts";

const tag = "Search";

export const domain = { domain: "The site: its subdomain, its host name, or a domain of its own." };

export const groups = Type.Optional(
  Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
    maxItems: 100,
    description: "Groups of the reader for whom you ask. Without them, a site whose readers sign in shows what is public.",
  }),
);

export const version = Type.Optional(Type.String({ maxLength: 200, description: "As the navigation names it." }));
export const language = Type.Optional(Type.String({ maxLength: 35, description: "As the navigation names it, such as `en`." }));

export const SearchResult = Type.Object(
  {
    content: Type.String({ description: "Markdown of the section." }),
    path: Type.String({ description: "Of the page, without a leading slash; empty for the home page." }),
    metadata: Type.Object({
      title: Type.String({ description: "Of the page." }),
      headings: Type.Array(Type.String(), { description: "From the outermost heading to the section's own." }),
      breadcrumbs: Type.Array(Type.String(), { description: "Divisions and groups that hold the page, outermost first." }),
      anchor: Type.String({ description: "Id of the section; empty at the beginning of the page." }),
      url: Type.String({ description: "Full address of the section." }),
      method: Type.Optional(Type.String({ description: "Of an operation's page." })),
      score: Type.Number({ description: "0 to 1: what `scoreThreshold` is held against." }),
    }),
  },
  { $id: "SearchResult" },
);

export const searchSite = endpoint({
  operationId: "searchSite",
  tag,
  summary: "Search a site",
  description: "Sections of published pages, best first. Finds words in all their forms, unfinished ones and ones with a slip.",
  method: "POST",
  path: "/v1/search/{domain}",
  caller: "assistant",
  rateLimit: "searches",
  params: domain,
  body: {
    type: "application/json",
    schema: Type.Object({
      query: Type.String({ minLength: 1, maxLength: limits.question_chars }),
      pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: 10, description: "Results at most." })),
      scoreThreshold: Type.Optional(Type.Number({ minimum: 0, maximum: 1, description: "Leaves out what fits less." })),
      filter: Type.Optional(
        Type.Object({
          version,
          language,
          tag: Type.Optional(Type.String({ maxLength: 200, description: "A division or group of the navigation that holds the page." })),
          groups,
        }),
      ),
    }),
  },
  success: { status: 200, description: "What was found.", schema: Type.Array(SearchResult) },
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
    schema: Type.Object({ path: Type.String({ maxLength: 1_000, description: "Of the page, as `guides/start`." }), groups }),
  },
  success: {
    status: 200,
    description: "The page.",
    schema: Type.Object({ path: Type.String(), content: Type.String({ description: "Markdown." }) }, { $id: "PageContent" }),
  },
});
