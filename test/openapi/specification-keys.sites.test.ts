/**
 * Each key of the specification has an effect on the page and on its Markdown, and its text is found by
 * search, or it is reported. The keys come from the JSON Schemas of OpenAPI and JSON Schema.
 */

import { beforeAll, describe, expect, test } from "vitest";
import { unescapeHtml } from "../../src/base/html-text.ts";
import { type BuiltSite, buildSiteFrom, mainOf } from "../engine/build.ts";
import { openIndex } from "../engine/open-index.ts";
import { keysOf, schemaKeywords, type Version, valueFor, versions } from "./specification-keys.ts";

// biome-ignore lint/suspicious/noExplicitAny: documents are untyped.
type Node = any;

interface Row {
  /** Such as `3.1 parameter.description`. */
  name: string;
  id: string;
  /** Id of the document without the key. */
  baseline: string;
  mark?: string | undefined;
  shown?: string | undefined;
}

const sources: Record<string, string> = {};
const rows: Row[] = [];
const structural: string[] = [];
let marks = 0;
const letters = (count: number) =>
  [...count.toString(26).padStart(3, "0")].map(
    (digit) => "abcdefghijklmnopqrstuvwxyz"[Number.parseInt(digit, 26)],
  );
const nextMark = () => `qx${letters(marks++).join("")}v`;

const added = new Map<string, string>();
function addDocument(document: object): string {
  const text = JSON.stringify(document);
  const known = added.get(text);
  if (known !== undefined) return known;
  const id = `doc${letters(added.size).join("")}`;
  added.set(text, id);
  sources[`${id}.json`] = text;
  return id;
}

/** The id of a document in its URLs and in the navigation. */
const idPattern = /doc[a-z]{3}/gi;

/** The text of a page, with the URLs of its links. */
function textOf(html: string): string {
  const main = mainOf(html).replace(/<wbr\/?>|<script[\s\S]*?<\/script>/g, "");
  const urls = [...main.matchAll(/ href="(https?:[^"]*)"/g)].map(([, url]) => url).join(" ");
  return unescapeHtml(`${main.replace(/<[^>]*>/g, " ")} ${urls}`).replace(idPattern, "");
}

const fine = { 200: { description: "Fine" } };

function document(version: Version, more: Node = {}, operation: Node = {}, item: Node = {}): Node {
  const { info = {}, ...rest } = more;
  return {
    ...(version === "2.0" ? { swagger: "2.0", host: "a.example.com" } : { openapi: `${version}.0` }),
    info: { title: "T", version: "1", ...info },
    paths: {
      "/a/{id}": {
        ...item,
        post: { summary: "Change", parameters: [pathId(version)], responses: fine, ...operation },
      },
    },
    ...rest,
  };
}

const pathId = (version: Version) => ({
  name: "id",
  in: "path",
  required: true,
  ...(version === "2.0" ? { type: "string" } : { schema: { type: "string" } }),
});

const list = { type: "array", items: { type: "string" }, example: ["a/b", "c"] };
const fields = { type: "object", properties: { x: { type: "string" }, y: { type: "string" } } };
const jsonBody = (media: Node) => ({ requestBody: { content: { "application/json": media } } });
const formBody = (encoding: Node) => ({
  requestBody: {
    content: {
      "application/x-www-form-urlencoded": {
        schema: { type: "object", properties: { tags: list } },
        encoding: { tags: encoding },
      },
    },
  },
});

/**
 * An object of OpenAPI: its definition in each version, its required keys, and a document that contains it.
 */
interface Host {
  name: string;
  definitions: Partial<Record<Version, string>>;
  base: Node;
  place: (node: Node, version: Version) => Node;
}

const of3 = (upper: string, kebab: string) => ({
  "3.0": `#/definitions/${upper}`,
  "3.1": `#/$defs/${kebab}`,
  "3.2": `#/$defs/${kebab}`,
});

const parameterIn = (place: string, base: Node): Host => ({
  name: `${place} parameter`,
  definitions: of3("Parameter", "parameter"),
  base: { name: "it", in: place, ...base },
  place: (node, version) => document(version, {}, { parameters: [pathId(version), node] }),
});

const flow = (name: string, upper: string, kebab: string, base: Node): Host => ({
  name: `${name} flow`,
  definitions: {
    "3.0": `#/definitions/${upper}`,
    "3.1": `#/$defs/oauth-flows/$defs/${kebab}`,
    "3.2": `#/$defs/oauth-flows/$defs/${kebab}`,
  },
  base: { scopes: { read: "Read" }, ...base },
  place: (node, version) =>
    document(
      version,
      { components: { securitySchemes: { it: { type: "oauth2", flows: { [name]: node } } } } },
      { security: [{ it: [] }] },
    ),
});

const scheme = (base: Node): Host => ({
  name: `${base.type} scheme`,
  definitions: of3("SecurityScheme", "security-scheme"),
  base,
  place: (node, version) =>
    document(version, { components: { securitySchemes: { it: node } } }, { security: [{ it: [] }] }),
});

const token = "https://t.example.com/token";
const hosts: Host[] = [
  {
    name: "info",
    definitions: { "2.0": "#/definitions/info", ...of3("Info", "info") },
    base: { description: "About" },
    place: (info, version) => document(version, { info }),
  },
  {
    name: "contact",
    definitions: { "2.0": "#/definitions/contact", ...of3("Contact", "contact") },
    base: {},
    place: (contact, version) => document(version, { info: { contact } }),
  },
  {
    name: "license",
    definitions: { "2.0": "#/definitions/license", ...of3("License", "license") },
    base: { name: "MIT" },
    place: (license, version) => document(version, { info: { license } }),
  },
  {
    name: "server",
    definitions: of3("Server", "server"),
    base: { url: "https://a.example.com" },
    place: (server, version) => document(version, { servers: [server] }),
  },
  {
    name: "server variable",
    definitions: of3("ServerVariable", "server-variable"),
    base: { default: "eu" },
    place: (v, version) =>
      document(version, { servers: [{ url: "https://{v}.example.com", variables: { v } }] }),
  },
  {
    name: "tag",
    definitions: { "2.0": "#/definitions/tag", ...of3("Tag", "tag") },
    base: { name: "Things", description: "About" },
    place: (tag, version) => document(version, { tags: [tag] }, { tags: [tag.name] }),
  },
  {
    name: "external docs",
    definitions: {
      "2.0": "#/definitions/externalDocs",
      ...of3("ExternalDocumentation", "external-documentation"),
    },
    base: { url: "https://e.example.com" },
    place: (externalDocs, version) => document(version, {}, { externalDocs }),
  },
  {
    name: "path item",
    definitions: { "2.0": "#/definitions/pathItem", ...of3("PathItem", "path-item") },
    base: {},
    place: (item, version) => document(version, {}, {}, item),
  },
  {
    name: "operation",
    definitions: { "2.0": "#/definitions/operation", ...of3("Operation", "operation") },
    base: {},
    place: (operation, version) => document(version, {}, operation),
  },
  parameterIn("query", { schema: list, example: ["a/b", "c"] }),
  parameterIn("header", { schema: fields }),
  parameterIn("cookie", { schema: list }),
  {
    name: "request body",
    definitions: of3("RequestBody", "request-body"),
    base: { content: { "text/plain": {} } },
    place: (requestBody, version) => document(version, {}, { requestBody }),
  },
  {
    name: "media type",
    definitions: of3("MediaType", "media-type"),
    base: {},
    place: (media, version) => document(version, {}, jsonBody(media)),
  },
  {
    name: "encoding",
    definitions: of3("Encoding", "encoding"),
    base: {},
    place: (encoding, version) => document(version, {}, formBody(encoding)),
  },
  {
    name: "response",
    definitions: { "2.0": "#/definitions/response", ...of3("Response", "response") },
    base: { description: "Fine" },
    place: (response, version) => document(version, {}, { responses: { 200: response } }),
  },
  {
    name: "header",
    definitions: of3("Header", "header"),
    base: { schema: list },
    place: (header, version) =>
      document(version, {}, { responses: { 200: { description: "Fine", headers: { "X-It": header } } } }),
  },
  {
    name: "example",
    definitions: of3("Example", "example"),
    base: { value: "first" },
    place: (example, version) =>
      document(version, {}, jsonBody({ examples: { one: example, two: { value: "second" } } })),
  },
  {
    name: "link",
    definitions: of3("Link", "link"),
    base: { operationId: "other" },
    place: (link, version) =>
      document(version, {}, { responses: { 200: { description: "Fine", links: { next: link } } } }),
  },
  scheme({ type: "apiKey", name: "K", in: "header" }),
  scheme({ type: "http", scheme: "bearer" }),
  scheme({ type: "openIdConnect", openIdConnectUrl: "https://o.example.com/x" }),
  flow("implicit", "ImplicitOAuthFlow", "implicit", { authorizationUrl: token }),
  flow("password", "PasswordOAuthFlow", "password", { tokenUrl: token }),
  flow("clientCredentials", "ClientCredentialsFlow", "client-credentials", { tokenUrl: token }),
  flow("authorizationCode", "AuthorizationCodeOAuthFlow", "authorization-code", {
    authorizationUrl: token,
    tokenUrl: token,
  }),
  {
    name: "reference",
    definitions: { "3.1": "#/$defs/reference", "3.2": "#/$defs/reference" },
    base: { $ref: "#/components/responses/R" },
    place: (ref, version) =>
      document(
        version,
        { components: { responses: { R: { description: "Fine" } } } },
        { responses: { 200: ref } },
      ),
  },
  ...["header", "query"].map(
    (place): Host => ({
      name: `${place} parameter`,
      definitions: { "2.0": `#/definitions/${place}ParameterSubSchema` },
      base: { name: "it", in: place, type: "array", items: { type: "string" } },
      place: (node, version) => document(version, {}, { parameters: [pathId(version), node] }),
    }),
  ),
  {
    name: "body parameter",
    definitions: { "2.0": "#/definitions/bodyParameter" },
    base: { name: "it", in: "body", schema: {} },
    place: (node, version) => document(version, {}, { parameters: [pathId(version), node] }),
  },
  {
    name: "header",
    definitions: { "2.0": "#/definitions/header" },
    base: { type: "string" },
    place: (header, version) =>
      document(version, {}, { responses: { 200: { description: "Fine", headers: { "X-It": header } } } }),
  },
];

/** Values that the specification's schema can't tell. */
const explodes: Record<string, boolean | undefined> = { "header parameter": true, header: true };

const givenValues: Record<string, (mark: string) => unknown> = {
  example: (mark) => mark,
  examples: (mark) => ({ one: { value: mark }, two: { value: "second" } }),
  schema: (mark) => ({ type: "string", description: `About ${mark}` }),
  itemSchema: (mark) => ({ type: "string", description: `About ${mark}` }),
  default: (mark) => mark,
  termsOfService: (mark) => `https://${mark}.example.com/`,
  schemes: () => ["http"],
  enum: (mark) => [mark, "other"],
  value: (mark) => mark,
  dataValue: (mark) => mark,
  type: () => "integer",
  requestBody: (mark) => mark,
  scopes: (mark) => ({ [mark]: `About ${mark}` }),
  parameters: (mark) => ({ [mark]: "$request.query.a" }),
};

/** Keys whose values are other objects with rows of their own, or which determine where an object is. */
/** Styles that aren't the default of a place. Headers have only one. */
const styles: Record<string, string | undefined> = {
  "query parameter": "pipeDelimited",
  encoding: "pipeDelimited",
};

const identifying = new Set(["in", "name", "$ref", "openIdConnectUrl"]);

for (const host of hosts)
  for (const version of versions) {
    const definition = host.definitions[version];
    if (definition === undefined) continue;
    const baseline = addDocument(host.place(host.base, version));
    for (const [key, schema] of keysOf(version, definition)) {
      if (identifying.has(key) || (key in host.base && host.name.includes("scheme"))) continue;
      const mark = nextMark();
      const isGiven =
        key in givenValues &&
        !(key === "parameters" && host.name !== "link") &&
        !(key === "requestBody" && host.name !== "link") &&
        !(key === "examples" && version === "2.0");
      const value =
        key === "style"
          ? styles[host.name]
          : key === "explode"
            ? (explodes[host.name] ?? false)
            : key === "collectionFormat"
              ? "pipes"
              : isGiven
                ? givenValues[key]!(mark)
                : valueFor(version, schema, mark);
      const name = `${version} ${host.name}.${key}`;
      if (value === undefined) {
        structural.push(name);
        continue;
      }

      const node = { ...host.base, [key]: value };
      if (key === "example" || key === "examples") delete node[key === "example" ? "examples" : "example"];
      if (key === "operationRef") delete node.operationId;
      const id = addDocument(host.place(node, version));
      rows.push({ name, id, baseline, mark: JSON.stringify(value).includes(mark) ? mark : undefined });
    }
  }

const schemaPlaces: [name: string, place: (schema: Node, version: Version) => Node][] = [
  [
    "body field",
    (it, version) => document(version, shared, jsonBody({ schema: { type: "object", properties: { it } } })),
  ],
  [
    "response field",
    (it, version) =>
      document(version, shared, {
        responses: {
          200: {
            description: "Fine",
            content: { "application/json": { schema: { type: "object", properties: { it } } } },
          },
        },
      }),
  ],
  ["body", (schema, version) => document(version, shared, jsonBody({ schema }))],
  [
    "parameter",
    (schema, version) =>
      document(version, shared, { parameters: [pathId(version), { name: "it", in: "query", schema }] }),
  ],
];
const shared = { components: { schemas: { Shared: { type: "string", description: "Shared text" } } } };

for (const version of ["3.0", "3.1"] as const)
  for (const [place, put] of schemaPlaces)
    for (const { name, schema, without, mark, shown } of schemaKeywords(version, nextMark))
      rows.push({
        name: `${version} ${place} ${name}`,
        id: addDocument(put(schema, version)),
        baseline: addDocument(put(without, version)),
        mark,
        shown,
      });

type Part = "page" | "Markdown" | "text in page" | "text in Markdown" | "search";
const everywhere: Part[] = ["page", "Markdown", "text in page", "text in Markdown", "search"];
const nowhereIn: Part[] = ["page", "Markdown"];

/** Keys that aren't in some of the outputs, with the reason. They are documented in docs/apis/limits.mdx. */
const exceptions: [reason: string, rows: RegExp, parts: Part[]][] = [
  [
    "search reads texts, not the URLs of links",
    /(?:termsOfService|license\.url|external docs\.url)$/,
    ["search"],
  ],
  [
    "the navigation shows the tags of a page and their parents",
    /(?:tag\.(?:parent|kind)|operation\.tags)$/,
    everywhere,
  ],
  ["the operationId is only in Markdown, and found by search", /operationId$/, ["page", "text in page"]],
  ["how a header of a response is written", /\d header\.(?:explode|collectionFormat)$/, nowhereIn],
  ["headers have one format for lists", /header parameter\.collectionFormat$/, nowhereIn],
  ["isn't in the text of the specification", /media type\.description$/, everywhere],
  ["only affects samples of XML", / xml$/, everywhere],
  ["only affects references", /\$(?:id|schema|anchor|dynamicAnchor|vocabulary|comment|defs)$/, everywhere],
];

const isExcepted = (name: string, part: Part) =>
  exceptions.some(([, pattern, parts]) => pattern.test(name) && parts.includes(part));

let site: BuiltSite;
let texts: Map<string, { html: string; markdown: string; reported: string[] }>;
let found: Map<string, boolean>;

beforeAll(async () => {
  const ids = [...added.values()];
  site = await buildSiteFrom({
    "docs.json": JSON.stringify({
      theme: "mint",
      name: "Acme",
      colors: { primary: "#0D9373" },
      navigation: {
        groups: ids.map((id) => ({ group: id, openapi: { source: `${id}.json`, directory: id } })),
      },
    }),
    ...sources,
  });
  texts = new Map(ids.map((id) => [id, { html: "", markdown: "", reported: [] }]));
  for (const path of site.paths) {
    const text = texts.get(path.split("/")[0]!);
    if (!text) continue;
    if (path.endsWith(".md")) text.markdown += site.read(path);
    if (path.endsWith(".html")) text.html += textOf(site.read(path));
  }

  for (const text of texts.values()) text.markdown = text.markdown.replace(idPattern, "");
  for (const { file, message } of site.problems)
    texts.get(file.replace(/\.json$/, ""))?.reported.push(message);
  const index = await openIndex(site);
  found = new Map();
  for (const { mark, id } of rows)
    if (mark !== undefined) {
      const { hits } = await index.search({ text: mark, limit: 3 });
      found.set(
        mark,
        hits.some(({ route }) => route.startsWith(`${id}/`)),
      );
    }
}, 300_000);

describe("keys of the specification", () => {
  test("have an effect or are reported", () => {
    const lost: string[] = [];
    for (const { name, id, baseline, mark, shown } of rows) {
      const [it, before] = [texts.get(id)!, texts.get(baseline)!];
      if (it.reported.some((message) => !before.reported.includes(message))) continue;
      const parts: (Part | false)[] = [
        it.html === before.html && "page",
        it.markdown === before.markdown && "Markdown",
        mark !== undefined && !it.html.toLowerCase().includes(mark) && "text in page",
        mark !== undefined && !it.markdown.toLowerCase().includes(mark) && "text in Markdown",
        shown !== undefined && !it.html.includes(shown) && "text in page",
        shown !== undefined && !it.markdown.includes(shown) && "text in Markdown",
        mark !== undefined && found.get(mark) === false && "search",
      ];
      const missing = parts.filter((part) => part !== false && !isExcepted(name, part));
      if (missing.length) lost.push(`${name}: ${missing.join(", ")}`);
    }

    expect(lost).toEqual([]);
  });

  test("are all read, except those whose values are other objects", () => {
    const keys = [...new Set(structural.map((name) => name.replace(/^\S+ .*\./, "")))].sort();
    expect(rows.length).toBeGreaterThan(700);
    expect(keys).toEqual(
      "additionalOperations callbacks consumes contact content delete encoding examples exclusiveMaximum exclusiveMinimum externalDocs flows get head headers itemEncoding items license links options parameters patch post prefixEncoding produces put query requestBody responses security server servers style trace variables".split(
        " ",
      ),
    );
  });
});
