/** Which operations become pages, at which addresses, and where they stand in the navigation. */
import { type Problem, problem } from "../../base/problem.ts";
import { nearest, titleFromSlug } from "../../base/text.ts";
import type { Division, NavChild, OperationEntry as NavOperation } from "../config/division.ts";
import type { DocsConfig, PlaceOf } from "../config/docs-json.ts";
import { checkFrontmatter, type Frontmatter } from "../config/frontmatter.ts";
import type { ApiDocument } from "../openapi/document.ts";
import { platformExtension, texts } from "../openapi/extensions.ts";
import type { OperationEntry } from "../openapi/operation-list.ts";
import { child, children, isRaw, own, ownText } from "../openapi/refs.ts";
import { operationRoute } from "../openapi/slug.ts";
import { normalizePath } from "../paths.ts";
import { type ApiDocuments, type ApiSource, apiSources, operationText } from "./api-documents.ts";

/** One operation of one document. */
export interface OperationTarget {
  document: ApiDocument;
  entry: OperationEntry;
}

/** A page that no file of the folder holds. */
export interface GeneratedPage extends OperationTarget {
  route: string;
  frontmatter: Frontmatter;
  title: string;
}

export interface ApiPages {
  /** The navigation in which entries of operations are entries of pages. */
  navigation: Division;
  pages: GeneratedPage[];
  problems: Problem[];
}

const defaultDirectory = "api-reference";
const untaggedLabel = "API Reference";

/** `taken`: routes of the folder's own pages. */
export function planApiPages(
  { settings, navigation }: DocsConfig,
  documents: ApiDocuments,
  taken: ReadonlySet<string>,
  placeOf: PlaceOf,
): ApiPages {
  const planner = new Planner(documents, taken, placeOf);
  const planned = planner.division(navigation, { sources: apiSources(settings.api?.openapi), owner: undefined, version: undefined });
  return { navigation: planned, pages: [...planner.pages.values()], problems: planner.problems };
}

/** What a division hands down. */
interface Scope {
  sources: ApiSource[];
  /** The division that names the sources; undefined for `api.openapi`. */
  owner: Division | undefined;
  version: string | undefined;
}

class Planner {
  /** By document and operation: an operation that is listed twice keeps one page. */
  readonly pages = new Map<string, GeneratedPage>();
  readonly problems: Problem[] = [];
  private readonly documents: ApiDocuments;
  private readonly placeOf: PlaceOf;
  private readonly ownRoutes: ReadonlySet<string>;
  private readonly routes = new Set<string>();
  /** Divisions whose document an entry below relies on. */
  private readonly usedOwners = new Set<Division>();

  constructor(documents: ApiDocuments, taken: ReadonlySet<string>, placeOf: PlaceOf) {
    this.documents = documents;
    this.placeOf = placeOf;
    this.ownRoutes = new Set([...taken].map((route) => route.toLowerCase()));
  }

  division(from: Division, above: Scope): Division {
    const sources = apiSources(from.openapi);
    const version = from.kind === "version" ? from.label : above.version;
    const scope: Scope = sources.length ? { sources, owner: from, version } : { ...above, version };
    const before = from.children;
    const planned = before.flatMap((entry): NavChild[] => {
      if (entry.kind === "page") return [entry];
      if (entry.kind === "operation") return this.entry(entry, scope);
      return [this.division(entry, scope)];
    });
    const isPlain = before.every((entry) => entry.kind === "page" || entry.kind === "operation" || entry.kind === "group");
    if (sources.length === 0 || !isPlain || this.usedOwners.has(from)) return { ...from, children: planned };
    const hasPages = before.some((entry) => entry.kind === "page" || entry.kind === "operation");
    // A group's children are its pages, whether they are grouped again or not.
    if (hasPages || (from.kind === "group" && before.length > 0)) {
      this.problems.push(
        problem(
          "nav-openapi-default",
          this.placeOf([...from.path, "openapi"]),
          `${JSON.stringify(from.label || "navigation")} has pages and an OpenAPI document: no page is generated from ${sources.map(({ source }) => source).join(", ")}`,
        ),
      );
      return { ...from, children: planned };
    }
    return { ...from, children: [...planned, ...sources.flatMap((source, index) => this.bulk(source, from, version, index))] };
  }

  /** Pages for all operations of a document, grouped by their first tag. */
  private bulk(source: ApiSource, owner: Division, version: string | undefined, index: number): Division[] {
    const document = this.document(source.source, [...owner.path, "openapi", ...(Array.isArray(owner.openapi) ? [index] : [])]);
    if (!document) return [];
    const groups = new Map<string, NavChild[]>();
    for (const entry of document.operations) {
      const page = this.page({ document, entry }, source.directory, version, owner.path);
      if (!page) continue;
      const label = groupLabel(document, entry);
      const group = groups.get(label) ?? [];
      groups.set(label, group);
      if (!group.some((known) => known.kind === "page" && known.route === page.route))
        group.push({ kind: "page", route: page.route, path: owner.path });
    }
    return [...groups].map(([label, pages]) => ({
      kind: "group",
      label,
      hidden: false,
      searchable: false,
      isDefault: false,
      expanded: false,
      alignEnd: false,
      global: [],
      children: pages,
      path: owner.path,
    }));
  }

  private document(source: string, path: Division["path"]): ApiDocument | undefined {
    const found = this.documents.at(source);
    if (found === undefined)
      this.problems.push(
        problem(
          "openapi-missing",
          this.placeOf(path),
          `There is no OpenAPI document ${source}`,
          did(
            nearest(
              source,
              this.documents.all.map(({ file }) => file),
            ),
          ),
        ),
      );
    return found === "broken" ? undefined : found;
  }

  /** The page of an entry such as `GET /users`. */
  private entry(entry: NavOperation, scope: Scope): NavChild[] {
    const wanted = operationText(entry.text)!;
    const place = this.placeOf(entry.path);
    if (wanted.isLower)
      this.problems.push(problem("nav-operation-case", place, `${JSON.stringify(entry.text)} names its method in lower case`));
    const named: ApiSource | undefined = wanted.document === undefined ? undefined : { source: wanted.document };
    const sources = named ? [named] : scope.sources;
    if (sources.length === 0) {
      this.problems.push(problem("nav-operation", place, `No OpenAPI document is named for ${JSON.stringify(entry.text)}`));
      return [];
    }
    if (!named && scope.owner) this.usedOwners.add(scope.owner);
    const documents: ApiDocument[] = [];
    for (const source of sources) {
      const found = this.documents.at(source.source);
      if (found === "broken") return [];
      const document = found ?? (named && this.documents.named(source.source)[0]);
      if (!document) {
        if (named) this.document(source.source, entry.path);
        continue;
      }
      documents.push(document);
      const operation = findOperation(document, wanted);
      if (!operation) continue;
      const page = this.page({ document, entry: operation }, source.directory ?? directoryOf(document, scope), scope.version, entry.path);
      return page ? [{ kind: "page", route: page.route, path: entry.path }] : [];
    }
    if (documents.length) this.problems.push(problem("openapi-operation-missing", place, ...missing(documents, wanted)));
    return [];
  }

  private page(
    target: OperationTarget,
    directory: string | undefined,
    version: string | undefined,
    path: Division["path"],
  ): GeneratedPage | undefined {
    const { document, entry } = target;
    const key = `${document.file} ${entry.node.pointer}`;
    const known = this.pages.get(key);
    if (known) return known;
    const node = entry.node.value;
    if (own(node, "x-hidden") === true || own(node, "x-excluded") === true) return undefined;
    const extension = platformExtension(node);
    const summary = ownText(node, "summary")?.trim();
    const href = this.href(extension.href, document);
    const metadata = readMetadata(extension.metadata, (message) =>
      this.problems.push(problem("frontmatter-value", { file: document.file }, message)),
    );
    const folder = normalizePath("", directory ?? defaultDirectory) ?? defaultDirectory;
    const base = href?.route ?? operationRoute(folder, { ...entry, summary, tag: firstTag(entry) });
    if (this.ownRoutes.has(base.toLowerCase())) {
      this.problems.push(
        problem(
          "openapi-route-taken",
          this.placeOf(path),
          `The folder holds a page at /${base}, where ${entry.method.toUpperCase()} ${entry.path} of ${document.file} would be`,
        ),
      );
      return undefined;
    }
    let route = base;
    for (let n = 1; this.routes.has(route.toLowerCase()) || this.ownRoutes.has(route.toLowerCase()); n++) route = `${base}-${n}`;
    this.routes.add(route.toLowerCase());
    const title = metadata.title ?? (summary || titleFromSlug(route.split("/").at(-1)!));
    const groups = groupsOf(target);
    const page: GeneratedPage = {
      ...target,
      route,
      title,
      frontmatter: {
        ...(href?.route === undefined ? {} : { sidebarTitle: titleFromSlug(href.route.split("/").at(-1)!) }),
        ...(version === undefined ? {} : { version }),
        ...(own(node, "deprecated") === true ? { deprecated: true } : {}),
        ...metadata,
        ...(groups ? { groups } : {}),
        ...(href?.url === undefined ? {} : { url: href.url }),
        title,
        openapi: `${document.isRemote ? "" : "/"}${document.file} ${entry.kind === "webhook" ? "webhook" : entry.method.toLowerCase()} ${entry.path}`,
      },
    };
    this.pages.set(key, page);
    return page;
  }

  /** An address inside of the site becomes the page's route; one elsewhere takes the page's place in the navigation. */
  private href(value: unknown, { file }: ApiDocument): { route?: string; url?: string } | undefined {
    if (typeof value !== "string" || value.trim() === "") return undefined;
    const text = value.trim();
    if (/^https?:\/\/[^\s/]/i.test(text)) return { url: text };
    const route = /^[a-z][a-z\d+.-]*:|^\/\/|[\\?#\u0000-\u001f]/i.test(text) ? undefined : normalizePath("", text.replace(/^\/+/, ""));
    if (route) return { route: route.toLowerCase() };
    this.problems.push(problem("openapi-href", { file }, `${JSON.stringify(text)} is no address that a page can have`));
    return undefined;
  }
}

/** A document that is listed with a directory of its own keeps it for entries that name the document. */
function directoryOf(document: ApiDocument, scope: Scope): string | undefined {
  return scope.sources.find(({ source }) => source.replace(/^(?:\.?\/)+/, "") === document.file)?.directory;
}

/** The groups that an operation names, at its path, itself and in its metadata together; undefined when it names none. */
export function groupsOf({ document, entry }: OperationTarget): string[] | undefined {
  const item = platformExtension(document.refs.follow(entry.pathItem)?.value);
  const extension = platformExtension(entry.node.value);
  const named = [item.groups, extension.groups, own(extension.metadata, "groups")].filter(
    (groups) => groups !== undefined && groups !== null,
  );
  return named.length ? [...new Set(named.flatMap((groups) => checkFrontmatter({ groups }, () => {}).groups ?? []))] : undefined;
}

function readMetadata(value: unknown, complain: (message: string) => void): Frontmatter {
  if (!isRaw(value)) return {};
  const { openapi: _, href: __, ...keys } = value;
  return checkFrontmatter(keys, (key, message) => complain(`x-platform.metadata: ${message || key}`));
}

export function findOperation(document: ApiDocument, { method, path }: { method: string; path: string }): OperationEntry | undefined {
  const kind = method === "WEBHOOK" ? "webhook" : "operation";
  const candidates = document.operations.filter(
    (entry) => entry.kind === kind && (kind === "webhook" || entry.method.toUpperCase() === method),
  );
  const trimmed = (text: string) => (text.length > 1 ? text.replace(/\/$/, "") : text);
  return candidates.find((entry) => entry.path === path) ?? candidates.find((entry) => trimmed(entry.path) === trimmed(path));
}

/** Message and hint for an operation that none of the documents has. */
function missing(documents: readonly ApiDocument[], { method, path }: { method: string; path: string }): [string, string | undefined] {
  const where = documents.map(({ file }) => file).join(", ");
  const all = documents.flatMap(({ operations }) => operations);
  const listed = (names: string[]) => `${[...new Set(names)].slice(0, 20).join(", ")}${names.length > 20 ? ", …" : ""}`;
  if (method === "WEBHOOK") {
    const names = all.filter((entry) => entry.kind === "webhook").map((entry) => entry.path);
    return [`${where} has no webhook ${JSON.stringify(path)}`, names.length ? `It has: ${listed(names)}.` : undefined];
  }
  const there = all.filter((entry) => entry.path === path).map((entry) => entry.method.toUpperCase());
  if (there.length) return [`${path} of ${where} has no ${method}`, `It has: ${listed(there)}.`];
  const paths = all.filter((entry) => entry.kind === "operation").map((entry) => entry.path);
  return [`${where} has no path ${path}`, did(nearest(path, paths)) ?? `It has: ${listed(paths)}.`];
}

function did(near: string | undefined): string | undefined {
  return near && `Did you mean ${near}?`;
}

function firstTag(entry: OperationEntry): string | undefined {
  return texts(own(entry.node.value, "tags"))[0] || undefined;
}

/** `x-group` of the tag's own declaration, else its name. */
function groupLabel(document: ApiDocument, entry: OperationEntry): string {
  const tag = firstTag(entry);
  if (tag === undefined) return untaggedLabel;
  const declared = children(child({ value: document.root, pointer: "#" }, "tags")).find((node) => ownText(node.value, "name") === tag);
  return ownText(declared?.value, "x-group") ?? tag;
}
