/**
 * Performs the first step of a build: reads settings, files and OpenAPI documents, and plans the pages that
 * are generated from operations.
 */

import type { Files } from "../../../base/files.ts";
import type { Problem } from "../../../base/problem.ts";
import { isHttpUrl } from "../../../base/url.ts";
import { type DocsConfig, type PositionOf, readDocsJson } from "../../config/docs-json.ts";
import type { Division } from "../../config/navigation-types.ts";
import type { BuildOptions } from "../build-options.ts";
import { changesRoute, readApiChanges } from "../changes/api-changes.ts";
import type { ChangesOfApi } from "../changes/change-list.ts";
import { withChanges } from "../changes/changes-entry.ts";
import { type ApiDocuments, readApiDocuments } from "./api-documents.ts";
import { type ApiPages, planApiPages } from "./api-pages.ts";
import { classifyFiles, type SiteFiles } from "./classify-files.ts";
import { languageTag } from "./language-names.ts";
import { listedRoutes } from "./listed-routes.ts";

export interface SiteSources {
  files: Files;
  config: DocsConfig;
  placeOf: PositionOf;
  siteFiles: SiteFiles;
  documents: ApiDocuments;
  planned: ApiPages;
  languageOf(route: string): string;
  changes: ChangesOfApi | undefined;
  problems: Problem[];
}

/** `options.store`: without a store, the changes of the API aren't read. */
export async function readSources(files: Files, options: BuildOptions): Promise<SiteSources> {
  const { hasSignIn = false, fetched = new Map(), origin, checksDocuments, store } = options;
  const { config, problems, placeOf } = readDocsJson(files, { hasSignIn });
  const siteFiles = classifyFiles(files, listedRoutes(config.navigation), options);
  const { documents, problems: documentProblems } = await readApiDocuments(
    files,
    siteFiles.served,
    config,
    siteFiles.apiDocuments,
    fetched,
    placeOf,
    {
      siteUrl: [origin, config.settings.seo?.metatags?.canonical].find(
        (url): url is string => typeof url === "string" && isHttpUrl(url),
      ),
      checksDocuments,
    },
  );

  const operationPages = planApiPages(config, documents, siteFiles.written, placeOf);
  const route = changesRoute(config);
  const planned =
    route === undefined
      ? operationPages
      : {
          ...operationPages,
          navigation: withChanges(operationPages.navigation, route, operationPages.pages),
        };
  const changes =
    route === undefined || !store
      ? undefined
      : await readApiChanges(
          { config, files, siteFiles, documents, planned, placeOf },
          { ...options, store },
        );

  return {
    files,
    config,
    placeOf,
    siteFiles,
    documents,
    planned,
    languageOf: languageLookup(planned.navigation),
    changes: route === undefined ? undefined : { route, apiChanges: changes?.changes },
    problems: [
      ...problems,
      ...siteFiles.problems,
      ...documentProblems,
      ...planned.problems,
      ...(changes?.problems ?? []),
    ],
  };
}

/**
 * Returns a function that finds the language of a page: that of the division that lists the page, or else the
 * language whose code is the page's first folder, or else the site's default. The default is `en` if the
 * navigation has no languages.
 */
function languageLookup(root: Division): (route: string) => string {
  const byRoute = new Map<string, string>();
  const codes: string[] = [];
  let fallback: string | undefined;
  const visit = (division: Division, language: string | undefined) => {
    if (division.kind === "language") {
      codes.push(division.label);
      if (division.isDefault) fallback = division.label;
    }
    const own = division.kind === "language" ? division.label : language;
    if (division.root !== undefined && own && !byRoute.has(division.root)) byRoute.set(division.root, own);
    for (const child of division.children) {
      if (child.kind === "page") {
        if (own && !byRoute.has(child.route)) byRoute.set(child.route, own);
      } else if (child.kind !== "operation") visit(child, own);
    }
  };

  visit(root, undefined);
  const first = fallback ?? codes[0] ?? "en";
  return (route) =>
    languageTag(
      byRoute.get(route) ?? codes.find((code) => route === code || route.startsWith(`${code}/`)) ?? first,
    );
}
