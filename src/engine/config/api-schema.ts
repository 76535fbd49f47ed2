/** Defines the schema of `api` in docs.json. */

import { Type } from "@sinclair/typebox";
import { changeLevels, changeRules } from "../../base/change-rules.ts";
import { flag, list, object, oneOf, optional, text } from "./schema-fields.ts";

const openapiReference = Type.Union(
  [
    Type.String(),
    Type.Array(
      Type.Unsafe<string | { source: string; directory?: string; overlays?: string | string[] }>({}),
    ),
    object(
      {
        source: text("Path or URL of the document."),
        directory: optional(text("Path prefix for the generated pages. Default: `api-reference`.")),
        overlays: optional(
          Type.Unsafe<string | string[]>({
            description: "Paths of overlays that are applied to the document, in this order.",
          }),
        ),
      },
      "A document, the path prefix for its pages, and overlays.",
      // Validated by `readApiSources`, like `openapi` in the navigation.
      { loose: true },
    ),
  ],
  {
    description: "OpenAPI documents, as paths or https URLs.",
    expected:
      "a path or URL, a list of them, or an object with source and, optionally, directory and overlays",
  },
);

export const apiSchema = object(
  {
    openapi: optional(openapiReference),
    stripHidden: optional(
      flag(
        "Removes operations with `x-hidden` or `x-excluded` from the OpenAPI documents that readers download.",
        false,
      ),
    ),
    changes: optional(
      object(
        {
          source: optional(
            oneOf(["tags", "releases", "days"], {
              description:
                "Versions of the API: Git tags, tags that are releases such as `v1.2.0`, or days with changes.",
              default: "tags",
            }),
          ),
          since: optional(text("First version to list: the name of a tag, or a day such as `2026-01-31`.")),
          page: optional(
            text("Path of the page with the changes. Default: `api-changes`.", {
              pattern: "^/?[\\w-]+(?:/[\\w-]+)*$",
              expected: "a path of letters, digits, and hyphens, such as api/changes",
            }),
          ),
          rules: optional(
            Type.Record(Type.String(), oneOf([...changeLevels, "ignore"]), {
              description:
                "Levels of changes, by rule: `breaking`, `may-break`, `compatible`, `text`, or `ignore`. Default: the level of the rule.",
              keys: Object.keys(changeRules),
            }),
          ),
        },
        "A page with the changes of the OpenAPI documents, from the history of the Git repository.",
      ),
    ),
    asyncapi: optional(
      Type.Unknown({
        description: "AsyncAPI documents. Accepted, but not rendered.",
        ineffective: "AsyncAPI documents aren't rendered. Describe the channels on separate pages.",
      }),
    ),
    playground: optional(
      object(
        {
          display: optional(
            oneOf(["interactive", "simple", "none", "auth"], {
              description: "Type of playground on API pages.",
              default: "interactive",
            }),
          ),
          proxy: optional(flag("Sends requests through the site's server.", true)),
          credentials: optional(flag("Sends cookies with requests that don't use the proxy.", false)),
        },
        "The request playground.",
      ),
    ),
    params: optional(
      object(
        {
          expanded: optional(
            oneOf(["all", "closed"], { description: "Initial state of nested fields.", default: "closed" }),
          ),
          post: optional(list(Type.String(), "Schema keys shown as labels after a field's name.")),
        },
        "Options for parameters and other fields.",
      ),
    ),
    url: optional(oneOf(["full"], { description: "Always shows the base URL." })),
    examples: optional(
      object(
        {
          languages: optional(list(Type.String(), "Languages of the code samples, in order.")),
          defaults: optional(
            oneOf(["required", "all"], {
              description: "Parameters and fields included in samples.",
              default: "all",
            }),
          ),
          prefill: optional(flag("Prefills the playground with the document's examples.", false)),
          autogenerate: optional(flag("Generates samples for every operation.", true)),
        },
        "Code samples.",
      ),
    ),
    mdx: optional(
      object(
        {
          server: optional(
            Type.Union([Type.String(), Type.Array(Type.String())], {
              description: "Base URLs for `api:` pages.",
              expected: "a URL or a list of URLs",
            }),
          ),
          auth: optional(
            object(
              {
                method: optional(
                  oneOf(["bearer", "basic", "key", "cobo"], { description: "Authentication method." }),
                ),
                name: optional(text("Header name.")),
              },
              "Authentication on `api:` pages.",
            ),
          ),
        },
        "API pages written in MDX.",
      ),
    ),
  },
  "API reference pages.",
);
