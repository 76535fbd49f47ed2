import { notAvailable, notFound } from "../../base/app-error.ts";
import type { Handlers } from "../http/call.ts";
import { recordSearches } from "../searches/searches.ts";
import { sectionUrl } from "./answer-text.ts";
import { readerInGroups } from "./reader-in-groups.ts";
import type * as contract from "./search-contract.ts";
import type { SiteDocs } from "./site-docs.ts";

export const searchHandlers = (
  docs: SiteDocs,
): Handlers<Pick<typeof contract, "searchSite" | "getPage">> => ({
  async searchSite({ service, scope, site, body }) {
    if (!service.settings.hasSearch) throw notAvailable();
    const { query, pageSize = 10, scoreThreshold = 0, filter = {} } = body;
    const { tag, version, language } = filter;
    const lowerCaseTag = tag?.toLowerCase();
    const results = await docs.search(site, readerInGroups(scope, filter.groups), {
      text: query,
      limit: pageSize,
      language,
      filter: version === undefined ? {} : { version },
      ...(lowerCaseTag === undefined && scoreThreshold === 0
        ? {}
        : {
            accepts: ({ breadcrumbs, strength }) =>
              strength >= scoreThreshold &&
              (lowerCaseTag === undefined ||
                breadcrumbs.some((crumb) => crumb.toLowerCase() === lowerCaseTag)),
          }),
    });

    await recordSearches(service, site.site.projectId, "api", [{ query, resultsCount: results.length }]);

    return results.map(({ hit, passages }) => ({
      content: passages.map(({ text }) => text).join("\n\n"),
      path: hit.route,
      metadata: {
        title: hit.title,
        headings: [...hit.headings],
        breadcrumbs: [...hit.breadcrumbs],
        anchor: hit.anchor,
        url: sectionUrl(site.origin, hit),
        ...(hit.method === undefined ? {} : { method: hit.method }),
        score: hit.strength,
      },
    }));
  },
  async getPage({ scope, site, body }) {
    const page = await docs.page(site, readerInGroups(scope, body.groups), body.path);
    if (!page) throw notFound();
    return page;
  },
});
