/** Determines the access of each part of a site, and creates the site as each audience may see it. */

import ignore from "ignore";
import { type Access, accessKey, groupLists, isForGroups, mayRead, signedInOnly } from "../../base/access.ts";
import { readText } from "../../base/files.ts";
import type { Division } from "../config/navigation-types.ts";
import { hashOf } from "../hash-of.ts";
import type { ApiDocument } from "../openapi/document/api-document.ts";
import { encodePath, folderOf } from "../paths.ts";
import { playgroundMode } from "../reference/settings.ts";
import type { Site } from "../site/build-site.ts";
import { fileAddress, findTarget, landingPages } from "../site/navigation/link-targets.ts";
import { type Section, Sections } from "../site/navigation/nav-sections.ts";
import {
  isPage,
  type Navigation,
  type NavNode,
  type NavPage,
  type NavTreeItem,
  newNode,
} from "../site/navigation/resolve-navigation.ts";
import type { Page } from "../site/page.ts";
import { type PageRules, readersOf } from "../site/page-rule.ts";
import { fragmentsOf } from "../site/pages/compile-fragments.ts";
import { ApiDocuments } from "../site/sources/api-documents.ts";
import { groupsOf, isHidden, publicOf } from "../site/sources/operation-access.ts";
import type { OperationTarget } from "../site/sources/operation-target.ts";
import type { Skill } from "../site/sources/skills.ts";
import type { ExportAudience, ExportTarget } from "./export-target.ts";

/** Access to files that no reader may read: files for the host, and pages that an export leaves out. */
export const hostOnly: Access = [];

/**
 * Access to content that isn't for the audience of an export. Unlike `hostOnly`, it doesn't affect the
 * documents that contain it.
 */
const forOthers: Access = [];

/** Determines the access of a site's pages and files, for one export. */
export class Audiences {
  private readonly site: Site;
  private readonly readers: NonNullable<ExportTarget["readers"]>;
  private readonly audience: ExportAudience | undefined;
  private readonly accesses = new Map<Page, Access>();
  private readonly variants = new Map<Page, readonly Page[]>();
  /**
   * Versions of the site with only some pages. The key is `exported`, or `accessKey(access)` for the pages
   * that readers with this access may see.
   */
  private readonly views = new Map<string, Site>();
  /** Access of OpenAPI documents, by file. */
  private readonly documents = new Map<string, Access>();
  /** Pointers to the restricted parts of OpenAPI documents, by file. */
  private readonly restricted = new Map<string, string[]>();
  private readonly restrictedSections = new Map<Site, Map<Section, boolean>>();
  /**
   * Whether some content is for fewer readers than the site is by default, so that a file could belong to it.
   */
  private readonly isRestricted: boolean;
  private readonly referencedFiles: ReadonlyMap<string, Access>;
  /** The skills that files belong to, by path. */
  private readonly skills: ReadonlyMap<string, Skill>;

  constructor(site: Site, { readers = "anyone", audience, pages }: ExportTarget) {
    this.site = site;
    this.readers = readers;
    this.audience = audience;
    this.skills = new Map(site.skills.flatMap((skill) => skill.files.map(([, path]) => [path, skill])));
    const chosen = pages && new Set(pages);
    for (const page of site.pages.values())
      this.accesses.set(
        page,
        chosen === undefined || chosen.has(page.route) ? this.findAccess(page) : hostOnly,
      );

    for (const page of site.pages.values()) this.variants.set(page, this.findVariants(page));
    this.isRestricted = this.hasRestrictedContent();
    this.referencedFiles = this.findReferencedFiles();

    for (const document of site.documents.all) {
      const pages = [...site.pages.values()].filter((page) => page.reference?.document === document);
      this.restricted.set(document.file, this.findRestrictedParts(document, pages));
      this.documents.set(document.file, this.findDocumentAccess(document, pages));
    }
  }

  /** Whether this is a preview for the author, who sees everything. */
  get isForAuthor(): boolean {
    return this.readers === "author";
  }

  /** Returns the access of a page or of a variant of it. `hostOnly` if the export leaves out the page. */
  of(page: Page): Access {
    return this.accesses.get(page)!;
  }

  /**
   * Returns the variants of a page, with different content for different readers. The first one is for all
   * readers of the page. Each of the others is for some of them, and a reader sees the last one with access.
   * Most pages have one variant.
   */
  variantsOf(page: Page): readonly Page[] {
    return this.variants.get(page) ?? [page];
  }

  /**
   * Returns the variant of a page that an export for an audience contains, or else the variant for visitors
   * who aren't signed in.
   */
  variantIn(page: Page): Page {
    return this.audience ? this.variantsOf(page)[0]! : page;
  }

  /**
   * Returns the access of a variant in search: the first variant of a public page is found only by visitors
   * who see this variant.
   */
  ofSearch(page: Page, variant: Page): Access {
    const access = this.of(variant);
    return access === "anyone" && this.variantsOf(page).length > 1 ? "visitors" : access;
  }

  /**
   * Returns the access of a page's playground. The mode `auth` limits the playground to the page's groups or,
   * if the page has none, to signed-in readers.
   */
  ofPlayground(page: Page): Access {
    if (this.readers === "author") return "anyone";
    const mode = playgroundMode(page.frontmatter, this.site.config.settings.api ?? {});
    return mode === "auth" ? this.forAudience(namedGroups(page) ?? "readers") : this.of(page);
  }

  /** In an export for an audience, returns `anyone` if the audience has access, and otherwise `forOthers`. */
  private forAudience(access: Access): Access {
    if (!this.audience) return access;
    return mayRead(access, readerOf(this.audience)) ? "anyone" : forOthers;
  }

  /**
   * Returns the access of a file of the documentation folder: the widest access of the pages, settings and
   * files that refer to the file. For an OpenAPI document, the result of `ofDocument`. Style sheets, scripts
   * and files in `publicFiles` are public. If there is restricted content, no reader may read any other file
   * without references. Otherwise, it's public, or for all readers if the site has sign-in.
   */
  ofFile(path: string): Access {
    const skill = this.skills.get(path);
    if (skill) return this.ofSkill(skill);
    return this.documents.get(path) ?? this.referencedFiles.get(path) ?? this.unreferencedAccess;
  }

  /**
   * Returns the access of a skill's files: that in its frontmatter, or else that of pages without a rule. The
   * files of a skill without a rule are also open if the site has restricted content.
   */
  ofSkill({ groups, public: isPublic }: Skill): Access {
    if (this.readers === "author" || isPublic === true) return "anyone";
    if (groups) return this.forAudience(groups);
    return this.forAudience(isPublic === false ? signedInOnly : this.isOpen ? "anyone" : "readers");
  }

  /** Returns the access of an OpenAPI document for download, without its restricted parts. */
  ofDocument(file: string): Access {
    return this.documents.get(file) ?? this.unreferencedAccess;
  }

  /** Returns pointers to the operations and schemas of a document that only some groups may read. */
  restrictedParts({ file }: ApiDocument): readonly string[] {
    return this.restricted.get(file) ?? [];
  }

  /**
   * Returns the access of a file that several pages share: the widest access of the pages. If there are no
   * pages, no reader may read the file.
   */
  ofAll(pages: Iterable<Page>): Access {
    return widest([...pages].map((page) => this.of(page)));
  }

  /** Whether a file with this access is exported. Without sign-in, only public files are. */
  isExported(access: Access): boolean {
    if (access === "anyone") return true;
    if (this.readers !== "signed-in") return false;
    return typeof access === "string" || groupLists(access).every((list) => list.length > 0);
  }

  /** The distinct access values of exported pages and their variants. */
  get exportedAccesses(): Access[] {
    const exported = [...this.accesses.values()].filter((access) => this.isExported(access));
    return [...new Map(exported.map((access) => [accessKey(access), access])).values()];
  }

  /** The site with all exported pages. */
  get exported(): Site {
    return this.view("exported", (access) => this.isExported(access));
  }

  /**
   * Returns the site as shown on pages with this access. Contains only the pages that all readers with this
   * access may read.
   */
  visibleTo(access: Access): Site {
    return this.view(accessKey(access), (other) => this.isExported(other) && covers(other, access));
  }

  /**
   * Returns the section of a page in the exported site if `view`, the site that the page's audience sees,
   * lacks some pages of the section's `order`. Undefined otherwise.
   */
  restrictedSection(page: Page, view: Site): Section | undefined {
    const { exported } = this;
    const position = view === exported ? undefined : exported.navigation.positions.get(page.route);
    const section = position && exported.sections.of(position);
    if (!section) return undefined;
    const known = this.restrictedSections.get(view) ?? new Map<Section, boolean>();
    this.restrictedSections.set(view, known);
    let isRestricted = known.get(section);
    if (isRestricted === undefined) {
      isRestricted = section.order.some(({ route }) => !view.pages.has(route));
      known.set(section, isRestricted);
    }
    return isRestricted ? section : undefined;
  }

  /**
   * Returns the access of each shared schema, by id: the widest access of the exported pages that contain the
   * schema.
   */
  fragmentAccesses(): Map<string, Access> {
    const { fragments, pages } = this.site;
    const found = new Map<string, Access>();
    for (const access of this.exportedAccesses) {
      const reached = fragmentsOf(
        [...pages.values()].filter((page) => accessKey(this.of(page)) === accessKey(access)),
        this.site,
      );
      for (const id of reached) found.set(id, found.has(id) ? widest([found.get(id)!, access]) : access);
    }
    // Sorts as in `fragments`, so that the order doesn't depend on access.
    return new Map(
      [...fragments.keys()].flatMap((id) => (found.has(id) ? [[id, found.get(id)!] as const] : [])),
    );
  }

  private view(key: string, mayList: (access: Access) => boolean): Site {
    let view = this.views.get(key);
    if (!view)
      this.views.set(
        key,
        (view = this.withShownIslands(
          listedOnly(
            this.site,
            (page) => mayList(this.of(page)),
            (file) => mayList(this.ofDocument(file)),
          ),
          mayList,
        )),
      );

    return view;
  }

  /** Returns the site with only the scripts of the components that its pages show. */
  private withShownIslands(site: Site, mayList: (access: Access) => boolean): Site {
    if (site.islandScripts.size === 0) return site;
    const shown = new Set<string>();
    for (const page of site.pages.values())
      for (const variant of this.variantsOf(page))
        if (mayList(this.of(variant))) for (const id of variant.summary.islands) shown.add(id);
    const islandScripts = new Map([...site.islandScripts].filter(([id]) => shown.has(id)));
    return islandScripts.size === site.islandScripts.size ? site : { ...site, islandScripts };
  }

  /** Returns the files that no reader may read because nothing is known to refer to them, sorted. */
  get unreferencedFiles(): string[] {
    if (!this.isRestricted) return [];
    return [...this.site.linkTargets.served]
      .filter(
        (path) => !this.documents.has(path) && !this.referencedFiles.has(path) && !this.skills.has(path),
      )
      .sort();
  }

  private get unreferencedAccess(): Access {
    return this.isRestricted ? hostOnly : this.defaultAccess;
  }

  /** Whether pages without a rule are public. */
  private get isOpen(): boolean {
    return this.readers === "anyone" && this.audience?.hasSignIn !== true;
  }

  /** Access of files without a rule. */
  get defaultAccess(): Access {
    return this.readers === "signed-in" ? "readers" : "anyone";
  }

  private hasRestrictedContent(): boolean {
    if (this.readers === "author") return false;
    return [...this.site.pages.values()].some(
      (page) => page.variants?.length || !covers(this.findAccess(page), this.defaultAccess),
    );
  }

  /**
   * Determines the access of a page: see `readersOf`. In a preview for the author, all pages are public.
   */
  private findAccess(page: Page): Access {
    return this.readers === "author" ? "anyone" : this.forAudience(this.ruleOf(page));
  }

  /** Returns the access of a page on the hosted site, which depends only on its author's rules. */
  ruleOf(page: Page): Access {
    const { site } = this;
    const position = site.navigation.positions.get(page.route);
    const above = position ? position.parent.chain : [];
    const rules: PageRules = {
      isClosed: site.navigation.closed.has(page.route),
      isPublic: page.frontmatter.public,
      groups: namedGroups(page),
      isLevelPublic: above.findLast((node) => node.division.isPublic !== undefined)?.division.isPublic,
    };
    return readersOf(rules, true) === "readers" ? signedInOnly : readersOf(rules, this.isOpen);
  }

  private findVariants(page: Page): readonly Page[] {
    const access = this.of(page);
    const { variants = [] } = page;
    if (variants.length === 0 || !(this.isExported(access) || this.readers === "author")) return [page];

    if (this.readers === "author") {
      const shown = variants.find(({ audience }) => audience === "author")!.page;
      this.accesses.set(shown, access);
      return [shown];
    }

    if (this.audience) {
      const reader = readerOf(this.audience);
      const own = variants.filter(
        ({ audience }) => typeof audience === "object" && mayRead({ allOf: audience }, reader),
      );
      const shown = own.sort((a, b) => a.audience.length - b.audience.length).at(-1)?.page ?? page;
      this.accesses.set(shown, access);
      return [shown];
    }

    if (this.readers === "anyone") return [page];
    const signedIn = variants.flatMap(({ audience, page: variant }) =>
      typeof audience === "object" ? [{ audience, variant }] : [],
    );
    const isFirst = (lists: readonly unknown[]) => access !== "anyone" && lists.length === 0;
    for (const { audience, variant } of signedIn)
      this.accesses.set(variant, isFirst(audience) ? access : narrowedTo(access, audience));
    const ordered = signedIn
      .sort((a, b) => a.audience.length - b.audience.length)
      .map(({ variant }) => variant);

    return access === "anyone" ? [page, ...ordered] : ordered;
  }

  private findReferencedFiles(): Map<string, Access> {
    const { site } = this;
    const shown = new Map<string, Access>();
    const show = (address: unknown, access: Access, folder = "") => {
      if (typeof address !== "string" || /^[a-z][a-z\d+.-]*:|^\/\/|^#/i.test(address)) return;
      const target = findTarget(fileAddress(address, folder, site.linkTargets), site.linkTargets);
      if (target.kind !== "file") return;
      const known = shown.get(target.path);
      shown.set(target.path, known === undefined ? access : widest([known, access]));
    };

    for (const page of site.pages.values()) {
      const shownVariants = this.variantsOf(page);
      const variants = [page, ...(page.variants ?? []).map(({ page: variant }) => variant)];
      for (const variant of new Set([...shownVariants, ...variants])) {
        // A file that only parts for other readers refer to is left out.
        const access = shownVariants.includes(variant) ? this.of(variant) : hostOnly;
        for (const link of variant.summary.links) show(link.address, access);
        for (const address of variant.summary.files ?? []) show(address, access);
      }
      // The parts for some readers could be the only ones that use an imported file.
      const importing = page.variants?.length && this.readers !== "author" ? hostOnly : this.of(page);
      for (const address of page.summary.imports ?? [])
        if (!site.documents.at(address.slice(1))) show(address, importing);
      for (const value of textsIn(page.frontmatter)) show(value, this.of(page), folderOf(page.file));
    }

    // The layout of all pages, including the sign-in page, shows these files.
    const { navigation: _, redirects = [], api: __, publicFiles = [], ...settings } = site.config.settings;
    for (const text of textsIn(settings)) show(text, "anyone");
    for (const { destination } of redirects) show(destination, "anyone");
    for (const { icon, href } of divisionsIn(site.config.navigation))
      for (const text of textsIn({ icon, href })) show(text, "anyone");
    const named = ignore().add(publicFiles);
    for (const path of site.linkTargets.served) {
      if (/\.(?:css|js)$/.test(path) || named.ignores(path)) show(`/${encodePath(path)}`, "anyone");
      else if (wellKnownFile.test(path)) show(`/${encodePath(path)}`, this.defaultAccess);
    }

    this.followFiles(shown, show);
    return shown;
  }

  /**
   * Adds the files that shown files refer to. Without restricted content, only style sheets are read, because
   * other files are open anyway.
   */
  private followFiles(
    shown: ReadonlyMap<string, Access>,
    show: (address: string, access: Access, folder: string) => void,
  ): void {
    const { files, linkTargets } = this.site;
    const readable = this.isRestricted ? /\.(?:css|m?js|html?|svg|xml|webmanifest)$/i : /\.css$/;
    const read = new Map<string, Access>();
    for (let hasMore = true; hasMore; ) {
      hasMore = false;
      for (const [path, access] of shown) {
        const before = read.get(path);
        // The export generates some of the files that pages link to.
        if (!readable.test(path) || !linkTargets.served.has(path)) continue;
        if (before !== undefined && accessKey(before) === accessKey(access)) continue;
        read.set(path, access);
        hasMore = true;
        if (files.size(path) > readFile_bytes) continue;
        for (const url of urlsInFile(readText(files, path) ?? "")) {
          show(url, access, folderOf(path));
          // The URLs in scripts are relative to the page.
          if (/js$/.test(path) && linkTargets.served.has(url)) show(`/${url}`, access, "");
        }
      }
    }
  }

  /**
   * Determines the access of a document for download, without its restricted parts: the narrowest access of
   * its file and its pages. Pages for groups count only if all operations are restricted, or if the export
   * leaves them out.
   */
  private findDocumentAccess(document: ApiDocument, pages: readonly Page[]): Access {
    if (this.readers === "author") return "anyone";
    const operations = document.operations.filter(({ node }) => !isHidden(node.value));
    const restricted = new Set(this.restrictedParts(document));
    const isAllRestricted =
      operations.length > 0 && operations.every(({ node }) => restricted.has(node.pointer));
    const shown = new Set(pages.map(({ reference }) => reference?.kind === "operation" && reference.entry));
    const hasPrivate = document.operations.some(
      (entry) => !shown.has(entry) && !restricted.has(entry.node.pointer) && isPrivate({ document, entry }),
    );
    const accesses = pages
      .map((page) => this.of(page))
      .filter((access) => isAllRestricted || !isForGroups(access) || access === hostOnly);
    return narrowest([
      this.referencedFiles.get(document.file) ?? this.defaultAccess,
      ...accesses,
      ...(hasPrivate ? [this.forAudience(signedInOnly)] : []),
    ]);
  }

  private findRestrictedParts(document: ApiDocument, pages: readonly Page[]): string[] {
    if (this.readers === "author") return [];
    const byPart = new Map<string, Access[]>();
    for (const page of pages) {
      const reference = page.reference!;
      if (reference.kind === "document") continue;
      const pointer =
        reference.kind === "operation" ? reference.entry.node.pointer : reference.schema.pointer;
      byPart.set(pointer, [...(byPart.get(pointer) ?? []), this.findAccess(page)]);
    }

    for (const entry of document.operations) {
      if (byPart.has(entry.node.pointer)) continue;
      const groups = groupsOf({ document, entry });
      if (groups) byPart.set(entry.node.pointer, [this.forAudience(groups)]);
      else if (isPrivate({ document, entry }) && !this.isExported(this.forAudience(signedInOnly)))
        byPart.set(entry.node.pointer, [forOthers]);
    }

    return [...byPart].filter(([, accesses]) => isForGroups(widest(accesses))).map(([pointer]) => pointer);
  }
}

/** Maximum size of a file that is searched for the files that it refers to. */
const readFile_bytes = 4_000_000;

/** Matches files that browsers, search engines and hosts request without a reference. */
const wellKnownFile =
  /^(?:favicon\.(?:ico|png|svg)|apple-touch-icon[\w-]*\.png|(?:robots|humans|ads|app-ads|security|llms|llms-full)\.txt|sitemap\.xml|browserconfig\.xml|CNAME|_headers|_redirects|(?:site|manifest)\.webmanifest|manifest\.json|google[\da-f]+\.html|BingSiteAuth\.xml|skill\.md|\.well-known\/.*)$/;

/** Returns the URLs in a text file: those in `url(…)`, and texts in quotes that end like a file name. */
function* urlsInFile(text: string): Generator<string> {
  for (const [, url] of text.matchAll(/url\(\s*["']?([^"')\s]+)/g)) yield url!;
  for (const [, url] of text.matchAll(
    /["'`]([^"'`\s<>\\]{1,500}\.[a-z\d]{1,8}(?:[?#][^"'`\s<>\\]{0,500})?)["'`]/gi,
  ))
    yield url!;
}

function* divisionsIn(division: Division): Generator<Division> {
  yield division;
  for (const child of [...division.children, ...division.global])
    if ("children" in child) yield* divisionsIn(child);
}

function readerOf({ groups }: ExportAudience) {
  return groups && { groups };
}

/** Returns a suffix for the names of files that pages with the same access share. Empty for public pages. */
export function suffixOf(access: Access): string {
  return access === "anyone" ? "" : `-${hashOf(accessKey(access)).slice(0, 8)}`;
}

/** Whether all readers of a page with access `page` may read a file with access `file`. */
export function covers(file: Access, page: Access): boolean {
  if (file === "anyone") return true;
  if (page === "anyone") return false;
  if (page === "visitors" || file === "visitors") return file === page;
  const lists = groupLists(page);
  return groupLists(file).every((list) =>
    lists.some((narrower) => narrower.every((group) => list.includes(group))),
  );
}

function widest(accesses: readonly Access[]): Access {
  // Content for visitors who aren't signed in isn't secret.
  if (accesses.includes("anyone") || accesses.includes("visitors")) return "anyone";
  const needed = (accesses as Exclude<Access, "anyone" | "visitors">[]).map(groupLists);
  if (needed.some((lists) => lists.length === 0))
    return accesses.includes("readers") ? "readers" : signedInOnly;
  const single = [...new Set(needed.filter((lists) => lists.length === 1).flat(2))];
  // A combination of lists is only wider if no single group is enough.
  const combined = needed.find((lists) => lists.length > 1);
  return single.length === 0 && combined ? { allOf: combined } : single;
}

function narrowest(accesses: readonly Access[]): Access {
  const restricted = accesses.filter((access) => access !== "anyone" && access !== "visitors");
  if (restricted.some((access) => typeof access === "object" && "allOf" in access))
    return { allOf: restricted.flatMap(groupLists) };
  const groups = restricted.filter((access): access is readonly string[] => typeof access !== "string");
  if (groups.length) return groups.reduce((left, right) => left.filter((group) => right.includes(group)));
  return restricted.includes("readers") ? "readers" : "anyone";
}

/** Returns the access of a page's variant for signed-in readers in these lists of groups. */
function narrowedTo(page: Access, lists: readonly (readonly string[])[]): Access {
  const own = page === "anyone" || page === "visitors" ? [] : groupLists(page);
  return { allOf: [...own, ...lists] };
}

/**
 * Returns the groups of a page: the groups in its frontmatter, or else those of the operation that the page
 * shows. Undefined if neither has groups.
 */
function namedGroups({ frontmatter, reference }: Page): readonly string[] | undefined {
  return frontmatter.groups ?? (reference?.kind === "operation" ? groupsOf(reference) : undefined);
}

/** Whether an operation is for signed-in readers, even on a site without sign-in. */
function isPrivate(target: OperationTarget): boolean {
  return publicOf(target) === false && groupsOf(target) === undefined;
}

function* textsIn(value: unknown): Generator<string> {
  if (typeof value === "string") yield value;
  else if (typeof value === "object" && value !== null)
    for (const below of Object.values(value)) yield* textsIn(below);
}

/** Returns the site with only some pages and documents. Links in the pages' content stay unchanged. */
function listedOnly(
  site: Site,
  mayList: (page: Page) => boolean,
  mayDescribe: (file: string) => boolean,
): Site {
  const pages = new Map([...site.pages].filter(([, page]) => mayList(page)));
  const documents = site.documents.all.filter(({ file }) => mayDescribe(file));
  if (pages.size === site.pages.size && documents.length === site.documents.all.length) return site;

  const navigation = navigationOf(site.navigation, mayList);
  return {
    ...site,
    pages,
    navigation,
    linkTargets: {
      ...site.linkTargets,
      landings: landingPages(pages, navigation, site.linkTargets.pages, site.linkTargets.replaced),
    },
    sections: new Sections(),
    documents: new ApiDocuments(documents, new Set()),
  };
}

function navigationOf({ root, positions, closed }: Navigation, mayList: (page: Page) => boolean): Navigation {
  const nodes = new Map<NavTreeItem, NavNode>();
  const copiedPages = new Map<NavTreeItem, NavPage>();
  const copy = (node: NavNode, parent: NavNode | undefined): NavNode => {
    const copied = newNode(node.division, parent);
    nodes.set(node, copied);
    if (node.rootPage && mayList(node.rootPage)) copied.rootPage = node.rootPage;

    for (const child of node.children) {
      if (isPage(child)) {
        if (!mayList(child.page)) continue;
        const position = { page: child.page, parent: copied };
        copiedPages.set(child, position);
        copied.children.push(position);
      } else {
        const below = copy(child, copied);
        // A division whose pages are all removed is also removed, so that its name isn't shown.
        const isEmptied =
          below.children.length === 0 &&
          !below.rootPage &&
          (child.children.length > 0 || child.rootPage !== undefined);
        if (!isEmptied) copied.children.push(below);
      }
    }

    return copied;
  };

  const copied = copy(root, undefined);
  const listed = [...positions].filter(([, { page }]) => mayList(page));
  return {
    root: copied,
    closed,
    positions: new Map(
      listed.map(([route, position]) => [
        route,
        copiedPages.get(position) ?? { page: position.page, parent: nodes.get(position.parent)! },
      ]),
    ),
  };
}
