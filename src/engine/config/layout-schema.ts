/** Defines the schemas of the parts around a page: header, footer, banner and page menu. */

import { type Static, Type } from "@sinclair/typebox";
import { iconSchema, iconTypes } from "./icon-schema.ts";
import { flag, hex, lightDark, list, object, oneOf, optional, text } from "./schema-fields.ts";

export const contextualIds =
  "copy view assistant download-pdf download-spec chatgpt claude perplexity grok aistudio devin devin-desktop mcp add-mcp cursor vscode devin-mcp windsurf".split(
    " ",
  );

export const socialNames =
  "x website facebook youtube discord slack github linkedin instagram hacker-news medium telegram twitter x-twitter earth-americas bluesky threads reddit podcast".split(
    " ",
  );

const href = text("A path, an anchor, an https URL, or a mailto: link.", { minLength: 1 });

const footerHref = Type.String({
  description: "A path, an anchor, an https URL, or a mailto: link.",
  pattern: "^(?:https://|/(?!/)|#|mailto:)(?!.*\\.(?:svg|exe|zip)$)",
  expected:
    "an https URL, a path that starts with /, an anchor, or a mailto: link (not to an .svg, .exe or .zip file)",
});

const navbarLink = object(
  {
    label: optional(text("Link text. Optional if `type` is set.")),
    href,
    icon: optional(iconSchema),
    iconType: optional(oneOf(iconTypes, { description: "Style of a Font Awesome icon." })),
    type: optional(
      oneOf(["button", "github", "discord"], { description: "`github` and `discord` show a logo." }),
    ),
  },
  "A header link.",
);

export const navbar = object(
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

export const footer = object(
  {
    socials: optional(
      Type.Record(Type.String(), Type.String(), {
        description: "Social profile URLs by platform.",
        keys: socialNames,
      }),
    ),
    links: optional(
      list(
        object(
          {
            header: optional(text("Column heading.")),
            items: list(
              object({ label: text("Link text."), href: footerHref }, "A link."),
              "Links in the column.",
              { minItems: 1 },
            ),
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

export const banner = object(
  {
    content: text("One line of Markdown. Supports links, bold, and italic text."),
    dismissible: optional(
      flag("Lets readers close the banner. The banner reappears when its content changes.", false),
    ),
    type: optional(
      oneOf(["info", "warning", "critical"], {
        description: "Banner style: brand color, amber, or red.",
        default: "info",
      }),
    ),
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
      oneOf(["header", "toc"], {
        description: "Location: next to the page title, or below the table of contents.",
        default: "header",
      }),
    ),
  },
  "The page menu, with options such as copying the page as Markdown.",
);

export type NavbarSettings = Static<typeof navbar>;
export type FooterSettings = Static<typeof footer>;
export type BannerSettings = Static<typeof banner>;
export type PageMenuSettings = Static<typeof contextualSchema>;

/** Schemas of the settings that a language in the navigation can also have. */
export const partSchemas = { navbar, footer, banner } as const;
