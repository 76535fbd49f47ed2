/**
 * Plans the pages that are generated from documents and their operations, with their routes and positions in
 * the navigation.
 */

import { nearest } from "../../../base/nearest.ts";
import { type Problem, problem } from "../../../base/problem.ts";
import { titleFromSlug } from "../../../base/title-from-slug.ts";
import type { DocsConfig, PositionOf } from "../../config/docs-json.ts";
import { checkFrontmatter, type Frontmatter } from "../../config/frontmatter.ts";
import type { Division, NavChild, NavOperation, PageEntry } from "../../config/navigation-types.ts";
import { type ApiSource, parseOperationText } from "../../config/openapi-entries.ts";
import type { ApiDocument } from "../../openapi/document/api-document.ts";
import { platformExtension } from "../../openapi/nodes/extensions.ts";
import { isRaw, own, ownText, texts } from "../../openapi/nodes/refs.ts";
import { declaredTags, tagLabel } from "../../openapi/nodes/tags.ts";
import { titleIn } from "../../openapi/request/operation.ts";
import { type OperationEntry, operationLabel } from "../../openapi/request/operation-list.ts";
import { operationRoute, slugPart } from "../../openapi/request/operation-route.ts";
import { folderOf, normalizePath, routeOfEntry } from "../../paths.ts";
import type { ApiDocuments } from "./api-documents.ts";
import { documentTitle, hasImprint, hasOverview } from "./document-overview.ts";
import { listedRoutes } from "./listed-routes.ts";
import { groupsOf, isHidden } from "./operation-access.ts";
import {
  ambiguousEntry,
  didYouMean,
  findOperation,
  missingOperation,
  type OperationTarget,
} from "./operation-target.ts";
import { otherDocument, type PageReference, PageReferences } from "./page-reference.ts";

/** A page that is generated from an operation, or the overview of a document. It has no file. */
export interface GeneratedPage {
  reference: Exclude<PageReference, { kind: "schema" }>;
  route: string;
  frontmatter: Frontmatter;
  title: string;
}

export interface ApiPages {
  /** The navigation with page entries instead of operation entries. */
  navigation: Division;
  pages: GeneratedPage[];
  /** Routes of authors' pages for operations, by the route that the operation's generated page would have. */
  replaced: ReadonlyMap<string, string>;
  problems: Problem[];
}

const defaultDirectory = "api-reference";
const untaggedLabel = "API Reference";

/**
 * Plans the generated pages. `written`: the pages that have a file, by route, each with `openapi` in its
 * frontmatter if it's set.
 */
export function planApiPages(
  { navigation, apiSources }: DocsConfig,
  documents: ApiDocuments,
  written: ReadonlyMap<string, WrittenPage>,
  placeOf: PositionOf,
): ApiPages {
  const planner = new Planner(documents, written, placeOf, listedRoutes(navigation));
  const planned = planner.division(navigation, {
    sources: apiSources,
    owner: undefined,
    version: undefined,
  });

  planner.addOverviews();

  return {
    navigation: planned,
    pages: planner.pages,
    replaced: planner.replaced,
    problems: planner.problems,
  };
}

/** A page with a file. */
export interface WrittenPage {
  file: string;
  /** `openapi` in the page's frontmatter. */
  operation?: string;
}

/** Settings that a division passes on to the divisions inside it. */
interface NavScope {
  sources: ApiSource[];
  /** The division with the `openapi` setting; undefined for `api.openapi`. */
  owner: Division | undefined;
  version: string | undefined;
}

/** An operation, and the place in the navigation that lists it. */
interface PlannedOperation extends OperationTarget {
  directory: string | undefined;
  scope: NavScope;
  /** Position of the division or entry in docs.json. */
  path: Division["path"];
}

class Planner {
  readonly pages: GeneratedPage[] = [];
  readonly replaced = new Map<string, string>();
  readonly problems: Problem[] = [];
  private readonly documents: ApiDocuments;
  private readonly placeOf: PositionOf;
  private readonly ownRoutes: ReadonlySet<string>;
  /** Routes in the navigation. */
  private readonly listed: ReadonlyMap<string, unknown>;
  /** Generated pages by route in lowercase. */
  private readonly routes = new Map<string, GeneratedPage>();
  /** Pages by document, operation and folder. An operation that is listed several times has one page. */
  private readonly known = new Map<string, GeneratedPage>();
  /** Divisions whose documents are used by an entry or division inside them. */
  private readonly usedOwners = new Set<Division>();

  /** Routes of the authors' pages for operations. */
  private readonly writtenFor = new Map<OperationEntry, string[]>();
  /** Routes of the authors' pages that show the overview of a document. */
  private readonly writtenOverviews = new Map<ApiDocument, string>();
  /** Documents whose overview is on a page. */
  private readonly shown = new Set<ApiDocument>();
  /**
   * Overviews to generate, with their entries in the navigation. They get their routes last, since operations
   * take precedence.
   */
  private readonly overviews = new Map<string, { page: GeneratedPage; entries: PageEntry[] }>();

  constructor(
    documents: ApiDocuments,
    written: ReadonlyMap<string, WrittenPage>,
    placeOf: PositionOf,
    listed: ReadonlyMap<string, boolean>,
  ) {
    this.documents = documents;
    this.placeOf = placeOf;
    this.listed = listed;
    this.ownRoutes = new Set([...written.keys()].map((route) => route.toLowerCase()));
    const references = new PageReferences(documents);
    for (const [route, { file, operation }] of written) {
      const reference =
        operation === undefined
          ? undefined
          : references.find({ openapi: operation }, folderOf(file))?.reference;
      if (reference?.kind === "document") {
        if (listed.has(route) || !this.writtenOverviews.has(reference.document))
          this.writtenOverviews.set(reference.document, route);
        this.shown.add(reference.document);
      } else if (reference?.kind === "operation") {
        const routes = this.writtenFor.get(reference.entry) ?? [];
        this.writtenFor.set(reference.entry, [...routes, route]);
      }
    }
  }

  division(from: Division, above: NavScope): Division {
    const version = from.kind === "version" ? from.label : (from.version ?? above.version);
    const own = from.openapi.length > 0;
    const scope: NavScope = { ...(own ? { sources: from.openapi, owner: from } : above), version };
    const before = from.children;
    const planned = before.flatMap((entry): NavChild[] => {
      if (entry.kind === "page") return [entry];
      if (entry.kind === "operation") return this.entry(entry, scope);
      return [this.division(entry, scope)];
    });

    const isEmpty =
      before.length === 0 && from.href === undefined && from.root === undefined && !from.hasOtherReference;
    if (isEmpty && scope.owner) {
      this.usedOwners.add(scope.owner);
      return { ...from, children: this.bulk(from, scope) };
    }

    const division = { ...from, children: planned };
    if (!own || this.usedOwners.has(from)) return division;

    if (before.some((entry) => !["page", "operation", "group"].includes(entry.kind))) {
      this.problems.push(
        problem(
          "nav-openapi-default",
          this.placeOf([...from.path, "openapi"]),
          `Nothing in ${JSON.stringify(from.label || "navigation")} uses ${from.openapi.map(({ source }) => source).join(", ")}, so no pages are generated from it`,
        ),
      );
      return division;
    }

    return { ...from, children: [...planned, ...this.bulk(division, scope)] };
  }

  /**
   * Plans a page for each operation of the documents in scope, except for hidden operations and those that
   * the division lists. Groups the pages by the operation's first tag. If there are several documents, each
   * has its own group.
   */
  private bulk(owner: Division, scope: NavScope): NavChild[] {
    const sets = scope.sources.flatMap((source) => {
      const document = this.document(source.source, source.path);
      return document ? [{ source, document }] : [];
    });

    const distinct = sets.filter(
      ({ source, document }, index) =>
        sets.findIndex(
          (other) => other.document === document && other.source.directory === source.directory,
        ) === index,
    );

    const planned = distinct.flatMap(({ document, source }) => {
      const groups = this.tagGroups(document, source, owner, scope);
      return groups.length
        ? [{ document, groups, overview: this.overview(document, source, owner, scope) }]
        : [];
    });

    if (distinct.length === 1) return planned.flatMap(({ overview, groups }) => [...overview, ...groups]);
    const titles = planned.map(({ document }) => documentTitle(document));
    return planned.map(({ document, groups, overview }, index): Division => {
      const title = titles[index]!;
      const label =
        titles.filter((other) => other === title).length > 1 ? `${title} (${document.file})` : title;
      const [only] = groups;
      const isUntagged = groups.length === 1 && only!.label === untaggedLabel;
      const open = groups.map((group) => ({ ...group, expanded: true }));
      return {
        ...groupOf(label, [...overview, ...(isUntagged ? only!.children : open)], owner),
        expanded: true,
      };
    });
  }

  /**
   * Returns the navigation entry for the overview of a document. Empty if there is none, or if the author
   * lists a page for it.
   */
  private overview(
    document: ApiDocument,
    { directory }: ApiSource,
    { path }: Division,
    { version }: NavScope,
  ): NavChild[] {
    const route = [generatedFolder({ directory }), "overview"].filter(Boolean).join("/");
    const written = this.writtenOverviews.get(document) ?? (this.ownRoutes.has(route) ? route : undefined);
    if (written === undefined && !hasOverview(document)) return [];

    this.shown.add(document);
    if (written !== undefined)
      return this.listed.has(written) ? [] : [{ kind: "page", route: written, path }];
    const entry: PageEntry = { kind: "page", route, path };
    const key = JSON.stringify([document.file, route]);
    const known = this.overviews.get(key);
    if (known) {
      known.entries.push(entry);
      shareVersion(known.page, version);
      return [entry];
    }

    const title = documentTitle(document);
    const frontmatter = {
      ...(version === undefined ? {} : { version }),
      title,
      openapi: nameInFrontmatter(document),
    };
    const page: GeneratedPage = { reference: { kind: "document", document }, route, title, frontmatter };
    this.overviews.set(key, { page, entries: [entry] });

    return [entry];
  }

  /** Adds the overviews, and reports documents without one. Must come after all operations. */
  addOverviews(): void {
    const listed = new Set(this.pages.map(({ reference }) => reference.document));
    for (const document of listed) {
      if (this.shown.has(document) || !hasImprint(document)) continue;
      const message = "The overview of the API isn't on any page";
      const hint = `Add a page with openapi: ${document.file} in its frontmatter.`;
      this.problems.push(problem("openapi-unpublished", { file: document.file }, message, hint));
    }
    for (const { page, entries } of this.overviews.values()) {
      page.route = this.unusedRoute(page.route);
      for (const entry of entries) entry.route = page.route;
      this.routes.set(page.route.toLowerCase(), page);
      this.pages.push(page);
    }
  }

  /** Returns a route, with a number at its end if a page has it. */
  private unusedRoute(base: string): string {
    let route = base;
    for (let n = 1; this.routes.has(route.toLowerCase()) || this.ownRoutes.has(route.toLowerCase()); n++)
      route = `${base}-${n}`;
    return route;
  }

  private tagGroups(
    document: ApiDocument,
    { directory }: ApiSource,
    owner: Division,
    scope: NavScope,
  ): Division[] {
    const groups = new Map<string, NavChild[]>();
    const tags = declaredTags(document.root);
    const siblings = new Set([...listedRoutes(owner).keys()].map((route) => route.toLowerCase()));
    for (const entry of document.operations) {
      const route = this.routeOf({ document, entry, directory, scope, path: owner.path }, siblings);
      if (route === undefined || siblings.has(route.toLowerCase())) continue;
      const tag = firstTag(entry);
      const label = tag === undefined ? untaggedLabel : tagLabel(tag, tags.get(tag)?.value);
      const group = groups.get(label) ?? [];
      groups.set(label, group);
      group.push({ kind: "page", route, path: owner.path });
    }

    return nestedGroups(document, groups, owner);
  }

  private document(source: string, path: Division["path"]): ApiDocument | undefined {
    const found = this.documents.at(source);
    const [other] =
      found === undefined
        ? ([...this.documents.similar(source, "")].find(({ length }) => length === 1) ?? [])
        : [];

    if (other) {
      const { code, message, hint } = otherDocument(
        `OpenAPI document not found: ${source}`,
        other.file,
        other.file,
      );
      this.problems.push(problem(code, this.placeOf(path), message, hint));
      return other;
    }

    if (found === undefined)
      this.problems.push(
        problem(
          "openapi-missing",
          this.placeOf(path),
          `OpenAPI document not found: ${source}`,
          didYouMean(
            nearest(
              source,
              this.documents.all.map(({ file }) => file),
            ),
          ),
        ),
      );

    return found === "broken" ? undefined : found;
  }

  /** Plans the page of an entry such as `GET /users`. */
  private entry(entry: NavOperation, scope: NavScope): NavChild[] {
    const named = parseOperationText(entry.text)!;
    const place = this.placeOf(entry.path);

    if (named.isLower)
      this.problems.push(
        problem("nav-operation-case", place, `${JSON.stringify(entry.text)} has a lowercase method`),
      );

    const { document: name } = named;
    if (name === undefined && scope.sources.length === 0) {
      this.problems.push(
        problem("nav-operation", place, `No OpenAPI document is set for ${JSON.stringify(entry.text)}`),
      );
      return [];
    }

    if (name === undefined && scope.owner) this.usedOwners.add(scope.owner);
    const { documents, isBroken } =
      name === undefined ? this.defaults(scope) : this.namedDocuments(name, entry);
    const targets = documents.flatMap((document) => {
      const operation = findOperation(document, named);
      return operation ? [{ document, entry: operation }] : [];
    });

    const [target] = targets;
    if (!target) {
      // Missing or broken documents are reported separately.
      if (documents.length && !isBroken)
        this.problems.push(
          problem("openapi-operation-missing", place, ...missingOperation(documents, named)),
        );
      return [];
    }

    if (name !== undefined && targets.length > 1)
      this.problems.push(
        problem(
          "openapi-page-operation",
          place,
          ...ambiguousEntry(
            entry.text,
            targets.map(({ document }) => document),
            `${named.method} ${named.path}`,
          ),
        ),
      );

    if (isHidden(target.entry.node.value)) {
      this.problems.push(
        problem(
          "nav-operation-hidden",
          place,
          `${JSON.stringify(entry.text)} is hidden in ${target.document.file}, so it has no page`,
        ),
      );
      return [];
    }

    const directory = scope.sources.find(
      ({ source }) => this.documents.at(source) === target.document,
    )?.directory;
    const route = this.routeOf({ ...target, directory, scope, path: entry.path });
    return route === undefined ? [] : [{ kind: "page", route, path: entry.path }];
  }

  private defaults({ sources }: NavScope): { documents: ApiDocument[]; isBroken: boolean } {
    const found = sources.map(({ source, path }) => this.documents.at(source) ?? this.document(source, path));
    return {
      documents: found.filter((document) => typeof document === "object"),
      isBroken: found.includes("broken"),
    };
  }

  private namedDocuments(
    name: string,
    { path }: NavOperation,
  ): { documents: ApiDocument[]; isBroken: boolean } {
    const documents = this.documents.named(name);
    if (documents.length > 0) return { documents, isBroken: false };
    const isBroken = this.documents.isBroken(name);
    const other = isBroken ? undefined : this.document(name, path);
    return { documents: other ? [other] : [], isBroken };
  }

  /**
   * Returns the route of an operation's page: an author's page for the operation, or else a generated page.
   * An author's page that the navigation lists counts only if it has the route of the generated page or is in
   * `siblings`, the lowercase routes that the same division lists. Undefined if the operation is hidden, or
   * if another page has the route.
   */
  private routeOf(planned: PlannedOperation, siblings?: ReadonlySet<string>): string | undefined {
    if (isHidden(planned.entry.node.value)) return undefined;
    const authored = this.writtenFor.get(planned.entry) ?? [];
    if (authored.length === 0 && !siblings?.size) return this.page(planned)?.route;
    const { route } = this.baseRoute(planned);
    const written =
      authored.find((other) => siblings?.has(other.toLowerCase())) ??
      authored.find((other) => !this.listed.has(other) || other.toLowerCase() === route);
    if (written === undefined)
      return siblings?.has(route) && this.ownRoutes.has(route) ? route : this.page(planned)?.route;
    if (!this.ownRoutes.has(route.toLowerCase())) this.replaced.set(route, written);
    return written;
  }

  /**
   * Returns the route of an operation's generated page, before it's made unique, and the result of reading
   * `x-platform.href`.
   */
  private baseRoute(planned: PlannedOperation) {
    const { document, entry } = planned;
    const summary = titleIn(entry.kind, entry.node.value);
    const href = this.href(platformExtension(entry.node.value).href, document);
    const route = (
      href?.route ?? operationRoute(generatedFolder(planned), { ...entry, summary, tag: firstTag(entry) })
    ).toWellFormed();
    return { summary, href, route };
  }

  private page(planned: PlannedOperation): GeneratedPage | undefined {
    const { document, entry, scope, path } = planned;
    const node = entry.node.value;
    const key = JSON.stringify([document.file, entry.node.pointer, generatedFolder(planned)]);
    const known = this.known.get(key);
    if (known) {
      shareVersion(known, scope.version);
      return known;
    }

    const { summary, href, route: base } = this.baseRoute(planned);
    const metadata = readMetadata(platformExtension(node).metadata, (message) =>
      this.problems.push(problem("frontmatter-value", { file: document.file }, message)),
    );

    if (this.ownRoutes.has(base.toLowerCase())) {
      this.problems.push(
        problem(
          "openapi-route-taken",
          this.placeOf(path),
          `The page at /${base} conflicts with the page generated for ${entry.method.toUpperCase()} ${entry.path} in ${document.file}`,
        ),
      );
      return undefined;
    }

    const route = this.unusedRoute(base);
    const other = this.routes.get(base.toLowerCase())?.reference;
    if (href?.route !== undefined && other?.kind === "operation" && other.entry !== entry)
      this.problems.push(
        problem(
          "openapi-href",
          { file: document.file },
          `/${base} is already used by ${operationLabel(other.entry)}, so ${operationLabel(entry)} is at /${route}`,
          "Give each operation a unique x-platform.href.",
        ),
      );

    const shared = ownText(document.refs.follow(entry.pathItem)?.value, "summary")?.trim();
    const title = metadata.title ?? (summary || shared || titleWithoutSummary(entry));
    const groups = groupsOf(planned);
    const page: GeneratedPage = {
      reference: { kind: "operation", document, entry },
      route,
      title,
      frontmatter: {
        ...(scope.version === undefined ? {} : { version: scope.version }),
        ...(own(node, "deprecated") === true ? { deprecated: true } : {}),
        ...metadata,
        ...(groups ? { groups } : {}),
        ...(href?.url === undefined ? {} : { url: href.url }),
        title,
        openapi: `${nameInFrontmatter(document)} ${entry.kind === "webhook" ? "webhook" : entry.method.toLowerCase()} ${entry.path}`,
      },
    };

    this.routes.set(route.toLowerCase(), page);
    this.known.set(key, page);
    this.pages.push(page);

    return page;
  }

  /**
   * Reads `x-platform.href`: a path becomes the page's route, and an absolute URL replaces the page in the
   * navigation. Reports any other text.
   */
  private href(value: unknown, { file }: ApiDocument): { route?: string; url?: string } | undefined {
    if (typeof value !== "string" || value.trim() === "") return undefined;
    const text = value.trim();
    if (/^https?:\/\/[^\s/]/i.test(text)) return { url: text };
    const isPath = !/^[a-z][a-z\d+.-]*:|^\/\/|[\\?#\u0000-\u001f]/i.test(text);
    const path = isPath ? normalizePath("", text.replace(/^\/+/, "")) : undefined;
    if (path !== undefined) return { route: routeOfEntry(path).toLowerCase() };
    this.problems.push(
      problem("openapi-href", { file }, `x-platform.href isn't a valid path or URL: ${JSON.stringify(text)}`),
    );
    return undefined;
  }
}

/** Removes the version from a page that another version also lists. */
function shareVersion({ frontmatter }: GeneratedPage, version: string | undefined): void {
  if (frontmatter.version !== version) delete frontmatter.version;
}

/** Returns the folder of generated pages. */
function generatedFolder({ directory = defaultDirectory }: { directory?: string | undefined }): string {
  return (normalizePath("", directory) ?? defaultDirectory).toLowerCase();
}

function nameInFrontmatter({ isRemote, file }: ApiDocument): string {
  return isRemote ? file : `/${file}`;
}

function groupOf(label: string, children: NavChild[], { path }: Division): Division {
  return {
    kind: "group",
    label,
    hidden: false,
    searchable: false,
    isDefault: false,
    expanded: false,
    alignEnd: false,
    openapi: [],
    hasOtherReference: false,
    global: [],
    children,
    path,
  };
}

/**
 * Returns the title of an operation without a summary, such as `GET /users/{id}`. For a webhook, the name in
 * title case.
 */
function titleWithoutSummary(entry: OperationEntry): string {
  return entry.kind === "webhook" ? titleFromSlug(slugPart(entry.path) || "webhook") : operationLabel(entry);
}

function readMetadata(value: unknown, report: (message: string) => void): Frontmatter {
  if (!isRaw(value)) return {};
  const { openapi: _, href: __, ...keys } = value;
  return checkFrontmatter(keys, (key, message, code) => {
    // `unknownRule` also finds the rules outside the metadata.
    if (code !== "unknown-access-rule") report(`x-platform.metadata: ${message || key}`);
  });
}

function firstTag(entry: OperationEntry): string | undefined {
  return texts(own(entry.node.value, "tags"))[0] || undefined;
}

/** Maximum number of levels of groups. */
const groups_levels = 5;

/**
 * Arranges the groups of tags by the parents of the tags (OpenAPI 3.2), or by `x-tagGroups`, which redoc
 * introduced. Groups without either stay at the first level. `groups`: entries by the label of the group.
 */
function nestedGroups(
  document: ApiDocument,
  groups: ReadonlyMap<string, NavChild[]>,
  owner: Division,
): Division[] {
  const parentOf = new Map<string, string>();
  const tags = declaredTags(document.root);
  const labelOf = (name: string) => tagLabel(name, tags.get(name)?.value);
  for (const [name, { value }] of tags) {
    const parent = ownText(value, "parent");
    if (parent !== undefined) parentOf.set(labelOf(name), labelOf(parent));
  }

  const listed = own(document.root, "x-tagGroups");
  for (const group of parentOf.size === 0 && Array.isArray(listed) ? listed : []) {
    const name = ownText(group, "name");
    for (const tag of name === undefined ? [] : texts(own(group, "tags")))
      parentOf.set(labelOf(tag), `group ${name}`);
  }

  const nodes = new Map<string, Division>();
  const roots: Division[] = [];

  // Undefined for a circular or very long chain of parents.
  const parentIn = (label: string): string | undefined => {
    let at = parentOf.get(label);
    for (let level = 1; at !== undefined && at !== label; level++) {
      if (level >= groups_levels) return undefined;
      at = parentOf.get(at);
    }
    return at === label ? undefined : parentOf.get(label);
  };

  const add = (label: string): Division => {
    const known = nodes.get(label);
    if (known) return known;
    const isGroup = !groups.has(label) && label.startsWith("group ");
    const division = groupOf(isGroup ? label.slice("group ".length) : label, [], owner);
    nodes.set(label, division);
    const parent = parentIn(label);
    if (parent === undefined) roots.push(division);
    else add(parent).children.push(division);
    return division;
  };

  for (const [label, pages] of groups) add(label).children.unshift(...pages);
  return roots;
}
