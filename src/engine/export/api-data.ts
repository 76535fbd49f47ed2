/** Adds the files that playgrounds load: one for each page, and the document's components in parts that pages share. */

import type { Access } from "../../base/access.ts";
import { byCodePoint } from "../../base/files.ts";
import { parseUrl } from "../../base/url.ts";
import { apiFolder, proxyTablePath } from "../../layout/site-layout.ts";
import type { ApiDocument } from "../openapi/api-document.ts";
import { referencesIn } from "../openapi/inspect-document.ts";
import { type Server, serversOf } from "../openapi/operation.ts";
import type { OperationData } from "../openapi/operation-data.ts";
import type { OperationEntry } from "../openapi/operation-list.ts";
import { child, isRaw, type Located, own, pointerKeys, type Raw } from "../openapi/refs.ts";
import type { Site } from "../site/build-site.ts";
import { hashOf } from "../site/page-cache.ts";
import { type ApiSettings, playgroundOf, sampleLanguagesOf } from "../site/playground-mode.ts";
import { isExternalPage, type Page } from "../site/site-page.ts";
import { type Audiences, hostOnly, suffixOf } from "./audiences.ts";
import type { AddFile } from "./export-target.ts";

/** Maximum number of characters of several components in one file. A larger component has its own file. */
const componentsPart_chars = 32_000;

/** A page's playground and the files that it loads. */
export interface Playground {
  /** Path of the file with the page's operation. */
  operation: string;
  /** Path of the folder with the document's components (numbered files and `index.js`), with a trailing slash. */
  components: string;
  access: Access;
  data: OperationData;
  servers: readonly Server[];
}

/** Finds the playgrounds of a site's pages. Memoized by page. */
export class Playgrounds {
  private readonly site: Site;
  private readonly audiences: Audiences;
  private readonly known = new Map<Page, Playground | undefined>();

  constructor(site: Site, audiences: Audiences) {
    this.site = site;
    this.audiences = audiences;
  }

  /** The playground of a page; undefined if the page has none. */
  of(page: Page): Playground | undefined {
    if (!this.known.has(page)) this.known.set(page, this.find(page));
    return this.known.get(page);
  }

  private find(page: Page): Playground | undefined {
    const { reference } = page;
    if (reference?.kind !== "operation" || isExternalPage(page)) return undefined;
    const { document, entry } = reference;
    const { config, hasSignIn } = this.site;
    const api = config.settings.api ?? {};
    const item = document.refs.follow(entry.pathItem)!;
    const servers = serversOf(entry.node.value, item.value, document.root);
    const mode = playgroundOf(page.frontmatter, { api, hasSignIn }, { kind: entry.kind, servers });
    if (mode === "none") return undefined;
    const access = this.audiences.ofPlayground(page);
    // Each access has its own folder, so that readers can't find schemas of pages that they may not read.
    const components = apiFolder(documentId(document) + suffixOf(access));
    return {
      operation: `${components}operation-${hashOf(page.route).slice(0, 10)}.js`,
      components,
      access,
      data: operationData(document, entry, item, mode, api),
      servers,
    };
  }
}

function documentId({ file }: ApiDocument): string {
  const stem = file
    .split("/")
    .at(-1)!
    .replace(/\.\w+$/, "")
    .replace(/[^A-Za-z0-9_-]+/g, "-")
    .slice(0, 40);
  return `${stem || "api"}-${hashOf(file).slice(0, 8)}`;
}

export function addApiData(site: Site, playgrounds: Playgrounds, add: AddFile): void {
  const byFolder = new Map<string, { document: ApiDocument; access: Access; references: Set<string> }>();
  const targets: Record<string, string[]> = {};
  for (const page of site.pages.values()) {
    const playground = playgrounds.of(page);
    if (!playground) continue;
    const { operation, components, access, data, servers } = playground;
    add(operation, () => `octavoOperation(${inScript(data)})\n`, access);
    const shared = byFolder.get(components) ?? { document: page.reference!.document, access, references: new Set() };
    byFolder.set(components, shared);
    for (const ref of referencesIn(data.root)) shared.references.add(ref);
    // The proxy rejects requests from other playgrounds: those that don't send requests, or send them from the browser.
    if (data.settings.mode === "interactive" && data.settings.proxy) targets[operation] = serverOrigins(servers);
  }
  for (const [folder, { document, access, references }] of byFolder)
    addComponents(document, folder, references, (path, make) => add(path, make, access));
  if (byFolder.size) add(proxyTablePath, () => `${JSON.stringify(targets)}\n`, hostOnly);
}

/** Adds files with all reachable components. Components are sorted by pointer, so that a browser can find the file of a node. */
function addComponents(
  document: ApiDocument,
  folder: string,
  references: ReadonlySet<string>,
  add: (path: string, make: () => string) => void,
): void {
  const reached = new Map<string, string>();
  const waiting = [...references];
  for (const ref of waiting) {
    const node = reached.has(ref) ? undefined : document.refs.at(ref);
    if (!node) continue;
    const value = withoutExamples(node.value, ref.startsWith("#/components/responses/"));
    reached.set(ref, inScript(value));
    waiting.push(...referencesIn(value));
  }
  const firstPointers: string[] = [];
  let part: string[] = [];
  let size = 0;
  const flush = () => {
    const number = firstPointers.length - 1;
    const entries = part;
    if (entries.length) add(`${folder}${number}.js`, () => `octavoComponents(${number},{${entries.join(",\n")}})\n`);
    part = [];
    size = 0;
  };
  for (const [ref, text] of [...reached].sort(([a], [b]) => byCodePoint(a, b))) {
    if (part.length && size + text.length > componentsPart_chars) flush();
    if (part.length === 0) firstPointers.push(ref);
    part.push(`${inScript(ref)}:${text}`);
    size += text.length;
  }
  flush();
  add(`${folder}index.js`, () => `octavoChunks(${inScript(firstPointers)})\n`);
}

function operationData(
  document: ApiDocument,
  entry: OperationEntry,
  item: Located,
  mode: OperationData["settings"]["mode"],
  api: ApiSettings,
): OperationData {
  const isAdditional = child(item, entry.method) === undefined;
  const operation = withoutExamples(leanOperation(entry.node.value), false);
  const pathItem: Raw = {
    ...picked(item.value, ["parameters", "servers"]),
    ...(isAdditional ? { additionalOperations: { [entry.method]: operation } } : { [entry.method]: operation }),
  };
  const schemes = own(own(document.root, "components"), "securitySchemes");
  const root: Raw = {
    ...picked(document.root, ["openapi", "servers", "security"]),
    ...(schemes === undefined ? {} : { components: { securitySchemes: schemes } }),
  };
  setAtPointer(root, pointerKeys(item.pointer)!, pathItem);
  return {
    root,
    pathItem: item.pointer,
    method: entry.method,
    path: entry.path,
    kind: entry.kind,
    settings: {
      mode,
      proxy: api.playground?.proxy !== false,
      credentials: api.playground?.credentials === true,
      prefill: api.examples?.prefill === true,
      languages: [...sampleLanguagesOf(api)],
      optional: api.examples?.defaults !== "required",
    },
  };
}

/** Fields of an operation that a playground does not need. */
const displayOnly = new Set([
  "description",
  "externalDocs",
  "tags",
  "callbacks",
  "x-codeSamples",
  "x-code-samples",
  "x-platform",
  "x-mint",
]);

function leanOperation(node: unknown): Raw {
  return Object.fromEntries(Object.entries(node as Raw).filter(([key]) => !displayOnly.has(key)));
}

/** Removes the examples and links of responses, which can be long and are not used by playgrounds. */
function withoutExamples(node: unknown, isResponse: boolean): unknown {
  if (Array.isArray(node) || !isRaw(node)) return node;
  const lean = (response: unknown): unknown => {
    const content = own(response, "content");
    if (!isRaw(response) || !isRaw(content)) return response;
    const media = Object.entries(content).map(([type, value]) => [type, picked(value, ["schema", "itemSchema", "$ref"])]);
    const { links: _, ...rest } = response;
    return { ...rest, content: Object.fromEntries(media) };
  };
  if (isResponse) return lean(node);
  const { responses } = node;
  return isRaw(responses)
    ? { ...node, responses: Object.fromEntries(Object.entries(responses).map(([status, response]) => [status, lean(response)])) }
    : node;
}

function picked(node: unknown, keys: readonly string[]): Raw {
  return Object.fromEntries(keys.flatMap((key) => (own(node, key) === undefined ? [] : [[key, own(node, key)]])));
}

/** Sets the value at a pointer. Defines own properties, since the keys come from a document and can be `__proto__`. */
function setAtPointer(root: Raw, keys: readonly string[], value: Raw): void {
  let at: Raw = root;
  for (const [index, key] of keys.entries()) {
    const below = index === keys.length - 1 ? value : { ...(isRaw(own(at, key)) ? (own(at, key) as Raw) : {}) };
    Object.defineProperty(at, key, { value: below, enumerable: true, writable: true, configurable: true });
    at = below;
  }
}

/** Origins that playgrounds call from the browser: those of servers and token URLs, and `https:` for OpenID Connect. A variable at the start of a host name becomes `*`. */
export function calledHosts(site: Site, playgrounds: Playgrounds): Set<string> {
  const hosts = new Set<string>();
  for (const page of site.pages.values()) {
    const playground = playgrounds.of(page);
    if (!playground) continue;
    const { data, servers } = playground;
    for (const origin of serverOrigins(servers)) hosts.add(origin);
    for (const { url } of servers) {
      const [, scheme, rest] = /^(https?):\/\/\{[^{}]+\}(\.[\w.-]+\.\w+(?::\d+)?)/i.exec(url) ?? [];
      if (rest) hosts.add(`${scheme}://*${rest}`);
    }
    const schemes = own(own(data.root, "components"), "securitySchemes");
    for (const scheme of isRaw(schemes) ? Object.values(schemes) : []) {
      // The URL of the token endpoint is only in the provider's metadata, so all hosts are allowed.
      if (own(scheme, "type") === "openIdConnect") hosts.add("https:");
      const flows = own(scheme, "flows");
      for (const flow of isRaw(flows) ? Object.values(flows) : [])
        for (const key of ["tokenUrl", "refreshUrl"]) hosts.add(parseUrl(String(own(flow, key)))?.origin ?? "");
    }
  }
  return hosts;
}

/** Origins of servers, with all values of their variables: at most 100 combinations per server. */
function serverOrigins(servers: readonly Server[]): string[] {
  const origins = servers.flatMap(({ url, variables }) => {
    let urls = [url];
    for (const { name, enum: values, default: value } of variables)
      urls = urls
        .flatMap((text) =>
          text.includes(`{${name}}`) ? (values.length ? values : [value]).map((filled) => text.replaceAll(`{${name}}`, filled)) : text,
        )
        .slice(0, 100);
    return urls.flatMap((text) => parseUrl(text)?.origin ?? []);
  });
  return [...new Set(origins)].filter((origin) => /^https?:/.test(origin));
}

/** Writes a value as a literal that is safe in a script, and in which `__proto__` is an ordinary key. */
function inScript(value: unknown): string {
  return JSON.stringify(value)
    .replace(/</g, "\\u003c")
    .replace(/\u2028/g, "\\u2028")
    .replace(/\u2029/g, "\\u2029")
    .replace(/(?<!\\)"__proto__":/g, '["__proto__"]:');
}
