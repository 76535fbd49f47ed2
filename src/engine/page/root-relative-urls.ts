/** Makes the URLs in the content of a page root-relative. */

import { type ContentElement, type ContentNode, visitElements } from "../content.ts";
import { folderOf, isIndexEntry, isPageFile, normalizePath, routeOfFile } from "../paths.ts";

/** Attributes whose URLs are made root-relative. */
const urlProps = ["href", "src", "poster", "img"] as const;
const sourceSetProps = ["srcset", "srcSet"] as const;

/** A URL in the content of a page, before and after it was made root-relative. */
export interface ContentUrl {
  written: string;
  address: string;
  isImage: boolean;
  element: ContentElement;
  /** The page's file. */
  page: string;
  /** The document that contains the URL: the page's file, or a snippet. */
  file: string;
}

/** The files that relative URLs of a document are relative to. */
export interface UrlPlace {
  page: string;
  file: string;
  isImage: boolean;
}

/**
 * Changes relative URLs in a page or a snippet of it to root-relative ones, such as `./x.mdx` in
 * `folder/page.mdx` to `/folder/x`. `onUrl` is called with each URL.
 */
export function makeUrlsRootRelative(
  nodes: readonly ContentNode[],
  { page, file }: { page: string; file: string },
  exists: (path: string) => boolean,
  onUrl?: (url: ContentUrl) => void,
): void {
  visitElements(nodes, (node) => {
    if (node.name === "Snippet") return;
    const resolve = (written: string, isImage: boolean) => {
      const place = { page, file, isImage };
      const address = rootRelativeUrl(written, place, exists, node.name === "img");
      onUrl?.({ written: written.trim(), address, ...place, element: node });
      return address;
    };

    for (const name of urlProps) {
      const value = node.props[name];
      if (typeof value === "string") node.props[name] = resolve(value, name !== "href");
    }

    for (const name of sourceSetProps) {
      const value = node.props[name];
      if (typeof value === "string")
        node.props[name] = value.replace(
          /(^\s*|,\s+)([^\s,](?:\S*[^\s,])?)/g,
          (_, before: string, url: string) => before + resolve(url, true),
        );
    }
  });
}

/**
 * Returns the root-relative URL for a relative URL. URLs in a snippet are relative to the page, or else to
 * the snippet. On an index page, links without `./` are relative to the folder of the page's URL, or else to
 * the folder of its file, and images the other way around. Of several targets, the first one that exists is
 * used. `keepsExtension`: whether the URL is that of a file, even if it has the extension of a page.
 */
export function rootRelativeUrl(
  url: string,
  place: UrlPlace,
  exists: (path: string) => boolean,
  keepsExtension = false,
): string {
  const trimmed = url.trim();
  if (trimmed === "" || /^(?:[a-z][a-z\d+.-]*:|\/\/|[#?{])/i.test(trimmed)) return url;
  const [, path, rest] = /^([^?#]*)(.*)$/s.exec(trimmed)!;
  const target = targetOf(path!, place, exists);
  if (target === undefined) return url;
  const clean = keepsExtension || !isPageFile(target) ? target : routeOfFile(target);
  return `/${clean}${rest}`;
}

function targetOf(
  path: string,
  { page, file, isImage }: UrlPlace,
  exists: (path: string) => boolean,
): string | undefined {
  if (path.startsWith("/")) return targetIn("", path);
  const ofPage = foldersOf(page, /^\.{1,2}\//.test(path));
  const folders = new Set([...(isImage ? ofPage.toReversed() : ofPage), folderOf(file)]);
  const targets = [...folders].flatMap((folder) => targetIn(folder, path) ?? []);
  return targets.length === 1 ? targets[0] : (targets.find(exists) ?? targets[0]);
}

/**
 * Folders that relative links of a page can refer to, in this order. `isDotted`: for links that begin with
 * `./` or `../`.
 */
function foldersOf(page: string, isDotted: boolean): string[] {
  const folder = folderOf(page);
  return isIndexEntry(page) && folder !== "" && !isDotted ? [folderOf(folder), folder] : [folder];
}

/**
 * Resolves a path that is relative to a folder. A path outside the site starts at the root, as in browsers.
 */
function targetIn(folder: string, path: string): string | undefined {
  return normalizePath(folder, path) ?? normalizePath("", path.replace(/^(?:\.{0,2}\/)+/, ""));
}
