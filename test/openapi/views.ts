/**
 * What each view of an operation says: its head, servers, security, parameters, the fields of its body and its
 * responses, as lines of text. One function per view reads it, without the product's reader.
 */

import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import { unescapeHtml } from "../../src/base/html-text.ts";
import { inputsOf } from "../../src/browser/playground/draft.ts";
import { firstDraft } from "../../src/browser/playground/first-draft.ts";
import { messagesOf } from "../../src/engine/i18n/locales.ts";
import { checkRequest } from "../../src/engine/openapi/check/check-contract.ts";
import { initialInputs } from "../../src/engine/openapi/check/initial-inputs.ts";
import { type ApiDocument, readDocument } from "../../src/engine/openapi/document/api-document.ts";
import type { Refs } from "../../src/engine/openapi/nodes/refs.ts";
import { type Operation, readOperation } from "../../src/engine/openapi/request/operation.ts";
import type { OperationEntry } from "../../src/engine/openapi/request/operation-list.ts";
import { buildRequest } from "../../src/engine/openapi/request/request.ts";
import { type HttpRequest, parameterKey } from "../../src/engine/openapi/request/request-model.ts";
import { viewOf } from "../../src/engine/openapi/schema/schema-view.ts";
import { operationMarkdown } from "../../src/engine/reference/markdown.ts";
import { renderOperation } from "../../src/engine/reference/operation-page.tsx";
import { type OpenApiOperation, readOpenApi } from "../../src/main/engine.ts";
import { contextOf } from "../engine/reference-page.ts";
import { FactWalker, itemsOf } from "./document-facts.ts";

// biome-ignore lint/suspicious/noExplicitAny: documents are untyped.
type Node = any;

/**
 * Kinds of lines. `security`: the credentials of each alternative, with their scopes. `schemes`: the keys of
 * schemes that need a credential. `credentials`: where a request has the credentials of each alternative.
 * `base`: URL of a request before its path.
 */
const kinds = [
  ..."heads deprecated texts servers base security schemes credentials".split(" "),
  ..."parameters names required fields bodies responses".split(" "),
];

/** Lines of a view by kind. A view has only the kinds that it can say something about. */
type View = Record<string, string[]>;

const places: Record<string, string> = {
  "Path parameters": "path",
  "Query parameters": "query",
  Headers: "header",
  Cookies: "cookie",
  Path: "path",
  Query: "query",
  Body: "body",
};

/** A name in a place, with `required` if it is. */
const line = (place: string, name: string, isRequired: boolean) =>
  `${place} ${name}${isRequired ? " required" : ""}`;

/** What the document says. `item` and `node`: the path item and the operation. */
function documentView(walker: FactWalker, { root, item, node, entry }: DescribedOperation): View {
  const own: Node[] = (node.parameters ?? []).map((one: Node) => walker.resolve(one));
  const isSame = (one: Node, other: Node) =>
    one?.in === other?.in &&
    (one?.in === "header" ? one.name.toLowerCase() === other.name.toLowerCase() : one?.name === other?.name);
  const shared: Node[] = (item.parameters ?? []).map((one: Node) => walker.resolve(one));
  const all = [...shared.filter((one) => !own.some((other) => isSame(one, other))), ...own].filter(
    (one) => one?.name && !(one.in === "header" && /^(?:accept|content-type|authorization)$/i.test(one.name)),
  );
  const isRequired = (one: Node) => one.required === true || one.in === "path";
  const placeOf = (one: Node) => (one.in === "querystring" ? "query" : one.in);
  const body = walker.resolve(node.requestBody);
  const texts = (key: string) => [node[key] || item[key]].flatMap((text) => (text ? `${key} ${text}` : []));
  return {
    heads: [headLine(entry)],
    deprecated: node.deprecated === true ? ["yes"] : [],
    texts: [
      ...(node.operationId ? [`operationId ${node.operationId}`] : []),
      ...texts("summary"),
      ...texts("description"),
      ...(node.tags ?? []).map((tag: string) => `tag ${tag}`),
    ],
    ...serverLines(root, item, node, entry.kind),
    ...securityLines(walker, root, node, entry.kind),
    parameters: all.map((one) => line(placeOf(one), one.name, isRequired(one))),
    names: all.map((one) => `${placeOf(one)} ${one.name}`),
    required: [
      ...all.filter(isRequired).map((one) => `${placeOf(one)} ${one.name}`),
      ...(body?.required === true ? ["body"] : []),
    ],
    bodies: Object.keys(body?.content ?? {}),
    responses: Object.entries(node.responses ?? {})
      .filter(([status]) => !status.startsWith("x-"))
      .flatMap(([status, response]) => [
        status,
        ...Object.keys(walker.resolve(response as Node)?.content ?? {}).map((type) => `${status} ${type}`),
      ]),
  };
}

interface DescribedOperation {
  /** The document as OpenAPI 3. */
  root: Node;
  item: Node;
  node: Node;
  entry: OperationEntry;
}

const headLine = ({ kind, method, path }: Pick<OperationEntry, "kind" | "method" | "path">) =>
  kind === "webhook" ? `WEBHOOK ${path}` : `${method.toUpperCase()} ${path}`;

function serverLines(root: Node, item: Node, node: Node, kind: OperationEntry["kind"]): View {
  if (kind === "webhook") return { servers: [], base: [""] };
  const servers: Node[] = (node.servers ?? item.servers ?? root.servers ?? []).filter(
    (server: Node) => typeof server?.url === "string",
  );
  // Relative URLs are relative to the document, which is at the top of the site.
  const urls = servers.map(({ url }) => (/^(?:\w+:|\/|\{)/.test(url) ? url : `/${url.replace(/^\.\//, "")}`));
  const variables: [string, Node][] = Object.entries(servers[0]?.variables ?? {});
  const base = variables.reduce(
    (url, [name, variable]) => url.replaceAll(`{${name}}`, String(variable?.default ?? variable?.enum?.[0])),
    urls[0] ?? "",
  );
  return { servers: urls, base: [base.replace(/\/$/, "")] };
}

/** Returns where the credential of a scheme is: `header Authorization`. Undefined if a request has none. */
function credentialPlace(scheme: Node): string | undefined {
  const type = scheme?.type?.toLowerCase();
  if (type === "apikey") return `${scheme.in} ${scheme.name}`;
  return ["http", "basic", "oauth2", "openidconnect"].includes(type) ? "header Authorization" : undefined;
}

function securityLines(walker: FactWalker, root: Node, node: Node, kind: OperationEntry["kind"]): View {
  const requirements: Node[] = node.security ?? (kind === "webhook" ? [] : root.security) ?? [];
  const alternatives = requirements.map((requirement) =>
    Object.entries(requirement as Record<string, string[]>).map(([key, scopes]) => ({
      key,
      scopes,
      place: credentialPlace(walker.resolve(root.components?.securitySchemes?.[key])),
    })),
  );
  return {
    security: alternatives.map((schemes) =>
      alternativeLine(schemes.map(({ key, scopes, place }) => [place ?? key, ...scopes].join(" "))),
    ),
    schemes: alternatives.map((schemes) =>
      alternativeLine(schemes.flatMap(({ key, place }) => (place === undefined ? [] : [key]))),
    ),
    credentials: alternatives.map((schemes) => alternativeLine(schemes.flatMap(({ place }) => place ?? []))),
  };
}

const alternativeLine = (credentials: string[]) => [...new Set(credentials)].sort().join(" + ") || "none";

/** What the page says. */
function pageView(html: string): View {
  const view = emptyView();
  const head = html.slice(0, html.indexOf('<section class="o-part">'));
  const bar = /class="o-method[^"]*">([^<]*)<\/span><code class="o-endpoint-path">(.*?)<\/code>/s.exec(head)!;
  view.heads.push(unescapeHtml(`${bar[1]} ${bar[2]!.replace(/<[^>]*>/g, "")}`));
  const servers = /<div class="o-servers">(.*)/s.exec(head)?.[1] ?? "";
  const listed = [...servers.matchAll(/<option value="([^"]*)"/g)].map(([, url]) => url!);
  const only = /<\/span><code>([^<]*)/.exec(servers)?.[1];
  view.servers.push(...(only === undefined ? listed : [only]).map(unescapeHtml));
  for (const section of html.split('<section class="o-part">').slice(1)) {
    const title = unescapeHtml(/<h2[^>]*>([^<]*)/.exec(section)?.[1] ?? "");
    if (title === "Responses")
      for (const response of section.split('<p class="o-tab-title"><i class="o-dot').slice(1)) {
        const status = /<\/i>([^\s<]*)/.exec(response)![1]!;
        view.responses.push(status, ...mediaTypes(response).map((type) => `${status} ${type}`));
      }
    if (title === "Authorization") view.security.push(...shownAlternatives(section));
    const place = places[title];
    if (place === "body") view.bodies.push(...mediaTypes(section));
    if (place)
      for (const field of fieldsIn(section, place === "body"))
        view[place === "body" ? "fields" : "parameters"].push(line(place, field.name, field.isRequired));
  }
  return view;
}

/** Returns the alternatives in the section of credentials. */
function shownAlternatives(section: string): string[] {
  const panels = section.includes('class="o-tab-title"')
    ? section.split('class="o-tab-title"').slice(1)
    : [section];
  return panels.map((panel) =>
    alternativeLine(
      panel
        .split('<div class="o-field field"')
        .slice(1)
        .map((field) => {
          const part = (pattern: RegExp) => pattern.exec(field)?.[1];
          const scopes = part(/<p class="o-choices">(.*?)<\/p>/s) ?? "";
          return unescapeHtml(
            [
              part(/o-field-pill">([^<]*)/),
              part(/o-field-name">([^<]*)/),
              ...[...scopes.matchAll(/<code>([^<]*)/g)].map(([, scope]) => scope),
            ]
              .filter((text) => text !== undefined)
              .join(" "),
          );
        }),
    ),
  );
}

const emptyView = () => ({
  heads: [] as string[],
  servers: [] as string[],
  security: [] as string[],
  parameters: [] as string[],
  fields: [] as string[],
  bodies: [] as string[],
  responses: [] as string[],
});

/** Returns the only media type of a body, or those to choose from. */
function mediaTypes(html: string): string[] {
  const choice = /aria-label="Media type">(.*?)<\/select>/s.exec(html)?.[1];
  const only = /class="o-media">([^<]*)/.exec(html)?.[1];
  const types =
    choice === undefined
      ? only === undefined
        ? []
        : [only]
      : [...choice.matchAll(/<option[^>]*>([^<]*)/g)].map(([, type]) => type!);
  return types.map(unescapeHtml);
}

/** Returns the fields of a section. Without `nested`, those that aren't inside of others. */
function fieldsIn(section: string, nested: boolean): { name: string; isRequired: boolean }[] {
  const found: { name: string; isRequired: boolean }[] = [];
  const open: boolean[] = [];
  for (const { 0: tag, index } of section.matchAll(/<div\b[^>]*>|<\/div>/g)) {
    if (tag === "</div>") open.pop();
    else {
      const isField = tag.includes('class="o-field field"');
      if (isField && (nested || !open.includes(true))) {
        const head = section.slice(index, section.indexOf("</div>", index));
        const name = /class="o-field-name"[^>]*>(.*?)<\/(?:a|code)>/s.exec(head)![1]!;
        found.push({
          name: unescapeHtml(name.replace(/<[^>]*>/g, "")),
          isRequired: /<em>required<\/em>/.test(head),
        });
      }
      open.push(isField);
    }
  }
  return found;
}

/** What the Markdown says. */
function markdownView(markdown: string): View {
  const view = { ...emptyView(), deprecated: [] as string[] };
  const [head, ...parts] = markdown.split(/^## /m);
  view.heads.push(/^```http\n(.*)$/m.exec(head!)![1]!);
  if (head!.includes("\n**Deprecated**\n")) view.deprecated.push("yes");
  const servers = /^Base URL:\n\n((?: *- .*\n)+)/m.exec(head!)?.[1] ?? "";
  view.servers.push(...[...servers.matchAll(/^- `([^`]*)`/gm)].map(([, url]) => url!));
  for (const part of parts) {
    const title = /^(.*?)(?: \(required\))?$/m.exec(part)![1]!;
    if (title === "Authorization") view.security.push(...writtenAlternatives(part));
    const place = places[title];
    if (place)
      for (const [, indent, ticks, name, facts] of part.matchAll(/^( *)- (`+) ?(.+?) ?\2 \((.*)/gm))
        if (place === "body" || indent === "")
          view[place === "body" ? "fields" : "parameters"].push(
            line(place, name!, new RegExp(`${ticks} · required\\b`).test(facts!)),
          );
    if (place === "body") view.bodies.push(...writtenTypes(part));
    if (title === "Responses")
      for (const response of part.split(/^### /m).slice(1)) {
        const status = response.split(/[\s\n]/)[0]!;
        view.responses.push(status, ...writtenTypes(response).map((type) => `${status} ${type}`));
      }
  }
  return view;
}

/** Returns the alternatives in the lines of credentials. */
function writtenAlternatives(markdown: string): string[] {
  const lines = markdown.match(/^- .*/gm) ?? [];
  return lines.map((line) =>
    alternativeLine(
      line
        .slice(2)
        .split(/ \+ (?=`)/)
        .flatMap((credential) => {
          const found = /^`([^`]*)` \((.*?)\)/.exec(credential);
          if (!found) return [];
          const place = /, (header|query|cookie)\b/.exec(found[2]!)?.[1];
          const scopes = /: Scopes: (.*?)(?=: |$)/.exec(credential)?.[1];
          return [
            [place, found[1], ...(scopes?.split(", ") ?? [])].filter((text) => text !== undefined).join(" "),
          ];
        }),
    ),
  );
}

/** Returns the media types that lines of their own name. */
function writtenTypes(markdown: string): string[] {
  const lines = markdown.match(/^`[^`\s]+\/[^`]*`(?:, `[^`]*`)*$/gm) ?? [];
  return lines.flatMap((one) => [...one.matchAll(/`([^`]*)`/g)].map(([, type]) => type!));
}

/** The browser's code has a configuration of its own for TypeScript, so its components aren't typed here. */
const component = async (file: string, name: string) =>
  (await import(`../../src/browser/playground/${file}`))[name];
const RequestForm = await component("request-form.tsx", "RequestForm");
const AuthForm = await component("auth-form.tsx", "AuthForm");
const ServerSelect = await component("server-form.tsx", "ServerSelect");
const FormContext = await component("form-context.ts", "FormContext");

const nothing = () => undefined;

/**
 * Defines what the form reads of its page. Returns a function that removes it, since Mermaid takes a thread
 * with a document for a browser.
 */
export function useBrowserGlobals(): () => void {
  const globals = {
    document: { documentElement: { lang: "en" }, getElementById: () => null },
    location: { href: "https://docs.example.com/" },
  };
  Object.assign(globalThis, globals);
  return () => {
    for (const name of Object.keys(globals)) Reflect.deleteProperty(globalThis, name);
  };
}

/** What the playground's form says. */
function formView(operation: Operation, refs: Refs): View {
  const draft = firstDraft(operation, refs, formSettings, "");
  const { playground, constraints } = messagesOf("en");
  const form = h(RequestForm, {
    operation,
    request: buildRequest(operation, inputsOf(draft, operation, refs), refs),
    target: { text: "" },
    isCopyOnly: false,
    remember: false,
    setRemember: nothing,
    redirect: "",
    environments: { list: [], selected: undefined, isChanged: false } as never,
  });
  const value = {
    messages: { ...playground, constraints },
    refs,
    view: (schema: Parameters<typeof viewOf>[0]) => viewOf(schema, refs, "request"),
    draft,
    change: nothing,
    findings: new Map(),
    isSent: false,
  };
  const shown = (children: object, more: object = {}) =>
    renderToString(h(FormContext.Provider, { value: { ...value, ...more } as never, children } as never));
  const html = shown(form);
  const servers = [...shown(h(ServerSelect, { operation })).matchAll(/<option[^>]*>([^<]*)/g)].map(
    ([, text]) => unescapeHtml(text!.split(" · ").at(-1)!),
  );
  const alternatives = operation.security.map((_, alternative) => {
    const target = { text: "" };
    const auth = h(AuthForm, { operation, target, redirect: "" } as never);
    const fields = shown(auth, { draft: { ...draft, alternative } });
    const keys = [...fields.matchAll(/ id="o-pg-auth(?:\.([^".[]*)|\[&quot;(.*?)&quot;\])/g)];
    return alternativeLine(keys.map(([, key, quoted]) => unescapeHtml(key ?? quoted!)));
  });
  // The ids of inputs are paths, such as `query.filter.name` and `header["X-Name"]`.
  const ids = [...html.matchAll(/ id="o-pg-((?:path|query|querystring|header|cookie)[.[][^"]*)"/g)];
  return {
    names: ids.map(([, id]) => nameIn(unescapeHtml(id!).replace(/-(?:about|new)$/, ""))),
    ...(operation.servers.length > 1 ? { servers } : {}),
    schemes: alternatives,
  };
}

/** Returns the place and the name at the start of a path. */
function nameIn(path: string): string {
  const [, place, name, quoted] =
    /^(path|query|header|cookie)(?:string)?(?:\.([^.[]+)|\[("(?:[^"\\]|\\.)*")\])/.exec(path)!;
  return `${place} ${name ?? JSON.parse(quoted!)}`;
}

const formSettings = {
  mode: "interactive",
  proxy: false,
  credentials: false,
  languages: [] as string[],
  prefill: true,
  optional: true,
} as const;

/** What the checker requires of a request without any value. */
function checkerView(operation: Operation, refs: Refs): View {
  const findings = checkRequest(operation, { server: "", parameters: {}, credentials: [] }, refs);
  return {
    required: findings
      .filter(({ code }) => code === "required")
      .map(({ path, wanted }) =>
        path === "body" ? "body" : `${path.split(/[.[]/)[0]!.replace("querystring", "query")} ${wanted}`,
      ),
  };
}

/**
 * The server and credentials of requests, and the parameters whose value changes the request that samples show.
 * Each value is changed to a marked text, and back.
 */
function sampleView(operation: Operation, refs: Refs): View {
  const inputs = initialInputs(operation, refs, { optional: true });
  const names = operation.parameters.filter((parameter) => {
    const key = parameterKey(parameter);
    const parameters = { ...inputs.parameters, [key]: "qzmark" };
    return JSON.stringify(buildRequest(operation, { ...inputs, parameters }, refs)).includes("qzmark");
  });
  return {
    names: names.map(({ in: place, name }) => `${place.replace("querystring", "query")} ${name}`),
    base: [inputs.server.replace(/\/$/, "")],
    credentials: operation.security.map(({ schemes }) => {
      const credentials = schemes.map((scheme) => ({ scheme, value: "qzmark" }));
      return alternativeLine(markedPlaces(buildRequest(operation, { ...inputs, credentials }, refs)));
    }),
  };
}

/** Returns where a request has a marked text: `header Authorization`. */
function markedPlaces({ url, headers }: HttpRequest): string[] {
  const places = (pairs: Iterable<[string, string]>, place: string) =>
    [...pairs].flatMap(([name, value]) => (value.includes("qzmark") ? [`${place} ${name}`] : []));
  const cookies = headers.filter(([name]) => name === "Cookie").flatMap(([, value]) => value.split("; "));
  return [
    ...places(headers, "header").filter((one) => one !== "header Cookie"),
    ...places(new URLSearchParams(url.split("?").slice(1).join("?")), "query"),
    ...places(
      cookies.map((cookie) => [cookie.split("=")[0]!, cookie] as [string, string]),
      "cookie",
    ),
  ];
}

/** What the library `octavo/engine` says. */
function libraryView(operation: OpenApiOperation): View {
  const { operationId, summary, description, tags } = operation;
  return {
    heads: [headLine(operation)],
    deprecated: operation.deprecated ? ["yes"] : [],
    texts: [
      ...Object.entries({ operationId, summary, description }).flatMap(([key, text]) =>
        text ? [`${key} ${text}`] : [],
      ),
      ...tags.map((tag) => `tag ${tag}`),
    ],
  };
}

/**
 * Compares the views of all operations of a document. `root`: the document as OpenAPI 3. Returns the number of
 * operations and of facts, and the differences.
 */
export async function compareViews(root: Node, text: string) {
  const { document } = await readDocument("api.json", text);
  const library = (await readOpenApi(text)).document!.operations;
  const found = { operations: 0, facts: 0, different: [] as string[] };
  for (const [index, entry] of document!.operations.entries()) {
    const walker = new FactWalker(root);
    const item = walker.pathItem(itemsOf(root, entry.kind)[entry.path]);
    const node = item?.[entry.method] ?? item?.additionalOperations?.[entry.method];
    const views = viewsOf(document!, walker, { root, item, node, entry }, library[index]!);
    found.operations++;
    for (const kind of kinds) {
      const [first, ...others] = Object.entries(views).filter(([, view]) => view[kind] !== undefined);
      const expected = [...new Set(first![1][kind])].sort();
      found.facts += expected.length;
      for (const [name, view] of others) {
        const lines = [...new Set(view[kind])].sort();
        if (lines.join("\n") !== expected.join("\n"))
          found.different.push(
            `${entry.method} ${entry.path} ${kind}: ${name} has [${lines.filter((one) => !expected.includes(one))}], ${first![0]} has [${expected.filter((one) => !lines.includes(one))}]`,
          );
      }
    }
  }
  return found;
}

function viewsOf(
  document: ApiDocument,
  walker: FactWalker,
  described: DescribedOperation,
  library: OpenApiOperation,
): Record<string, View> {
  const { kind, pathItem, method, path } = described.entry;
  const context = contextOf(document.root, { showBaseUrl: true });
  const operation = readOperation(context.refs, pathItem, method, path, kind)!;
  const page = renderOperation(operation, context);
  return {
    document: documentView(walker, described),
    page: pageView(page.lead + page.html),
    Markdown: markdownView(operationMarkdown(operation, context)),
    library: libraryView(library),
    // The playground is for operations only.
    ...(kind === "operation"
      ? {
          form: formView(operation, context.refs),
          checker: checkerView(operation, context.refs),
          sample: sampleView(operation, context.refs),
        }
      : {}),
  };
}
