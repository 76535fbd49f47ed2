/** Dashboard routes for the broken links of the live deployment: page and download. */

import type { Problem } from "../../base/problem.ts";
import { page } from "../ui/dashboard-response.ts";
import { analyticsDownload, type DownloadColumn, downloadFormat } from "../ui/list-download.ts";
import { projectRoute } from "../ui/route.ts";
import type { ProjectVisit } from "../ui/visit.ts";
import { brokenLinkKind, brokenLinksOf, brokenTarget } from "./broken-links.ts";
import { BrokenLinks } from "./broken-links-view.tsx";
import { getDeployment } from "./deployments.ts";

export const brokenLinkRoutes = [projectRoute("GET /broken-links", "showBrokenLinks", "viewer", show)];

async function show(visit: ProjectVisit) {
  const { service, scope, member, project } = visit;
  const live =
    project.live_deployment_id === null
      ? undefined
      : await getDeployment(service, scope, project.live_deployment_id);

  const links = brokenLinksOf(live?.problems ?? []);
  const format = downloadFormat(visit);
  if (format) return analyticsDownload(visit, "broken-links", format, columns, batchOf(links));

  return page(
    "Broken links",
    <BrokenLinks
      ids={{ organizationId: member.organizationId, projectId: project.id }}
      live={
        live && {
          id: live.id,
          number: live.number,
          isCut: live.unlisted_count > 0,
        }
      }
      links={links}
    />,
  );
}

async function* batchOf(links: readonly Problem[]) {
  yield links;
}

const columns: readonly DownloadColumn<Problem>[] = [
  { name: "file", value: ({ file }) => file },
  { name: "line", value: ({ line }) => line ?? null },
  { name: "kind", value: brokenLinkKind },
  { name: "target", value: brokenTarget },
  { name: "hint", value: ({ hint }) => hint ?? null },
];
