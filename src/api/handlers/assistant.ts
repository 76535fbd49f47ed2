import type { Reader } from "../../base/access.ts";
import { notAvailable, notFound } from "../../base/app-error.ts";
import type { Scope } from "../../platform/access/scope.ts";
import { recordSearches } from "../../platform/searches/searches.ts";
import type { Handlers } from "../call.ts";
import { sectionUrl } from "../site-docs.ts";

export const assistantHandlers: Handlers<"askAssistant" | "searchSite" | "getPage"> = {
  askAssistant({ docs, scope, site, body }) {
    const reader = inGroups(scope, body.filter?.groups);
    return docs.ask(site, { reader, caller: "api", asker: docs.visitors.askerInGroups(reader) }, body);
  },
  async searchSite({ service, docs, scope, site, body }) {
    if (!service.settings.hasSearch) throw notAvailable();
    const { query, pageSize = 10, scoreThreshold = 0, filter = {} } = body;
    const { tag, version, language } = filter;
    const wanted = tag?.toLowerCase();
    const found = await docs.search(site, inGroups(scope, filter.groups), {
      text: query,
      limit: pageSize,
      language,
      filter: version === undefined ? {} : { version },
      ...(wanted === undefined && scoreThreshold === 0
        ? {}
        : {
            accepts: ({ breadcrumbs, strength }) =>
              strength >= scoreThreshold && (wanted === undefined || breadcrumbs.some((crumb) => crumb.toLowerCase() === wanted)),
          }),
    });
    await recordSearches(service, site.site.projectId, "api", [{ query, resultsCount: found.length }]);
    return found.map(({ hit, passages }) => ({
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
  async getPage({ docs, scope, site, body }) {
    const page = await docs.page(site, inGroups(scope, body.groups), body.path);
    if (!page) throw notFound();
    return page;
  },
};

/** A reader in the groups that were asked for and that the key is for; undefined without any: somebody who has not signed in. */
function inGroups(scope: Scope, wanted: readonly string[] = []): Reader | undefined {
  const groups = wanted.filter((group) => scope.groups?.includes(group));
  return groups.length ? { groups } : undefined;
}
