/** Determines who may see what a site says about an operation: the readers of its pages. */

import { type Files, readText } from "../../../base/files.ts";
import { type Frontmatter, splitPage } from "../../config/frontmatter.ts";
import type { Division } from "../../config/navigation-types.ts";
import type { OperationEntry } from "../../openapi/request/operation-list.ts";
import { folderOf } from "../../paths.ts";
import { type PageRules, readersOf } from "../page-rule.ts";
import type { ApiDocuments } from "./api-documents.ts";
import type { ApiPages } from "./api-pages.ts";
import type { SiteFiles } from "./classify-files.ts";
import { groupsOf, isHidden, publicOf } from "./operation-access.ts";
import type { OperationTarget } from "./operation-target.ts";
import { PageReferences } from "./page-reference.ts";

/** `readers`: all signed-in readers. A list: readers in one of these groups. */
export type Readers = ReturnType<typeof readersOf>;

export interface PagesOfOperations {
  files: Files;
  siteFiles: SiteFiles;
  documents: ApiDocuments;
  planned: ApiPages;
  hasSignIn: boolean;
}

type Levels = Pick<PageRules, "isClosed" | "isLevelPublic">;

export class OperationReaders {
  private readonly sources: PagesOfOperations;
  private readonly levels = new Map<string, Levels>();
  private readonly pages = new Map<OperationEntry, Readers[]>();

  constructor(sources: PagesOfOperations) {
    this.sources = sources;
    const { siteFiles, documents, planned } = sources;
    this.readLevels(planned.navigation, { isClosed: false, isLevelPublic: undefined });

    const references = new PageReferences(documents);
    for (const [route, { file, operation }] of siteFiles.written) {
      const reference =
        operation === undefined
          ? undefined
          : references.find({ openapi: operation }, folderOf(file))?.reference;
      if (reference?.kind === "operation") this.add(reference, route, this.frontmatterOf(file));
    }
    for (const { reference, route, frontmatter } of planned.pages)
      if (reference.kind === "operation") this.add(reference, route, frontmatter);
  }

  /** Whether pages without a rule are public. */
  get isOpen(): boolean {
    return !this.sources.hasSignIn;
  }

  /** Returns the readers of an operation: those of its pages, or else those that the document names. */
  of(target: OperationTarget): Readers {
    const pages = this.pages.get(target.entry);
    if (!pages)
      return readersOf({ ...unlisted, isPublic: publicOf(target), groups: groupsOf(target) }, this.isOpen);
    const lists = pages.filter((readers) => typeof readers !== "string");
    return lists.length < pages.length
      ? pages.includes("anyone")
        ? "anyone"
        : "readers"
      : [...new Set(lists.flat())];
  }

  /** Whether only some readers may see an operation: it's hidden, restricted, or left out of the site. */
  isClosed(target: OperationTarget): boolean {
    const readers = this.of(target);
    const isShown = readers === "anyone" || (readers === "readers" && this.sources.hasSignIn);
    return !isShown || isHidden(target.entry.node.value) || groupsOf(target) !== undefined;
  }

  /** Whether everyone may read the page at a route. */
  isPublic(route: string): boolean {
    const file = this.sources.siteFiles.pages.get(route);
    return this.ofPage(route, file === undefined ? {} : this.frontmatterOf(file), undefined) === "anyone";
  }

  private add(target: OperationTarget, route: string, frontmatter: Frontmatter): void {
    const readers = this.ofPage(route, frontmatter, target);
    this.pages.set(target.entry, [...(this.pages.get(target.entry) ?? []), readers]);
  }

  private ofPage(route: string, frontmatter: Frontmatter, target: OperationTarget | undefined): Readers {
    return readersOf(
      {
        ...(this.levels.get(route) ?? unlisted),
        isPublic: frontmatter.public,
        groups: frontmatter.groups ?? (target && groupsOf(target)),
      },
      this.isOpen,
    );
  }

  private frontmatterOf(file: string): Frontmatter {
    return splitPage(readText(this.sources.files, file)!, file).frontmatter;
  }

  /** Finds the navigation's rules for each page. If a page is listed several times, all of them count. */
  private readLevels(division: Division, above: Levels): void {
    const levels: Levels = {
      isClosed: above.isClosed || division.isClosed === true,
      isLevelPublic: division.isPublic ?? above.isLevelPublic,
    };
    const place = (route: string, own: Levels) => {
      const known = this.levels.get(route);
      this.levels.set(route, known ? narrower(known, own) : own);
    };

    if (division.root !== undefined) place(division.root, levels);
    for (const child of division.children)
      if (child.kind === "page")
        place(child.route, { ...levels, isClosed: levels.isClosed || child.isClosed === true });
      else if (child.kind !== "operation") this.readLevels(child, levels);
  }
}

const unlisted: Levels = { isClosed: false, isLevelPublic: undefined };

function narrower(left: Levels, right: Levels): Levels {
  const both = [left.isLevelPublic, right.isLevelPublic];
  return {
    isClosed: left.isClosed || right.isClosed,
    isLevelPublic: both.includes(false) ? false : both.includes(undefined) ? undefined : true,
  };
}
