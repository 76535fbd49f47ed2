// Generates the schema and the documentation of the chart's values from values.yaml, whose comments describe
// the values.
import { readFileSync } from "node:fs";
import path from "node:path";
import { load } from "js-yaml";
import { root } from "../prepare.js";
import { types } from "./value-types.js";

const text = readFileSync(path.join(root, "chart/values.yaml"), "utf8");
const defaults = load(text);
const comments = readComments(text);

/** The comment above each key, by path. */
function readComments(yaml) {
  const found = new Map();
  const trail = [];
  let lines = [];
  for (const line of yaml.split("\n")) {
    const [, indent, comment, key] = /^( *)(?:# (.*)|(\w+):.*)?/.exec(line);
    if (comment !== undefined) lines.push(comment);
    else {
      if (key !== undefined) {
        trail.splice(indent.length / 2, trail.length, key);
        if (lines.length > 0) found.set(trail.join("."), lines.join(" "));
      }
      lines = [];
    }
  }
  return found;
}

const isMap = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** Finds the entry for a path, or for the longest end of it that has one. */
function byEnd(find, at) {
  for (let end = at; ; end = end.slice(end.indexOf(".") + 1)) {
    const found = find(end);
    if (found !== undefined || !end.includes(".")) return found;
  }
}

const typeOf = (at) => byEnd((end) => (Object.hasOwn(types, end) ? types[end] : undefined), at);

/**
 * The values of web and worker have the descriptions of those with the same name, except the ones that are
 * added to platform's.
 */
function descriptionOf(at) {
  const own = comments.get(at);
  const [, part] = /^platform\.(?:web|worker)\.(.*)/.exec(at) ?? [];
  const first = part?.split(".")[0];
  if (first !== undefined && Object.hasOwn(defaults.platform, first))
    return first === "priorityClassName"
      ? `Used instead of platform.${first}.`
      : `Added to platform.${first}.`;
  return (
    own ?? comments.get(`staticExport.${part}`) ?? comments.get(at.replace("podMonitor", "serviceMonitor"))
  );
}

function schemaOf(value, at) {
  const described = { description: descriptionOf(at) };
  const type = typeOf(at);
  if (type)
    return type.$ref
      ? { ...described, allOf: [type], default: value }
      : { ...described, ...type, default: value };
  if (!isMap(value)) {
    if (value === null || Array.isArray(value))
      throw new Error(`scripts/chart/value-types.js has no type for ${at}`);
    const inferred = typeof value === "number" ? { type: "integer", minimum: 0 } : { type: typeof value };
    return { ...described, ...inferred, default: value };
  }
  return {
    ...described,
    type: "object",
    properties: propertiesOf(value, `${at}.`),
    additionalProperties: false,
  };
}

const propertiesOf = (values, before) =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, schemaOf(value, before + key)]));

/** The text of values.schema.json. */
export function valuesSchema() {
  const definitions = JSON.parse(
    readFileSync(path.join(import.meta.dirname, "kubernetes-types.json"), "utf8"),
  );
  const properties = propertiesOf(defaults, "");
  // A parent chart can have other global values.
  properties.global.additionalProperties = true;
  const schema = {
    $schema: "http://json-schema.org/draft-07/schema#",
    type: "object",
    properties,
    additionalProperties: false,
    definitions,
  };
  return `${JSON.stringify(schema, undefined, 2)}\n`;
}

/** The rows of the tables of values, by section. */
function sections() {
  const found = new Map();
  const visit = (values, before) => {
    for (const [key, value] of Object.entries(values)) {
      const at = before + key;
      if (isMap(value) && !typeOf(at)) visit(value, `${at}.`);
      else {
        const section = at.includes(".") ? at.split(".")[0] : "";
        found.set(section, [...(found.get(section) ?? []), { at, value, description: descriptionOf(at) }]);
      }
    }
  };
  visit(defaults, "");
  return found;
}

/** Code in a comment: lists, maps, placeholders, and names of values. */
const code =
  /\[\{.*?\}\]|\{ .*? \}|<\S+|\b(?:image|networkPolicy|platform|staticExport)\.\w+|\/(?:readyz|healthz|data|tmp)\b/g;
const inTable = (words) => words.replace(code, (found) => `\`${found}\``).replaceAll("|", "\\|");

/** The values in a map or list of maps, with their paths: `limits.memory: "1Gi"`. */
const leavesOf = (value, at = "") =>
  typeof value === "object" &&
  value !== null &&
  Object.keys(value).length > 0 &&
  !(Array.isArray(value) && !isMap(value[0]))
    ? Object.entries(value).flatMap(([key, inside]) => leavesOf(inside, at ? `${at}.${key}` : key))
    : [at ? `${at}: ${JSON.stringify(value)}` : JSON.stringify(value)];
const defaultOf = (value) =>
  leavesOf(value)
    .map((leaf) => `\`${leaf}\``)
    .join("<br />");

const tableOf = (rows) =>
  ["| Value | Default | Description |", "| --- | --- | --- |"]
    .concat(
      rows.map(
        ({ at, value, description }) => `| \`${at}\` | ${defaultOf(value)} | ${inTable(description)} |`,
      ),
    )
    .join("\n");

/** The tables of all values in Markdown. */
export function valuesTables(heading) {
  return [...sections()]
    .map(([section, rows]) => {
      const about = section && comments.get(section) ? `${inTable(comments.get(section))}\n\n` : "";
      return `${heading} ${section || "General"}\n\n${about}${tableOf(rows)}\n`;
    })
    .join("\n");
}
