/**
 * The schema of docs.json: the source of the `DocsJson` type, default values, error messages, the JSON Schema file for
 * editors and the reference page of the docs.
 *
 * `expected` completes the error message "… must be". Unknown keys are errors in `strict` objects and warnings in other
 * objects. `loose` objects are not checked here. `unique` lists have no duplicates. `keys` lists the allowed keys of a map.
 */

import { type Static, type TSchema, Type } from "@sinclair/typebox";

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

function oneOf<const T extends readonly string[]>(values: T, options: Record<string, unknown> = {}) {
  return Type.Unsafe<T[number]>({ type: "string", enum: [...values], ...options });
}

const text = (description: string, options: Record<string, unknown> = {}) => Type.String({ description, ...options });
const flag = (description: string, value?: boolean) => Type.Boolean({ description, ...(value === undefined ? {} : { default: value }) });
const list = <T extends TSchema>(items: T, description: string, options: Record<string, unknown> = {}) =>
  Type.Array(items, { description, ...options });
const object = <T extends Record<string, TSchema>>(properties: T, description: string, options: Record<string, unknown> = {}) =>
  Type.Object(properties, { description, ...options });
const optional = Type.Optional;

const hex = (description: string) =>
  Type.String({ description, pattern: "^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$", expected: "a hex colour of 3 or 6 digits such as #0D9373" });

const lightDark = (description: string) =>
  object({ light: optional(hex("In light mode.")), dark: optional(hex("In dark mode.")) }, description, { strict: true });

const path = (description: string) => text(description, { minLength: 3, expected: "a path such as /images/logo.svg" });

export const iconSchema = Type.Union(
  [
    Type.String({ pattern: "^(?!fa-)", expected: "the icon's name without a fa- prefix" }),
    object(
      {
        name: text("Name in the icon library."),
        style: optional(oneOf(iconTypes)),
        library: optional(oneOf(["fontawesome", "lucide", "tabler"])),
      },
      "An icon with its style.",
    ),
  ],
  { description: "An icon by name, address, path or inline SVG.", expected: "an icon name, or an object with name, style and library" },
);

const fontFace = {
  family: optional(text("Name of the family.")),
  weight: optional(Type.Number({ description: "Weight, 100 to 900.", minimum: 1, maximum: 1000 })),
  source: optional(text("Address or path of a font file.")),
  format: optional(oneOf(["woff", "woff2"], { description: "Format of the file in `source`." })),
};

const href = text("A path, an anchor, a mail address or an https address.", { minLength: 1 });

const footerHref = Type.String({
  description: "A path, an anchor, a mail address or an https address.",
  pattern: "^(?:https://|/(?!/)|#|mailto:)(?!.*\\.(?:svg|exe|zip)$)",
  expected: "an https address, a path that begins with /, an anchor or a mailto: address, and no .svg, .exe or .zip",
});

const navbarLink = object(
  {
    label: optional(text("Text of the link. May be left out with `type`.")),
    href,
    icon: optional(iconSchema),
    iconType: optional(oneOf(iconTypes)),
    type: optional(oneOf(["github", "discord"], { description: "Shows the service's mark." })),
  },
  "A link in the header.",
);

const navbar = object(
  {
    links: optional(list(navbarLink, "Links at the right of the header.")),
    primary: optional(
      object(
        {
          type: oneOf(["button", "github", "discord"], { description: "Look of the call to action." }),
          label: optional(text("Text; required for a button.")),
          href,
        },
        "The one emphasised action of the header.",
      ),
    ),
  },
  "The header.",
);

const footer = object(
  {
    socials: optional(
      Type.Record(Type.String(), Type.String(), { description: "Social profiles: platform to address.", keys: socialNames }),
    ),
    links: optional(
      list(
        object(
          {
            header: optional(text("Heading of the column.")),
            items: list(object({ label: text("Text of the link."), href: footerHref }, "A link."), "Links of the column.", { minItems: 1 }),
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
    content: text("One line of Markdown with links, bold and italic."),
    dismissible: optional(flag("Readers may close it; it comes back when its content changes.", false)),
    type: optional(oneOf(["info", "warning", "critical"], { description: "Brand colour, amber or red.", default: "info" })),
    color: optional(
      Type.Union([hex("One colour for both modes."), lightDark("A colour for each mode.")], {
        description: "Background in place of the type's.",
        expected: "a hex colour, or light and dark hex colours",
      }),
    ),
  },
  "A strip above every page.",
);

const contextual = object(
  {
    options: list(
      Type.Union(
        [
          oneOf(contextualIds as [string, ...string[]]),
          object(
            {
              title: text("Text of the entry."),
              description: optional(text("Second line of the entry.")),
              icon: optional(iconSchema),
              href: Type.Union(
                [
                  Type.String(),
                  object(
                    {
                      base: text("Address."),
                      query: optional(
                        list(
                          object({ key: text("Name."), value: text("Value; `$page`, `$path` and `$mcp` are filled in.") }, "A parameter."),
                          "Query parameters.",
                        ),
                      ),
                    },
                    "An address with parameters.",
                  ),
                ],
                { description: "Where the entry leads.", expected: "an address, or an object with base and query" },
              ),
            },
            "An entry of your own.",
          ),
        ],
        {
          description: "A built-in id or an entry of your own.",
          expected: `one of ${contextualIds.join(", ")}, or an object with title and href`,
        },
      ),
      "Entries in their order; the first is the default button.",
      { unique: true },
    ),
    display: optional(oneOf(["header", "toc"], { description: "Beside the title or under the table of contents.", default: "header" })),
  },
  "The menu of actions of a page.",
);

const openapiReference = Type.Union(
  [
    Type.String(),
    Type.Array(Type.Unsafe<string | { source: string; directory?: string }>({})),
    object(
      { source: text("Path or address of the document."), directory: optional(text("Folder of the generated pages.")) },
      "A document with its folder.",
      // Validated by `readApiSources`, like `openapi` in the navigation.
      { loose: true },
    ),
  ],
  {
    description: "OpenAPI documents by path or https address.",
    expected: "a path, a list of paths, or an object with source and directory",
  },
);

const codeblockTheme = Type.Union([Type.String(), Type.Object({ light: Type.String(), dark: Type.String() })], {
  description: "A Shiki theme, or one for each mode.",
  expected: "a theme name, or light and dark theme names",
});

const service = <T extends Record<string, TSchema>>(fields: T, name: string) => optional(object(fields, `${name}.`));

const host = (description: string) =>
  text(description, { pattern: "^(?!https?:)[\\w.-]+(?::\\d+)?$", expected: "a host without https://, such as docs.example.com" });

const address = (description: string) => text(description, { pattern: "^https?://", expected: "an address that begins with https://" });

const addressOrPath = (description: string) =>
  text(description, { pattern: "^(?:[Hh][Tt][Tt][Pp][Ss]?:|[^:/?#]*(?:[/?#]|$))", expected: "an https URL or a path" });

/** Integrations that are accepted in docs.json but not loaded. */
const otherIntegrations =
  "adobe amplitude clarity clearbit fathom frontchat heap hightouch hotjar intercom koala logrocket mixpanel onetrust pirsch transcend".split(
    " ",
  );

const integrations = object(
  {
    telemetry: optional(
      object(
        { enabled: optional(flag("`false`: nothing of readers is counted, and every means of feedback is gone.", true)) },
        "What readers tell you, knowingly or not.",
      ),
    ),
    cookies: optional(
      object(
        { key: text("Name in the local storage, or of a cookie.", { minLength: 1 }), value: text("The value that says yes.") },
        "Consent: without it, nothing is counted and none of the services below is loaded.",
      ),
    ),
    ga4: service(
      { measurementId: text("Measurement id.", { pattern: "^G", expected: "an id that begins with G, such as G-ABC123" }) },
      "Google Analytics 4",
    ),
    gtm: service(
      { tagId: text("Container id.", { pattern: "^G", expected: "an id that begins with G, such as GTM-ABC123" }) },
      "Google Tag Manager",
    ),
    plausible: service({ domain: host("The site's name there."), server: optional(host("Your own server.")) }, "Plausible"),
    posthog: service(
      {
        apiKey: text("Project key.", { pattern: "^phc_", expected: "a key that begins with phc_" }),
        apiHost: optional(address("Your own server, or the region's.")),
        sessionRecording: optional(flag("Whether sessions are recorded.", true)),
      },
      "PostHog",
    ),
    segment: service({ key: text("Write key.", { minLength: 1 }), cdnUrl: optional(address("Your own delivery network.")) }, "Segment"),
    ...Object.fromEntries(
      otherIntegrations.map((name) => [name, optional(Type.Object({}, { description: "Accepted; not loaded.", loose: true }))]),
    ),
  },
  "Services that count visits. They are loaded over http and https only, and never in an air-gapped site.",
  { strict: true },
);

export const docsJsonSchema = object(
  {
    $schema: optional(text("Address of the schema, for editors. No effect on the site.")),
    theme: oneOf(themes, { description: "Layout and character of the site." }),
    name: text("Name of the site.", { minLength: 1 }),
    description: optional(text("What the site is about, for search engines and language models.")),
    colors: object(
      {
        primary: hex("Emphasis in light mode."),
        light: optional(hex("Emphasis in dark mode. Default: `primary`.")),
        dark: optional(hex("Buttons in both modes. Default: `primary`.")),
      },
      "The site's colours.",
      { strict: true },
    ),
    logo: optional(
      Type.Union(
        [
          path("One logo for both modes."),
          object(
            {
              light: path("Logo in light mode."),
              dark: path("Logo in dark mode."),
              href: optional(text("Where the logo leads. Default: the home page.")),
            },
            "A logo for each mode.",
          ),
        ],
        { description: "The logo in the header. Default: the site's name.", expected: "a path, or an object with light and dark" },
      ),
    ),
    favicon: optional(
      Type.Union([path("One icon."), object({ light: path("In light mode."), dark: path("In dark mode.") }, "An icon for each mode.")], {
        description: "Icon of the browser tab.",
        expected: "a path, or an object with light and dark",
      }),
    ),
    appearance: optional(
      object(
        {
          default: optional(oneOf(["system", "light", "dark"], { description: "First colour mode.", default: "system" })),
          strict: optional(flag("Readers cannot switch.", false)),
        },
        "Colour mode.",
      ),
    ),
    fonts: optional(
      object(
        { ...fontFace, heading: optional(object(fontFace, "Font of headings.")), body: optional(object(fontFace, "Font of text.")) },
        "Fonts. What `heading` and `body` say wins over the top level.",
      ),
    ),
    icons: optional(
      object(
        {
          library: optional(
            oneOf(["fontawesome", "lucide", "tabler"], { description: "The library of every icon name.", default: "fontawesome" }),
          ),
        },
        "Icons.",
      ),
    ),
    background: optional(
      object(
        {
          decoration: optional(oneOf(["gradient", "grid", "windows"], { description: "A pattern behind the page." })),
          color: optional(lightDark("Colour of the page.")),
          image: optional(
            Type.Union([Type.String(), Type.Object({ light: Type.String(), dark: Type.String() })], {
              description: "A picture behind the page.",
              expected: "a path, or light and dark paths",
            }),
          ),
        },
        "What lies behind the page.",
      ),
    ),
    styling: optional(
      object(
        {
          eyebrows: optional(
            oneOf(["section", "breadcrumbs"], { description: "Above the title: the group, or the whole path.", default: "section" }),
          ),
          latex: optional(flag("Whether `$…$` is a formula. Default: yes, except for what looks like a price.")),
          codeblocks: optional(
            Type.Union(
              [
                Type.String(),
                object(
                  {
                    theme: optional(codeblockTheme),
                    languages: optional(
                      object({ custom: optional(list(Type.String(), "Paths of TextMate grammars in JSON.")) }, "More languages."),
                    ),
                  },
                  "Theme and languages.",
                ),
              ],
              {
                description: "`system` follows the colour mode, `dark` is always dark; or a Shiki theme.",
                default: "system",
                expected: "system, dark, a theme name, or an object with theme",
              },
            ),
          ),
        },
        "Details of the look.",
      ),
    ),
    thumbnails: optional(
      Type.Object({}, { description: "Look of generated preview images. Accepted; no images are generated yet.", loose: true }),
    ),
    navigation: Type.Unsafe<Record<string, unknown>>({
      type: "object",
      description: "The tree of the site: tabs, groups, pages and the other divisions.",
      loose: true,
    }),
    navbar: optional(navbar),
    footer: optional(footer),
    banner: optional(banner),
    interaction: optional(
      object({ drilldown: optional(flag("Opening a group also goes to its first page.")) }, "Behaviour of the navigation."),
    ),
    contextual: optional(contextual),
    search: optional(object({ prompt: optional(text("Text in the empty search field.")) }, "Search.")),
    variables: optional(
      Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]), {
        description: "Values for `{{name}}` in pages and snippets.",
      }),
    ),
    metadata: optional(object({ timestamp: optional(flag("Shows when a page was last changed.", false)) }, "Facts about pages.")),
    redirects: optional(
      list(
        object(
          {
            source: text("Path that readers come by; `:slug*` and `*` match the rest."),
            destination: text("Where they arrive."),
            permanent: optional(flag("308 when true, 307 when false.", true)),
          },
          "A redirect.",
        ),
        "Old addresses and their new ones.",
      ),
    ),
    errors: optional(
      object(
        {
          "404": optional(
            object(
              {
                redirect: optional(flag("Unknown addresses lead home.", true)),
                title: optional(text("Title of the page.")),
                description: optional(text("Text of the page, in MDX.")),
              },
              "The page for unknown addresses.",
            ),
          ),
        },
        "Error pages.",
      ),
    ),
    markdown: optional(
      object(
        {
          schema: optional(flag("Markdown of API pages carries their part of the document.", true)),
          instructions: optional(
            Type.Union([Type.String(), Type.Array(Type.String())], {
              description: "Words to language models, in each Markdown output.",
              expected: "a text or a list of texts",
            }),
          ),
        },
        "Markdown output.",
      ),
    ),
    seo: optional(
      object(
        {
          indexing: optional(
            oneOf(["navigable", "all"], { description: "Whether pages outside of the navigation are indexed too.", default: "navigable" }),
          ),
          metatags: optional(
            Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()]), {
              description: "Meta tags of every page.",
            }),
          ),
          organization: optional(
            object(
              {
                id: optional(addressOrPath("Identifier, such as `#organization`.")),
                name: optional(Type.String()),
                legalName: optional(Type.String()),
                url: optional(addressOrPath("Home page.")),
                logo: optional(addressOrPath("Picture.")),
                sameAs: optional(Type.Array(addressOrPath("Profile."))),
              },
              "The publisher, for search engines.",
            ),
          ),
          trailingSlash: optional(flag("Canonical addresses end with a slash.", false)),
          paths: optional(
            list(
              object({ path: text("Folder."), metatags: Type.Record(Type.String(), Type.String()) }, "Tags of a folder."),
              "Meta tags by folder.",
            ),
          ),
        },
        "Search engines.",
      ),
    ),
    api: optional(
      object(
        {
          openapi: optional(openapiReference),
          stripHidden: optional(
            flag("Removes operations with `x-hidden` or `x-excluded` from the OpenAPI documents that readers download.", false),
          ),
          asyncapi: optional(Type.Unknown({ description: "AsyncAPI documents. Accepted; not rendered." })),
          playground: optional(
            object(
              {
                display: optional(
                  oneOf(["interactive", "simple", "none", "auth"], { description: "The playground of API pages.", default: "interactive" }),
                ),
                proxy: optional(flag("Requests go through the site's server.", true)),
                credentials: optional(flag("Without the proxy: cookies are sent along.", false)),
              },
              "The request playground.",
            ),
          ),
          params: optional(
            object(
              {
                expanded: optional(oneOf(["all", "closed"], { description: "Nested fields at first.", default: "closed" })),
                post: optional(list(Type.String(), "Schema keys that are shown as labels after a field's name.")),
              },
              "Parameters.",
            ),
          ),
          url: optional(oneOf(["full"], { description: "Always show the base address." })),
          examples: optional(
            object(
              {
                languages: optional(list(Type.String(), "Languages of code samples in their order.")),
                defaults: optional(oneOf(["required", "all"], { description: "Parameters that samples show.", default: "all" })),
                prefill: optional(flag("The playground starts with the document's examples.", false)),
                autogenerate: optional(flag("Samples are made for every operation.", true)),
              },
              "Code samples.",
            ),
          ),
          mdx: optional(
            object(
              {
                server: optional(
                  Type.Union([Type.String(), Type.Array(Type.String())], {
                    description: "Base addresses of `api:` pages.",
                    expected: "an address or a list of addresses",
                  }),
                ),
                auth: optional(
                  object(
                    {
                      method: optional(oneOf(["bearer", "basic", "key", "cobo"], { description: "Kind of authentication." })),
                      name: optional(text("Name of the header.")),
                    },
                    "Authentication.",
                  ),
                ),
              },
              "API pages that are written in MDX.",
            ),
          ),
        },
        "API reference pages.",
      ),
    ),
    integrations: optional(integrations),
    feedback: optional(
      object(
        {
          enabled: optional(flag("Feedback of any kind.")),
          thumbsRating: optional(flag("Asks whether a page helped.")),
          suggestEdit: optional(flag("Links to the page's source.")),
          raiseIssue: optional(flag("Links to a new issue.")),
        },
        "Feedback by readers.",
      ),
    ),
  },
  "The settings of a documentation site.",
);

export type DocsJson = Static<typeof docsJsonSchema>;
export type IconValue = Static<typeof iconSchema>;
export type Navbar = Static<typeof navbar>;
export type Footer = Static<typeof footer>;
export type Banner = Static<typeof banner>;
export type Contextual = Static<typeof contextual>;
export type Integrations = Static<typeof integrations>;

/** Schemas of the settings that a language in the navigation can also have. */
export const partSchemas = { navbar, footer, banner } as const;

/** The JSON Schema file for editors, without the keywords that only Octavo uses. */
export function jsonSchemaFile(): string {
  const schema = { $schema: "http://json-schema.org/draft-07/schema#", title: "docs.json", ...docsJsonSchema };
  return `${JSON.stringify(schema, (key, value) => (["expected", "strict", "loose", "unique", "keys"].includes(key) ? undefined : value), 2)}\n`;
}
