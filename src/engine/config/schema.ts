/**
 * Defines the schema of docs.json. The `DocsJson` type, default values, error messages, the JSON Schema file for editors and the
 * reference page of the docs are derived from this schema.
 *
 * `expected` completes the error message "… must be". Unknown keys are errors in `strict` objects and warnings in other objects. The
 * contents of `loose` objects are not checked. A setting with `ineffective` is accepted and reported, with this hint. Duplicates in `unique` lists are reported and omitted. `keys` lists the allowed keys of a
 * map.
 */

import { type Static, Type } from "@sinclair/typebox";
import { integrationsSchema } from "./integrations-schema.ts";
import { flag, hex, lightDark, list, object, oneOf, optional, path, perMode, text, urlOrPath } from "./schema-fields.ts";

export const themes = ["mint", "maple", "palm", "willow", "linden", "almond", "aspen", "sequoia", "luma"] as const;

export const languageCodes =
  "ar ca cn cs da de en es fi fr fr-CA fr-ca he hi hu id it ja ja-JP ja-jp jp ko lv nl no pl pt pt-BR ro ru sv tr uk uz vi zh zh-CN zh-Hans zh-Hant zh-TW".split(
    " ",
  );

export const contextualIds =
  "copy view assistant download-pdf download-spec chatgpt claude perplexity grok aistudio devin devin-desktop mcp add-mcp cursor vscode devin-mcp windsurf".split(
    " ",
  );

export const socialNames =
  "x website facebook youtube discord slack github linkedin instagram hacker-news medium telegram twitter x-twitter earth-americas bluesky threads reddit podcast".split(
    " ",
  );

export const iconTypes = ["regular", "solid", "light", "thin", "sharp-solid", "duotone", "brands"] as const;

export const iconSchema = Type.Union(
  [
    Type.String({ pattern: "^(?!fa-)", expected: "the icon's name without a fa- prefix" }),
    object(
      {
        name: text("Icon name in the library."),
        style: optional(oneOf(iconTypes, { description: "Style of a Font Awesome icon." })),
        library: optional(
          oneOf(["fontawesome", "lucide", "tabler"], { description: "Library that contains the icon. Default: `icons.library`." }),
        ),
      },
      "An icon with a style or library.",
    ),
  ],
  {
    description: "An icon: a name, path, URL or inline SVG.",
    expected: "an icon name, path, URL or inline SVG, or an object with name and, optionally, style and library",
  },
);

const fontFace = {
  family: optional(text("Font family name.")),
  weight: optional(Type.Number({ description: "Font weight from 1 to 1000, such as 400 for regular text.", minimum: 1, maximum: 1000 })),
  source: optional(text("Path or URL of a font file.")),
  format: optional(oneOf(["woff", "woff2"], { description: "Font file format." })),
};

const href = text("A path, an anchor, an https URL or a mailto: link.", { minLength: 1 });

const footerHref = Type.String({
  description: "A path, an anchor, an https URL or a mailto: link.",
  pattern: "^(?:https://|/(?!/)|#|mailto:)(?!.*\\.(?:svg|exe|zip)$)",
  expected: "an https URL, a path that starts with /, an anchor or a mailto: link (not to an .svg, .exe or .zip file)",
});

const navbarLink = object(
  {
    label: optional(text("Link text. Optional if `type` is set.")),
    href,
    icon: optional(iconSchema),
    iconType: optional(oneOf(iconTypes, { description: "Style of a Font Awesome icon." })),
    type: optional(oneOf(["button", "github", "discord"], { description: "`github` and `discord` show a logo." })),
  },
  "A header link.",
);

const navbar = object(
  {
    links: optional(list(navbarLink, "Links on the right side of the header.")),
    primary: optional(
      object(
        {
          type: oneOf(["button", "github", "discord"], { description: "Type of call to action." }),
          label: optional(text("Button text. Required for a button.")),
          href,
        },
        "The primary call to action in the header.",
      ),
    ),
  },
  "The header.",
);

const footer = object(
  {
    socials: optional(Type.Record(Type.String(), Type.String(), { description: "Social profile URLs by platform.", keys: socialNames })),
    links: optional(
      list(
        object(
          {
            header: optional(text("Column heading.")),
            items: list(object({ label: text("Link text."), href: footerHref }, "A link."), "Links in the column.", { minItems: 1 }),
          },
          "A column of links.",
        ),
        "One to four columns of links.",
        { minItems: 1, maxItems: 4 },
      ),
    ),
  },
  "The footer.",
);

const banner = object(
  {
    content: text("One line of Markdown. Supports links, bold and italic text."),
    dismissible: optional(flag("Lets readers close the banner. The banner reappears when its content changes.", false)),
    type: optional(oneOf(["info", "warning", "critical"], { description: "Banner style: brand color, amber or red.", default: "info" })),
    color: optional(
      Type.Union([hex("Color for both modes."), lightDark("Color for each mode.")], {
        description: "Background color. Default: the color of `type`. Without `type`: `colors.dark`.",
        expected: "a hex color, or an object with light and dark hex colors",
      }),
    ),
  },
  "A banner above every page.",
);

export const contextualSchema = object(
  {
    options: list(
      Type.Union(
        [
          oneOf(contextualIds as [string, ...string[]]),
          object(
            {
              title: text("Menu item label."),
              description: optional(text("Description shown below the label.")),
              icon: optional(iconSchema),
              href: Type.Union(
                [
                  Type.String(),
                  object(
                    {
                      base: text("URL without parameters."),
                      query: optional(
                        list(
                          object(
                            {
                              key: text("Parameter name."),
                              value: text(
                                "Value. Can contain `$page` (the page's Markdown, up to 4,000 characters), `$path` (the page's path, such as `/guides/keys`) and `$mcp` (the URL of the site's MCP server).",
                              ),
                            },
                            "A parameter.",
                          ),
                          "Query parameters.",
                        ),
                      ),
                    },
                    "A URL with query parameters.",
                  ),
                ],
                {
                  description:
                    "URL that the menu item opens. If `href` is a string, it can contain the same placeholders as `query.value`.",
                  expected: "a URL, or an object with base and query",
                },
              ),
            },
            "A custom menu item.",
          ),
        ],
        {
          description: "A built-in option or a custom menu item.",
          expected: `one of ${contextualIds.join(", ")}, or an object with title and href`,
        },
      ),
      "Menu items, in order. The first item is the default button.",
      { unique: true },
    ),
    display: optional(
      oneOf(["header", "toc"], { description: "Location: next to the page title, or below the table of contents.", default: "header" }),
    ),
  },
  "The page menu, with options such as copying the page as Markdown.",
);

const openapiReference = Type.Union(
  [
    Type.String(),
    Type.Array(Type.Unsafe<string | { source: string; directory?: string; overlays?: string | string[] }>({})),
    object(
      {
        source: text("Path or URL of the document."),
        directory: optional(text("Path prefix for the generated pages. Default: `api-reference`.")),
        overlays: optional(
          Type.Unsafe<string | string[]>({ description: "Paths of overlays that are applied to the document, in this order." }),
        ),
      },
      "A document, the path prefix for its pages, and overlays.",
      // Validated by `readApiSources`, like `openapi` in the navigation.
      { loose: true },
    ),
  ],
  {
    description: "OpenAPI documents, as paths or https URLs.",
    expected: "a path or URL, a list of them, or an object with source and, optionally, directory and overlays",
  },
);

const codeblockTheme = Type.Union([Type.String(), perMode("Theme")], {
  description: "A Shiki theme, or one theme per mode.",
  expected: "a theme name, or an object with light and dark theme names",
});

export const docsJsonSchema = object(
  {
    $schema: optional(text("URL or path of the JSON Schema, for editors. Has no effect on the site.")),
    theme: oneOf(themes, { description: "The site's theme." }),
    name: text("The site's name.", { minLength: 1 }),
    description: optional(text("Site description for search engines and AI tools.")),
    colors: object(
      {
        primary: hex("Accent color in light mode."),
        light: optional(hex("Accent color in dark mode. Default: `primary`.")),
        dark: optional(hex("Button color in both modes. Default: `primary`.")),
      },
      "The site's colors.",
      { strict: true },
    ),
    logo: optional(
      Type.Union(
        [
          path("Logo for both modes."),
          object(
            {
              light: path("Logo in light mode."),
              dark: path("Logo in dark mode."),
              href: optional(text("URL that the logo links to. Default: the home page.")),
            },
            "Logo for each mode.",
          ),
        ],
        { description: "Logo in the header. Default: the site's name as text.", expected: "a path, or an object with light and dark" },
      ),
    ),
    favicon: optional(
      Type.Union(
        [
          path("Icon for both modes."),
          object({ light: path("Icon in light mode."), dark: path("Icon in dark mode.") }, "Icon for each mode."),
        ],
        {
          description: "Icon in the browser tab.",
          expected: "a path, or an object with light and dark",
        },
      ),
    ),
    appearance: optional(
      object(
        {
          default: optional(oneOf(["system", "light", "dark"], { description: "Initial color mode.", default: "system" })),
          strict: optional(flag("Hides the color mode switch.", false)),
        },
        "Color mode.",
      ),
    ),
    fonts: optional(
      object(
        { ...fontFace, heading: optional(object(fontFace, "Font for headings.")), body: optional(object(fontFace, "Font for body text.")) },
        "Fonts. `heading` and `body` override the top-level values.",
      ),
    ),
    icons: optional(
      object(
        {
          library: optional(
            oneOf(["fontawesome", "lucide", "tabler"], {
              description: "Icon library to search first. If it doesn't contain an icon, Octavo searches the others.",
              default: "fontawesome",
            }),
          ),
        },
        "Icon options.",
      ),
    ),
    background: optional(
      object(
        {
          decoration: optional(oneOf(["none", "gradient", "grid", "windows"], { description: "Background pattern.", default: "none" })),
          color: optional(lightDark("Background color.")),
          image: optional(
            Type.Union([Type.String(), perMode("Image")], {
              description: "A background image, or one image per mode.",
              expected: "a path, or an object with light and dark paths",
            }),
          ),
        },
        "Page background.",
      ),
    ),
    styling: optional(
      object(
        {
          eyebrows: optional(
            oneOf(["section", "breadcrumbs"], {
              description:
                "Text above the page title: the group name, or the full breadcrumbs. Default: `section`, or `breadcrumbs` in the `aspen` theme.",
            }),
          ),
          latex: optional(flag("Treats `$…$` as a formula, unless it looks like a price. Default: `true`.")),
          codeblocks: optional(
            Type.Union(
              [
                Type.String(),
                object(
                  {
                    theme: optional(codeblockTheme),
                    languages: optional(
                      object({ custom: optional(list(Type.String(), "Paths to TextMate grammars in JSON.")) }, "Additional languages."),
                    ),
                  },
                  "Code block theme and languages.",
                ),
              ],
              {
                description: "`system` follows the color mode. `dark` is always dark. You can also use a Shiki theme.",
                default: "system",
                expected: "system, dark, a theme name, or an object with theme",
              },
            ),
          ),
        },
        "Styling options.",
      ),
    ),
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
      description: "The site's structure: tabs, groups, pages and other levels.",
      loose: true,
    }),
    navbar: optional(navbar),
    footer: optional(footer),
    banner: optional(banner),
    interaction: optional(
      object({ drilldown: optional(flag("Opening a nested group also opens its first page.")) }, "Navigation behavior."),
    ),
    contextual: optional(contextualSchema),
    search: optional(object({ prompt: optional(text("Placeholder text in the search field.")) }, "Search options.")),
    variables: optional(
      Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]), {
        description: "Values for `{{name}}` in pages, snippets and code blocks.",
      }),
    ),
    metadata: optional(object({ timestamp: optional(flag("Shows when the page was last updated.", false)) }, "Page metadata.")),
    redirects: optional(
      list(
        object(
          {
            source: text("Old path. `:name` matches one path segment. `:name*` and `*` match any text, including slashes."),
            destination: text("New path or URL."),
            permanent: optional(flag("`true` sends status 308. `false` sends status 307.", true)),
          },
          "A redirect.",
        ),
        "Redirects from old paths to new ones.",
      ),
    ),
    errors: optional(
      object(
        {
          "404": optional(
            object(
              {
                redirect: optional(flag("Redirects unknown paths without a file extension to the home page.", true)),
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
              description: "Instructions for AI tools, included in llms.txt and in the Markdown version of each page.",
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
              description: "Pages in search, the sitemap and llms.txt: only those in the navigation, or all.",
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
                sameAs: optional(list(urlOrPath("Profile URL."), "URLs of the organization's profiles on other sites.")),
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
                  metatags: Type.Record(Type.String(), Type.String(), { description: "Meta tags for all pages in the folder." }),
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
    api: optional(
      object(
        {
          openapi: optional(openapiReference),
          stripHidden: optional(
            flag("Removes operations with `x-hidden` or `x-excluded` from the OpenAPI documents that readers download.", false),
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
                expanded: optional(oneOf(["all", "closed"], { description: "Initial state of nested fields.", default: "closed" })),
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
                  oneOf(["required", "all"], { description: "Parameters and fields included in samples.", default: "all" }),
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
                      method: optional(oneOf(["bearer", "basic", "key", "cobo"], { description: "Authentication method." })),
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
      ),
    ),
    integrations: optional(integrationsSchema),
    feedback: optional(
      object(
        {
          enabled: optional(flag("Shows the rating and the links at the end of pages.", true)),
          thumbsRating: optional(flag("Asks readers whether the page was helpful, if the site uses Octavo's analytics.", true)),
          suggestEdit: optional(
            flag("Adds a link to the page's source file. Default: only on public pages of public repositories on well-known hosts."),
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
export type IconValue = Static<typeof iconSchema>;
export type Navbar = Static<typeof navbar>;
export type Footer = Static<typeof footer>;
export type Banner = Static<typeof banner>;
export type Contextual = Static<typeof contextualSchema>;

/** Schemas of the settings that a language in the navigation can also have. */
export const partSchemas = { navbar, footer, banner } as const;
