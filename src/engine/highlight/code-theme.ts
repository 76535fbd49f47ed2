/** Defines the theme that maps tokens to the classes of the site's style sheet. */

import type { ThemeRegistrationRaw } from "shiki/core";

/**
 * TextMate scopes by CSS class of their tokens. Class names have one letter, since a page can contain
 * thousands of them.
 */
export const tokenClasses = {
  c: ["comment", "punctuation.definition.comment", "string.comment"],
  k: [
    "keyword",
    "storage",
    "variable.language.this",
    "variable.language.self",
    "variable.language.super",
    "punctuation.definition.keyword",
    "markup.heading",
    "punctuation.definition.heading",
  ],
  s: [
    "string",
    "punctuation.definition.string",
    "markup.inline.raw",
    "markup.fenced_code",
    "constant.other.symbol",
    "string.unquoted.plain.out.yaml",
  ],
  n: ["constant", "support.constant", "keyword.other.unit", "constant.character.escape", "string.regexp"],
  f: [
    "entity.name.function",
    "support.function",
    "meta.function-call.generic",
    "entity.name.command",
    "variable.function",
  ],
  t: [
    "entity.name.type",
    "entity.name.class",
    "entity.other.inherited-class",
    "support.class",
    "support.type",
    "entity.name.namespace",
  ],
  v: [
    "variable.parameter",
    "variable.other.bracket",
    "variable.other.normal.shell",
    "punctuation.definition.variable",
    "entity.other.attribute-name",
  ],
  p: [
    "entity.name.tag",
    "meta.object-literal.key",
    "support.type.property-name",
    "string.json support.type.property-name",
    "support.type.property-name punctuation.support.type.property-name",
    "variable.other.property",
    "variable.object.property",
    "punctuation.definition.string.begin.json support",
    "keyword.other.definition.ini",
    "support.variable.property",
  ],
  o: [
    "keyword.operator",
    "punctuation",
    "meta.brace",
    "keyword.operator.assignment",
    "punctuation.separator",
    "punctuation.terminator",
    "punctuation.definition.tag",
  ],
  a: ["markup.inserted", "punctuation.definition.inserted"],
  d: ["markup.deleted", "punctuation.definition.deleted"],
} as const;

export type TokenClass = keyof typeof tokenClasses;

const classes = Object.keys(tokenClasses) as TokenClass[];

/** Rules that override `tokenClasses` for some scopes. An undefined class means plain text. */
const exceptions: [scopes: string[], token: TokenClass | undefined][] = [
  [
    [
      "keyword.operator.new",
      "keyword.operator.expression",
      "keyword.operator.logical.python",
      "keyword.operator.word",
    ],
    "k",
  ],
  [
    [
      "punctuation.definition.template-expression",
      "punctuation.section.embedded",
      "punctuation.definition.interpolation",
    ],
    "k",
  ],
  [["string punctuation.definition.string", "punctuation.definition.string"], "s"],
  [
    [
      "string.unquoted.argument.shell",
      "string.unquoted.plain.in.yaml",
      "meta.template.expression",
      "source.shell string.unquoted",
    ],
    undefined,
  ],
];

/** The color in the token theme that means "no class". */
const plain = "#000000";

function colorOf(token: TokenClass | undefined): string {
  return token === undefined
    ? plain
    : `#0000${(classes.indexOf(token) + 1).toString(16).padStart(2, "0").toUpperCase()}`;
}

/** Returns the class that a color of the token theme encodes. Undefined for plain text. */
export function tokenClassOf(color: string | undefined): TokenClass | undefined {
  return color === undefined ? undefined : classes[Number.parseInt(color.slice(5), 16) - 1];
}

/** A theme whose colors encode classes, so that the style sheet sets the colors of both modes. */
export const tokenTheme: ThemeRegistrationRaw = {
  name: "octavo-tokens",
  type: "light",
  fg: plain,
  bg: "#FFFFFF",
  settings: [
    { settings: { foreground: plain, background: "#FFFFFF" } },
    ...classes.map((token) => ({
      scope: [...tokenClasses[token]],
      settings: { foreground: colorOf(token) },
    })),
    ...exceptions.map(([scope, token]) => ({ scope, settings: { foreground: colorOf(token) } })),
  ],
};
