/**
 * Generates the reference pages for docs.json and frontmatter, and the JSON Schema of docs.json, from the
 * schemas in this folder.
 */

import { docsJsonSchema } from "./docs-json-schema.ts";
import { frontmatterKeys } from "./frontmatter.ts";

type Node = Record<string, unknown> & {
  properties?: Record<string, Node>;
  items?: Node;
  anyOf?: Node[];
  enum?: string[];
  patternProperties?: Record<string, Node>;
  required?: string[];
};

/** Returns the reference page for docs.json, as MDX. */
export function settingsPage(): string {
  const root = docsJsonSchema as unknown as Node;
  const sections = Object.entries(root.properties!)
    .filter(([key]) => key !== "$schema")
    .map(
      ([key, node]) =>
        `## ${key}\n\n${String(node.description ?? "")}${root.required?.includes(key) ? " **Required.**" : ""}\n\n${facts(node)}${fields(node, key)}`,
    );

  return `---
title: Settings
description: Every key in docs.json, with its type and default.
icon: sliders
---

{/* Generated from the schema by npm run docs:generate. Change the schema, not this page. */}

Configure a site in \`docs.json\`, at the root of the documentation folder. \`theme\`, \`name\`, \`colors\`, and \`navigation\` are required. Unknown keys are reported and have no effect.

For autocompletion and validation in your editor, save [docs.schema.json](/docs.schema.json) next to \`docs.json\` and reference it:

\`\`\`json docs.json
{
  "$schema": "./docs.schema.json",
  "theme": "mint",
  "name": "Acme",
  "colors": { "primary": "#2F5BD7" },
  "navigation": { "groups": [{ "group": "Start", "pages": ["index"] }] }
}
\`\`\`

To split a large file, use \`{ "$ref": "./navigation.json" }\` anywhere in it. The object is replaced with the contents of the referenced file. Keys next to \`$ref\` override keys in that file.

${sections.join("\n")}`;
}

/** Returns the reference page for frontmatter, as MDX. */
export function frontmatterPage(): string {
  const rows = Object.entries(frontmatterKeys).map(([key, { kind, description }]) =>
    field(key, kind.type, description, undefined, false, "frontmatter"),
  );

  return `---
title: Frontmatter
description: Every frontmatter key of a page, with its type.
icon: heading
---

{/* Generated from the schema by npm run docs:generate. Change the schema, not this page. */}

A page can start with frontmatter: YAML between two lines of \`---\`. Every key is optional.

\`\`\`mdx guides/start.mdx
---
title: Get started
description: Send your first request.
---
\`\`\`

Keys that start with \`og:\`, \`twitter:\`, \`article:\`, or \`fb:\` become meta tags on the page. Put these keys in quotes. Other keys that aren't in the list below have no effect.

${rows.join("\n")}
`;
}

/**
 * Returns the JSON Schema file for editors, without the keywords that only Octavo uses. A setting can have
 * the name of such a keyword, such as `appearance.strict`. Such a setting is kept: the value of a setting has
 * a description, and the value of a keyword doesn't.
 */
export function jsonSchemaFile(): string {
  const schema = {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "docs.json",
    ...docsJsonSchema,
  };
  return `${JSON.stringify(schema, (key, value) => (/^(?:expected|strict|loose|unique|keys|ineffective)$/.test(key) && !value.description ? undefined : value), 2)}\n`;
}

function facts(node: Node): string {
  const out = [`Type: ${typeOf(node)}`];
  if (node.default !== undefined) out.push(`default: \`${JSON.stringify(node.default)}\``);
  return `${out.join(", ")}.\n`;
}

/**
 * Returns the fields of an object, of the objects in a list, or of the first object among alternatives, as
 * MDX. Empty for other schemas.
 */
function fields(node: Node, prefix: string): string {
  const object = objectOf(node);
  if (!object?.properties) return "";

  const rows = Object.entries(object.properties).map(([key, child]) => {
    const nested = fields(child, `${prefix}.${key}`);
    return field(
      key,
      typeOf(child),
      String(child.description ?? ""),
      child.default,
      object.required?.includes(key) ?? false,
      prefix,
      nested,
    );
  });

  return `\n${rows.join("\n")}\n`;
}

function field(
  key: string,
  type: string,
  description: string,
  value: unknown,
  required: boolean,
  prefix: string,
  nested = "",
): string {
  const attributes = [
    `name=${JSON.stringify(key)}`,
    `type=${JSON.stringify(type)}`,
    `id=${JSON.stringify(`${prefix}.${key}`)}`,
    ...(value === undefined ? [] : [`default=${JSON.stringify(String(value))}`]),
    ...(required ? ["required"] : []),
  ];
  const inner = nested ? `\n\n<Expandable title="${key}">${nested}</Expandable>` : "";
  return `<ResponseField ${attributes.join(" ")}>\n${description}${inner}\n</ResponseField>\n`;
}

function objectOf(node: Node): Node | undefined {
  if (node.properties) return node;
  if (node.items) return objectOf(node.items);
  return node.anyOf?.map(objectOf).find(Boolean);
}

function typeOf(node: Node): string {
  if (node.enum) return node.enum.length > 12 ? `one of ${node.enum.length} names` : node.enum.join(" | ");
  if (node.anyOf) return [...new Set(node.anyOf.map(typeOf))].join(" | ");
  if (node.patternProperties) return "map";
  if (node.items) {
    const item = typeOf(node.items);
    return /^\w+$/.test(item) ? `${item}[]` : `array of (${item})`;
  }
  if (node.pattern?.toString().startsWith("^#")) return "hex color";
  return (
    { string: "string", boolean: "boolean", number: "number", object: "object" }[String(node.type)] ?? "any"
  );
}
