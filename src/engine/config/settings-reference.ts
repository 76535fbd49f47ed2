/** Generates the reference pages for docs.json and frontmatter from their schemas. */

import { frontmatterKeys } from "./frontmatter.ts";
import { docsJsonSchema } from "./schema.ts";

type Node = Record<string, unknown> & {
  properties?: Record<string, Node>;
  items?: Node;
  anyOf?: Node[];
  enum?: string[];
  patternProperties?: Record<string, Node>;
  required?: string[];
};

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
description: Every key of docs.json, with its type and default.
icon: sliders
---

{/* Generated from the schema by npm run docs:generate. Change the schema, not this page. */}

A site's settings stand in \`docs.json\` at the root of its folder. Four are required: \`theme\`, \`name\`, \`colors\` and \`navigation\`. Unknown keys are reported and have no effect.

Editors complete and check the file when it names its schema. Save [docs.schema.json](/docs.schema.json) beside it:

\`\`\`json docs.json
{
  "$schema": "./docs.schema.json",
  "theme": "mint",
  "name": "Acme",
  "colors": { "primary": "#2F5BD7" },
  "navigation": { "groups": [{ "group": "Start", "pages": ["index"] }] }
}
\`\`\`

A large file can be split: \`{ "$ref": "./navigation.json" }\` anywhere in it stands for the content of that file. Keys beside \`$ref\` win over those of the file.

${sections.join("\n")}`;
}

export function frontmatterPage(): string {
  const rows = Object.entries(frontmatterKeys).map(([key, { kind, description }]) =>
    field(key, kind.type, description, undefined, false, "frontmatter"),
  );
  return `---
title: Frontmatter
description: What the block at the head of a page may say.
icon: heading
---

{/* Generated from the schema by npm run docs:generate. Change the schema, not this page. */}

A page may begin with YAML between two lines of \`---\`. Every key is optional, and so is the block.

\`\`\`mdx guides/start.mdx
---
title: Get started
description: From nothing to a first request.
---
\`\`\`

Keys that begin with \`og:\`, \`twitter:\` or \`article:\` become meta tags of the page; put them into quotes. Any other key is kept as your own and has no effect.

${rows.join("\n")}
`;
}

function facts(node: Node): string {
  const out = [`Type: ${typeOf(node)}`];
  if (node.default !== undefined) out.push(`default: \`${JSON.stringify(node.default)}\``);
  return `${out.join(", ")}.\n`;
}

/** The fields of an object, of the objects in a list, or of the first object among alternatives. Empty for other schemas. */
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

function field(key: string, type: string, description: string, value: unknown, required: boolean, prefix: string, nested = ""): string {
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
  if (node.items) return `list of ${typeOf(node.items)}`;
  if (node.pattern?.toString().startsWith("^#")) return "hex colour";
  return { string: "text", boolean: "boolean", number: "number", object: "object" }[String(node.type)] ?? "any";
}
