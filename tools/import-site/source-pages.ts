/** Finds the pages of the site to import, and generates navigation from their folders. */

import { byCodeUnit, type Files, readText } from "../../src/base/files.ts";
import type { Report } from "../../src/base/problem.ts";
import { problem } from "../../src/base/problem.ts";
import { unsafeName } from "../../src/base/safe-name.ts";
import { splitPage } from "../../src/engine/config/frontmatter.ts";
import { folderOf, isPageFile, normalizePath, routeOfFile } from "../../src/engine/paths.ts";

/** Maximum size of a page in bytes. */
const page_bytes = 1024 * 1024;

/** A page of the old site. */
export interface SourcePage {
  /** Path in the old site. */
  file: string;
  /** Path in the new site, without extension. */
  path: string;
  /** Folder of the file, relative to the folder of all pages. */
  folder: string;
  /** Name that sidebars use for the page. */
  id: string;
  /** Sort key of the page in its folder. */
  position: number;
  /** Whether generated navigation contains the page. */
  isListed: boolean;
}

/** A page's ID, path and position in the navigation, from its file name and frontmatter. */
export interface PagePlace {
  id: string;
  /** Path without extension. A `slug` may still change it. */
  path: string;
  position: number;
  isListed: boolean;
}

/**
 * Finds the pages below a folder. Drafts, partials (`_name.mdx`), very large pages, and pages whose path is
 * unsafe or taken are left out. All of these except partials are reported.
 */
export function readPages(
  files: Files,
  root: string,
  place: (relative: string, frontmatter: Record<string, unknown>) => PagePlace,
  report: Report,
): SourcePage[] {
  const pages: SourcePage[] = [];
  const taken = new Map<string, string>();
  for (const file of files.paths) {
    if (!file.startsWith(`${root}/`) || !isPageFile(file)) continue;
    const relative = file.slice(root.length + 1);
    if (relative.split("/").some((part) => part.startsWith("_"))) continue;
    const leaveOut = (message: string, hint: string) =>
      report(problem("import-left-out", { file, line: 1 }, message, hint));
    if (files.size(file) > page_bytes) {
      leaveOut(
        `The page wasn't imported, because it's larger than ${page_bytes / 1024 / 1024} MB`,
        "Split the page, and import again.",
      );
      continue;
    }
    const { frontmatter } = splitPage(readText(files, file)!, file);
    if (frontmatter.draft === true) {
      leaveOut("The page wasn't imported, because it's a draft", "Remove `draft: true` to import it.");
      continue;
    }
    const { path: filePath, ...rest } = place(relative, frontmatter);
    const path = typeof frontmatter.slug === "string" ? pathOfSlug(frontmatter.slug, filePath) : filePath;
    const owner = path && taken.get(path.toLowerCase());
    if (!path || unsafeName(`${path}.mdx`))
      leaveOut(
        "The page wasn't imported, because its path points outside the site or isn't a valid file name",
        "Change its `slug`.",
      );
    else if (owner)
      leaveOut(
        `The page wasn't imported, because it has the same path as ${owner}`,
        "Change the `slug` of one of these pages.",
      );
    else {
      taken.set(path.toLowerCase(), file);
      pages.push({ file, path, folder: folderOf(relative), ...rest });
    }
  }
  return pages;
}

/**
 * Returns the path of a page with a `slug`. Resolves a relative slug against the page's folder. Undefined if
 * the path is outside the site.
 */
function pathOfSlug(slug: string, filePath: string): string | undefined {
  const path = normalizePath(folderOf(filePath), slug);
  return path === undefined
    ? undefined
    : path === "" || routeOfFile(filePath) === path
      ? path
        ? filePath
        : "index"
      : path;
}

/** An entry of the navigation: the path of a page, or a group. */
export type ImportedEntry = string | ImportedGroup;

export interface ImportedGroup {
  group: string;
  root?: string;
  expanded?: boolean;
  tag?: string;
  pages: ImportedEntry[];
}

export interface FolderInfo {
  label: string;
  position: number;
  /** Whether the folder's index page becomes the `root` of its group. */
  hasRoot: boolean;
}

/** Generates navigation from folders. Leaves out a folder if `infoOf` returns undefined. */
export class FolderNavigation {
  private readonly pages = new Map<string, SourcePage[]>();
  private readonly folders = new Map<string, Set<string>>();

  constructor(
    pages: readonly SourcePage[],
    private readonly infoOf: (folder: string) => FolderInfo | undefined,
  ) {
    for (const page of pages) {
      if (!page.isListed) continue;
      const siblings = this.pages.get(page.folder);
      if (siblings) siblings.push(page);
      else this.pages.set(page.folder, [page]);
      for (let folder = page.folder; folder; folder = folderOf(folder))
        this.folders.set(folderOf(folder), (this.folders.get(folderOf(folder)) ?? new Set()).add(folder));
    }
  }

  /** Returns the entries of a folder, sorted by position and then by name. */
  entries(folder: string): ImportedEntry[] {
    const pages = (this.pages.get(folder) ?? []).map((page) => ({
      position: page.position,
      name: page.file,
      entry: page.path as ImportedEntry,
    }));
    const groups = [...(this.folders.get(folder) ?? [])].flatMap((child) => {
      const info = this.infoOf(child);
      const group = info && this.group(child, info);
      return group ? [{ position: info.position, name: child, entry: group as ImportedEntry }] : [];
    });
    return [...pages, ...groups]
      .sort((a, b) => (a.position === b.position ? byCodeUnit(a.name, b.name) : a.position - b.position))
      .map(({ entry }) => entry);
  }

  private group(folder: string, { label, hasRoot }: FolderInfo): ImportedGroup | undefined {
    const entries = this.entries(folder);
    const root = hasRoot
      ? entries.find((entry) => typeof entry === "string" && /(?:^|\/)index$/.test(entry))
      : undefined;
    const pages = entries.filter((entry) => entry !== root);
    if (entries.length === 0) return undefined;
    return {
      group: label,
      ...(typeof root === "string" ? { root } : {}),
      pages: pages.length ? pages : entries,
    };
  }
}
