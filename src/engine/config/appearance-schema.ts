/** Defines the settings for the appearance of a site. */

import { Type } from "@sinclair/typebox";
import { iconLibraries } from "./icon-schema.ts";
import { flag, hex, lightDark, list, object, oneOf, optional, path, perMode, text } from "./schema-fields.ts";

const fontFace = {
  family: optional(text("Font family name.")),
  weight: optional(
    Type.Number({
      description: "Font weight from 1 to 1000, such as 400 for regular text.",
      minimum: 1,
      maximum: 1000,
    }),
  ),
  source: optional(text("Path or URL of a font file.")),
  format: optional(oneOf(["woff", "woff2"], { description: "Font file format." })),
};

const codeblockTheme = Type.Union([Type.String(), perMode("Theme")], {
  description: "A Shiki theme, or one theme per mode.",
  expected: "a theme name, or an object with light and dark theme names",
});

export const appearanceSettings = {
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
      {
        description: "Logo in the header. Default: the site's name as text.",
        expected: "a path, or an object with light and dark",
      },
    ),
  ),
  favicon: optional(
    Type.Union(
      [
        path("Icon for both modes."),
        object(
          { light: path("Icon in light mode."), dark: path("Icon in dark mode.") },
          "Icon for each mode.",
        ),
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
        default: optional(
          oneOf(["system", "light", "dark"], { description: "Initial color mode.", default: "system" }),
        ),
        strict: optional(flag("Hides the color mode switch.", false)),
      },
      "Color mode.",
    ),
  ),
  fonts: optional(
    object(
      {
        ...fontFace,
        heading: optional(object(fontFace, "Font for headings.")),
        body: optional(object(fontFace, "Font for body text.")),
      },
      "Fonts. `heading` and `body` override the top-level values.",
    ),
  ),
  icons: optional(
    object(
      {
        library: optional(
          oneOf(iconLibraries, {
            description:
              "Icon library to search first. If it doesn't contain an icon, Octavo searches the others.",
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
        decoration: optional(
          oneOf(["none", "gradient", "grid", "windows"], {
            description: "Background pattern.",
            default: "none",
          }),
        ),
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
                    object(
                      { custom: optional(list(Type.String(), "Paths to TextMate grammars in JSON.")) },
                      "Additional languages.",
                    ),
                  ),
                },
                "Code block theme and languages.",
              ),
            ],
            {
              description:
                "`system` follows the color mode. `dark` is always dark. You can also use a Shiki theme.",
              default: "system",
              expected: "system, dark, a theme name, or an object with theme",
            },
          ),
        ),
      },
      "Styling options.",
    ),
  ),
};
