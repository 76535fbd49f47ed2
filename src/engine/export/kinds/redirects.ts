/** Adds redirect pages, and the table that hosts read. */

import type { Access } from "../../../base/access.ts";
import { basePathOf } from "../../../base/base-path.ts";
import { isReserved, redirectTablePath, variantFolder } from "../../../layout/site-layout.ts";
import { renderRedirect } from "../../frame/render-page.tsx";
import { messagesOf } from "../../i18n/locales.ts";
import { htmlFile, notFoundRoute } from "../../paths.ts";
import { type Audiences, hostOnly, suffixOf } from "../../plan/audiences.ts";
import { type FileNames, fileNames } from "../../plan/file-names.ts";
import { PageUrls } from "../../plan/page-urls.ts";
import { specDownload } from "../../plan/spec-download.ts";
import type { Site } from "../../site/build-site.ts";
import { findTarget, sitePath } from "../../site/navigation/link-targets.ts";
import { followRedirect } from "../../site/navigation/redirects.ts";
import type { ExportContext, ExportKind } from "./kind.ts";

/**
 * Adds redirect pages for static hosts: for the redirects in docs.json, and for folders with pages but no
 * page of their own. For other hosts, adds `redirects.json`, a table of the redirects and of other settings
 * for URLs.
 */
function addRedirects({ audiences, target, viewOf, add }: ExportContext): void {
  const { site } = viewOf("anyone");
  const { all, exact } = site.linkTargets.redirects;

  // A redirect reveals its destination, so it has the same access.
  const accessTo = (destination: string): Access => {
    const found = /^[a-z][a-z\d+.-]*:/i.test(destination)
      ? undefined
      : findTarget(destination, site.linkTargets);
    return found?.kind === "page"
      ? audiences.of(found.page)
      : found?.kind === "file"
        ? audiences.ofFile(found.path)
        : "anyone";
  };

  const isListed = ({ destination }: { destination: string }) => audiences.isExported(accessTo(destination));
  for (const { path, destination } of [...exact.values()].filter(isListed)) {
    const route = path.replace(/^\/+|\/+$/g, "").replace(/\.html$/, "");
    const urls = new PageUrls(site, target, route);
    const { href } = urls.link(destination);
    // Skips redirects whose destination is the page itself in a different spelling.
    if (isSafeRoute(route) && !isReserved(route) && href.replace(/[?#].*$/s, "") !== urls.route(route))
      add(htmlFile(route), () => redirectStub(route, href, site), accessTo(destination));
  }

  // Public pages come first, since all readers can follow them.
  const landings = new Map([...audiences.exported.linkTargets.landings, ...site.linkTargets.landings]);
  landings.delete("");

  if (target.links === "html")
    for (const [route, page] of landings)
      if (isSafeRoute(route) && followRedirect(`/${route}`, site.linkTargets.redirects) === undefined)
        add(
          htmlFile(route),
          () => redirectStub(route, new PageUrls(site, target, route).page(page), site),
          audiences.of(page),
        );

  const table = all.filter(isListed).map(({ source, destination, permanent }) => ({
    source,
    destination: sitePath(destination, site.linkTargets),
    status: permanent ? 308 : 307,
  }));

  const { settings } = site.config;
  const names: FileNames = target.links === "html" ? fileNames(site.linkTargets) : new Map();
  const documents = audiences.exported.documents.all
    .filter(({ isRemote }) => !isRemote)
    .map(({ file }) => file);

  const downloads = [
    ...new Set(
      [...documents, ...[specDownload(site, target) ?? []].flat()].map((file) => names.get(file) ?? file),
    ),
  ];

  const htmlFiles = [...site.linkTargets.served].filter((path) => /\.html$/i.test(path));
  const basePath = basePathOf(target.origin);
  const addressing = {
    redirects: table,
    notFound: settings.errors?.["404"]?.redirect === false || site.pages.has(notFoundRoute) ? "page" : "home",
    ...(target.links === "clean" ? { links: "clean" } : {}),
    ...(basePath ? { basePath } : {}),
    ...(settings.seo?.trailingSlash ? { trailingSlash: true } : {}),
    ...(landings.size
      ? { landings: Object.fromEntries([...landings].map(([route, page]) => [route, page.route])) }
      : {}),
    ...(htmlFiles.length ? { htmlFiles } : {}),
    ...(downloads.length ? { downloads } : {}),
    ...(names.size ? { files: Object.fromEntries(names) } : {}),
    ...variantTable(audiences),
  };

  add(redirectTablePath, () => `${JSON.stringify(addressing)}\n`, hostOnly);
}

export const redirects: ExportKind = { name: "redirects", add: addRedirects };

/**
 * Returns the folders that contain variants of pages, in the order in which `Audiences.variantsOf` returns
 * the variants, by route.
 */
function variantTable(audiences: Audiences): { versions?: Record<string, string[]> } {
  const entries = [...audiences.exported.pages.values()].flatMap((page) => {
    const folders = audiences
      .variantsOf(page)
      .slice(1)
      .map((variant) => variantFolder(suffixOf(audiences.of(variant))));
    return folders.length ? [[page.route, folders] as const] : [];
  });
  return entries.length ? { versions: Object.fromEntries(entries) } : {};
}

/**
 * Returns the HTML document that redirects browsers from a route to `href`, for hosts that can't send
 * redirects. Its text is in the language of the route.
 */
export function redirectStub(route: string, href: string, site: Site): string {
  const language = site.languageOf(route);
  return renderRedirect(href, messagesOf(language).site, language);
}

/**
 * Maximum length of one segment in the path of a redirect page, in characters. File systems allow names of up
 * to 255 bytes.
 */
const segment_chars = 80;
/** Maximum length of the path of a redirect page, in characters. */
const path_chars = 1_000;

/** Whether the source of a redirect in docs.json is a path inside the export and within the length limits. */
function isSafeRoute(route: string): boolean {
  const isPath = route !== "" && !/(?:^|\/)\.{0,2}(?:\/|$)|[\u0000-\u001f\\]/.test(route);
  return (
    isPath &&
    route.length <= path_chars &&
    route.split("/").every((segment) => segment.length <= segment_chars)
  );
}
