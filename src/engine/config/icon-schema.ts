/** Defines the schema of icons in docs.json and frontmatter. */

import { type Static, Type } from "@sinclair/typebox";
import { object, oneOf, optional, text } from "./schema-fields.ts";

export const iconLibraries = ["fontawesome", "lucide", "tabler"] as const;
export type IconLibrary = (typeof iconLibraries)[number];

export const iconTypes = ["regular", "solid", "light", "thin", "sharp-solid", "duotone", "brands"] as const;

export const iconSchema = Type.Union(
  [
    Type.String({ pattern: "^(?!fa-)", expected: "the icon's name without a fa- prefix" }),
    object(
      {
        name: text("Icon name in the library."),
        style: optional(oneOf(iconTypes, { description: "Style of a Font Awesome icon." })),
        library: optional(
          oneOf(iconLibraries, { description: "Library that contains the icon. Default: `icons.library`." }),
        ),
      },
      "An icon with a style or library.",
    ),
  ],
  {
    description: "An icon: a name, path, URL, or inline SVG.",
    expected:
      "an icon name, path, URL, or inline SVG, or an object with name and, optionally, style and library",
  },
);

export type IconValue = Static<typeof iconSchema>;
