/**
 * Defines the schema of docs.json. The `DocsJson` type, default values, error messages, the JSON Schema file
 * for editors and the reference page of the docs are derived from this schema.
 *
 * `expected` completes the error message "… must be". Unknown keys are errors in `strict` objects and
 * warnings in other objects. The contents of `loose` objects are not checked. A setting with `ineffective` is
 * accepted and reported, with this hint. Duplicates in `unique` lists are reported and omitted. `keys` lists
 * the allowed keys of a map.
 */

import { type Static, Type } from "@sinclair/typebox";
import { apiSchema } from "./api-schema.ts";
import { appearanceSettings } from "./appearance-schema.ts";
import { assistantSchema } from "./assistant-schema.ts";
import { integrationsSchema } from "./integrations-schema.ts";
import { banner, contextualSchema, footer, navbar } from "./layout-schema.ts";
import { flag, list, object, oneOf, optional, text, urlOrPath } from "./schema-fields.ts";

export const themes = [
  "mint",
  "maple",
  "palm",
  "willow",
  "linden",
  "almond",
  "aspen",
  "sequoia",
  "luma",
] as const;

export const languageCodes =
  "ar ca cn cs da de en es fi fr fr-CA fr-ca he hi hu id it ja ja-JP ja-jp jp ko lv nl no pl pt pt-BR ro ru sv tr uk uz vi zh zh-CN zh-Hans zh-Hant zh-TW".split(
    " ",
  );

export const docsJsonSchema = object(
  {
    $schema: optional(text("URL or path of the JSON Schema, for editors. Has no effect on the site.")),
    theme: oneOf(themes, { description: "The site's theme." }),
    name: text("The site's name.", { minLength: 1 }),
    description: optional(text("Site description for search engines and AI tools.")),
    ...appearanceSettings,
    thumbnails: optional(
      Type.Object(
        {},
        {
          description: "Options for generated preview images. Accepted, but no images are generated yet.",
          loose: true,
          ineffective: 'To set a preview image, add "og:image" to seo.metatags or to the frontmatter.',
        },
      ),
    ),
    navigation: Type.Unsafe<Record<string, unknown>>({
      type: "object",
      description: "The site's structure: tabs, groups, pages, and other levels.",
      loose: true,
    }),
    navbar: optional(navbar),
    footer: optional(footer),
    banner: optional(banner),
    interaction: optional(
      object(
        { drilldown: optional(flag("Opening a nested group also opens its first page.")) },
        "Navigation behavior.",
      ),
    ),
    contextual: optional(contextualSchema),
    search: optional(
      object({ prompt: optional(text("Placeholder text in the search field.")) }, "Search options."),
    ),
    assistant: optional(assistantSchema),
    variables: optional(
      Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]), {
        description: "Values for `{{name}}` in pages, snippets, and code blocks.",
      }),
    ),
    metadata: optional(
      object({ timestamp: optional(flag("Shows when the page was last updated.", false)) }, "Page metadata."),
    ),
    redirects: optional(
      list(
        object(
          {
            source: text(
              "Old path. `:name` matches one path segment. `:name*` and `*` match any text, including slashes.",
            ),
            destination: text("New path or URL."),
            permanent: optional(flag("`true` sends status 308. `false` sends status 307.", true)),
          },
          "A redirect.",
        ),
        "Redirects from old paths to new ones.",
      ),
    ),
    publicFiles: optional(
      list(
        text(
          "Path or pattern, such as `downloads/` or `/img/*.png`. The syntax is the same as in `.gitignore`.",
        ),
        "Files that everyone can open, on a site with restricted pages.",
      ),
    ),
    errors: optional(
      object(
        {
          "404": optional(
            object(
              {
                redirect: optional(
                  flag("Redirects unknown paths without a file extension to the home page.", true),
                ),
                title: optional(text("Page title.")),
                description: optional(text("Page content in MDX.")),
              },
              "Page shown for unknown paths.",
            ),
          ),
        },
        "Error pages.",
      ),
    ),
    markdown: optional(
      object(
        {
          schema: optional(flag("Includes the OpenAPI excerpt in the Markdown of API pages.", true)),
          instructions: optional(
            Type.Union([Type.String(), Type.Array(Type.String())], {
              description:
                "Instructions for AI tools, included in llms.txt and in the Markdown version of each page.",
              expected: "a string or a list of strings",
            }),
          ),
        },
        "Markdown versions of pages.",
      ),
    ),
    seo: optional(
      object(
        {
          indexing: optional(
            oneOf(["navigable", "all"], {
              description:
                "Pages in search, the sitemap, and llms.txt: only those in the navigation, or all.",
              default: "navigable",
            }),
          ),
          metatags: optional(
            Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()]), {
              description: "Meta tags for every page.",
            }),
          ),
          organization: optional(
            object(
              {
                id: optional(urlOrPath("Identifier, such as `#organization`.")),
                name: optional(text("The organization's name.")),
                legalName: optional(text("The organization's registered name.")),
                url: optional(urlOrPath("URL of the organization's home page.")),
                logo: optional(urlOrPath("Path or URL of the organization's logo.")),
                sameAs: optional(
                  list(urlOrPath("Profile URL."), "URLs of the organization's profiles on other sites."),
                ),
              },
              "The site's publisher, for search engines.",
            ),
          ),
          trailingSlash: optional(flag("Adds a trailing slash to the URLs of pages.", false)),
          paths: optional(
            list(
              object(
                {
                  path: text("Folder that contains the pages."),
                  metatags: Type.Record(Type.String(), Type.String(), {
                    description: "Meta tags for all pages in the folder.",
                  }),
                },
                "Meta tags for a folder.",
              ),
              "Meta tags for specific folders.",
            ),
          ),
        },
        "Options for search engines.",
      ),
    ),
    api: optional(apiSchema),
    integrations: optional(integrationsSchema),
    feedback: optional(
      object(
        {
          enabled: optional(flag("Shows the rating and the links at the end of pages.", true)),
          thumbsRating: optional(
            flag("Asks readers whether the page was helpful, if the site uses Octavo's analytics.", true),
          ),
          codeBlocks: optional(
            flag("Lets readers give feedback on code blocks, if the site uses Octavo's analytics.", false),
          ),
          suggestEdit: optional(
            flag(
              "Adds a link to the page's source file. Default: only on public pages of public repositories on well-known hosts.",
            ),
          ),
          raiseIssue: optional(flag("Adds a link to a form for opening an issue.", false)),
        },
        "Reader feedback.",
      ),
    ),
  },
  "Settings for a documentation site.",
);

export type DocsJson = Static<typeof docsJsonSchema>;
