import { Type } from "@sinclair/typebox";
import { limits } from "../../base/limits.ts";
import { endpoint } from "../core/endpoint.ts";

const tag = "Search";

export const domain = {
  domain:
    "The site's subdomain, default host name, or verified custom domain. Percent-encode the slashes of a domain's path: `example.com%2Fdocs`.",
};

export const groups = Type.Optional(
  Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
    maxItems: 100,
    description:
      "The reader's groups. Groups that the key doesn't allow are ignored. If omitted, only public pages are available.",
  }),
);

export const version = Type.Optional(
  Type.String({
    maxLength: 200,
    description:
      "Name of a version in the navigation. Limits the search to pages in that version and pages without a version.",
  }),
);
export const language = Type.Optional(
  Type.String({
    maxLength: 35,
    description:
      "Code of a language in the navigation, such as `en`. Limits the search to pages in that language. If there are no such pages, all languages are searched.",
  }),
);

export const SearchResult = Type.Object(
  {
    content: Type.String({ description: "Content of the section in Markdown." }),
    path: Type.String({
      description: "Path of the page, without a leading slash. Empty for the home page.",
      examples: ["guides/keys"],
    }),
    metadata: Type.Object({
      title: Type.String({ description: "Title of the page." }),
      headings: Type.Array(Type.String(), {
        description: "Heading of the section and the headings above it, outermost first.",
      }),
      breadcrumbs: Type.Array(Type.String(), {
        description: "Navigation levels and groups that contain the page, outermost first.",
      }),
      anchor: Type.String({ description: "Fragment of the section's URL. Empty for the start of the page." }),
      url: Type.String({
        description: "URL of the section.",
        examples: ["https://docs.example.com/guides/keys#create-a-key"],
      }),
      method: Type.Optional(
        Type.String({
          description:
            "HTTP method of the API operation that the page documents, such as `GET`. Absent for other pages.",
        }),
      ),
      score: Type.Number({
        description: "Relevance score from 0 to 1. Results below `scoreThreshold` aren't returned.",
      }),
    }),
  },
  { $id: "SearchResult" },
);

export const searchSite = endpoint({
  operationId: "searchSite",
  tag,
  summary: "Search a site",
  description:
    "Returns sections of published pages, most relevant first. The search also matches other word forms, synonyms, and misspelled words.",
  method: "POST",
  path: "/v1/search/{domain}",
  caller: "assistant",
  rateLimit: "searches",
  params: domain,
  body: {
    type: "application/json",
    allowsUnknown: true,
    schema: Type.Object({
      query: Type.String({ minLength: 1, maxLength: limits.question_chars }),
      pageSize: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 50, default: 10, description: "Maximum number of results." }),
      ),
      scoreThreshold: Type.Optional(
        Type.Number({ minimum: 0, maximum: 1, description: "Minimum relevance score. Default: 0." }),
      ),
      filter: Type.Optional(
        Type.Object({
          version,
          language,
          tag: Type.Optional(
            Type.String({
              maxLength: 200,
              description:
                "Limits the search to pages in this navigation level or group, by name. Ignores case.",
            }),
          ),
          groups,
        }),
      ),
    }),
  },
  links: {
    getPage: { domain: "$request.path.domain" },
    askAssistant: { domain: "$request.path.domain" },
  },
  success: { status: 200, description: "The search results.", schema: Type.Array(SearchResult) },
});

export const getPage = endpoint({
  operationId: "getPage",
  tag,
  summary: "Get a page as Markdown",
  description: "Returns the Markdown of a published page, with the parts that the reader may read.",
  method: "POST",
  path: "/v1/page/{domain}",
  caller: "assistant",
  rateLimit: "pages",
  params: domain,
  body: {
    type: "application/json",
    allowsUnknown: true,
    schema: Type.Object({
      path: Type.String({
        maxLength: 1_000,
        description: "Path of the page, such as `guides/keys`. Leave empty for the home page.",
        examples: ["guides/keys"],
      }),
      groups,
    }),
  },
  success: {
    status: 200,
    description: "The page.",
    schema: Type.Object(
      {
        path: Type.String({
          description: "Path of the page, without a leading slash.",
          examples: ["guides/keys"],
        }),
        content: Type.String({ description: "Content of the page in Markdown." }),
      },
      { $id: "PageContent" },
    ),
  },
});
