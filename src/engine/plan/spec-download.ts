/**
 * Adds the file for downloading the OpenAPI documents that a site's pages show (one document, or a ZIP
 * archive of several), and lists the documents for llms.txt.
 */

import { zipSync } from "fflate";
import { siteFolder, specArchivePath } from "../../layout/site-layout.ts";
import type { ApiDocument } from "../openapi/document/api-document.ts";
import { own, ownText, type Raw } from "../openapi/nodes/refs.ts";
import type { Site } from "../site/build-site.ts";
import type { Page } from "../site/page.ts";
import { canonicalUrl, originOf } from "./absolute-urls.ts";
import type { Audiences } from "./audiences.ts";
import type { AddFile, ExportTarget } from "./export-target.ts";
import { joinedParts } from "./file-content.ts";
import { servedContent } from "./served-document.ts";

/**
 * Returns the path of the downloadable file. Undefined if no page shows a document, if readers must sign in,
 * or if docs.json requests sign-in in the way of other platforms.
 */
export function specDownload(site: Site, target: ExportTarget): string | undefined {
  const documents = shownDocuments(site);
  if (target.readers === "signed-in" || site.config.requestsSignIn || documents.length === 0)
    return undefined;
  return documents.length > 1 ? specArchivePath : pathOf(documents[0]!);
}

/**
 * Adds the file for download, if docs.json has the `download-spec` option: a copy of a remote document, or
 * the archive.
 */
export function addSpecDownload(site: Site, audiences: Audiences, target: ExportTarget, add: AddFile): void {
  if (!site.config.settings.contextual?.options.includes("download-spec")) return;
  const path = specDownload(site, target);
  if (path === undefined) return;

  const documents = shownDocuments(site);

  if (path !== specArchivePath) {
    if (documents[0]!.isRemote) add(path, () => servedContent(documents[0]!, site, audiences), "anyone");
    return;
  }

  add(
    path,
    () => {
      const names = new Set<string>();
      const entries = documents.map(
        (document) =>
          [safeName(document, names), joinedParts([servedContent(document, site, audiences)])] as const,
      );
      // The fixed date is the earliest that ZIP supports. It makes the archive reproducible.
      return zipSync(Object.fromEntries(entries), { mtime: new Date(1980, 0, 1), level: 9 });
    },
    "anyone",
  );
}

/**
 * Returns the titles and URLs of the documents that pages show, for llms.txt. Empty if readers must sign in.
 */
export function specLinks(site: Site, target: ExportTarget): { name: string; href: string }[] {
  return listedDocuments(site, target).map(({ document }) => ({
    name: ownText(own(document.root, "info"), "title") ?? document.file,
    href: urlOf(document, site, target),
  }));
}

/**
 * Returns the catalog of the documents that pages show, as a linkset (RFC 9727, RFC 9264). Undefined if there
 * are none or readers must sign in.
 */
export function apiCatalog(site: Site, target: ExportTarget): string | undefined {
  const root = `${originOf(site, target) ?? ""}/`;
  const linkset = listedDocuments(site, target).map(({ document, page }) => {
    const servers = own(document.root, "servers");
    const server = Array.isArray(servers) ? ownText(servers[0] as Raw, "url") : undefined;
    return {
      anchor: server !== undefined && /^https?:\/\/[^{}]+$/.test(server) ? server : root,
      "service-desc": [{ href: urlOf(document, site, target), type: typeOf(document) }],
      "service-doc": [
        { href: canonicalUrl(page, { site, target }) ?? `/${encodeURI(page.route)}`, type: "text/html" },
      ],
    };
  });
  return linkset.length ? `${JSON.stringify({ linkset }, null, 2)}\n` : undefined;
}

/** Returns the documents for llms.txt and the API catalog, each with the first listed page that shows it. */
function listedDocuments(site: Site, target: ExportTarget): { document: ApiDocument; page: Page }[] {
  if (target.readers === "signed-in") return [];
  const pages = new Map<string, Page>();
  for (const page of site.pages.values()) {
    const file = page.reference?.document.file;
    if (file !== undefined && page.visibility.llms && !pages.has(file)) pages.set(file, page);
  }
  return site.documents.all.flatMap((document) => {
    const page = pages.get(document.file);
    return page ? [{ document, page }] : [];
  });
}

function urlOf({ isRemote, file }: ApiDocument, site: Site, target: ExportTarget): string {
  return isRemote ? file : `${originOf(site, target) ?? ""}/${encodeURI(file)}`;
}

function typeOf({ file }: ApiDocument): string {
  return /\.ya?ml$/i.test(file) ? "application/yaml" : "application/json";
}

const shownBySite = new WeakMap<Site, ApiDocument[]>();

/** Returns the documents that pages of the site show. */
function shownDocuments(site: Site): ApiDocument[] {
  const known = shownBySite.get(site);
  if (known) return known;
  const shown = new Set(
    [...site.pages.values()].flatMap((page) => (page.reference ? [page.reference.document.file] : [])),
  );
  const documents = site.documents.all.filter((document) => shown.has(document.file));
  shownBySite.set(site, documents);
  return documents;
}

function pathOf(document: ApiDocument): string {
  return document.isRemote ? `${siteFolder}${safeName(document, new Set())}` : document.file;
}

/** Returns a unique file name for a document, which is valid on every file system. */
function safeName(document: ApiDocument, taken: Set<string>): string {
  const [, stem = "", ending = ""] = /([^/]*?)(\.\w+)?$/.exec(document.file.replace(/[?#].*$/s, "")) ?? [];
  const base =
    stem
      .replace(/[^A-Za-z0-9._-]+/g, "-")
      .replace(/^[.-]+/, "")
      .slice(0, 80) || "api";
  const name = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i.test(base) ? `api-${base}` : base;
  const kind = document.isRemote || !/^\.(?:json|ya?ml)$/i.test(ending) ? ".json" : ending;
  let candidate = name + kind;
  for (let n = 2; taken.has(candidate.toLowerCase()); n++) candidate = `${name}-${n}${kind}`;
  taken.add(candidate.toLowerCase());
  return candidate;
}
