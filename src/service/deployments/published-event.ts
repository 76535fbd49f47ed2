/**
 * Adds the event about a change to the content that readers see at a site's URLs. Receivers can use the event
 * to purge caches in front of the service.
 */

import { sql } from "kysely";
import { splitDomain } from "../../base/site-domain.ts";
import { addEvent, type PublishReason } from "../core/notification-events.ts";
import { defaultHost, type Service, siteUrl } from "../core/service.ts";
import type { Database } from "../core/tables.ts";
import { projectHref } from "../ui/dashboard-urls.ts";

/**
 * Delay of the event after the change. By then, web processes usually serve the change, so that a purged
 * cache doesn't fetch old pages.
 */
const afterChange_s = 3;

/**
 * Adds `site.published`. Does nothing if nothing is live. `removedDomain`: domain that no longer serves the
 * site. Call this in the transaction of the change, if there is one.
 */
export async function addPublishedEvent(
  { db, ulid, settings }: Pick<Service, "ulid" | "settings"> & { db: Database },
  projectId: string,
  reason: PublishReason,
  removedDomain?: string,
): Promise<void> {
  const project = await db
    .selectFrom("projects")
    .select(["organization_id", "name", "subdomain"])
    .select(
      sql<string[]>`array(
        select domain from domains where domains.project_id = projects.id and verified_at is not null order by domain
      )`.as("domains"),
    )
    .where("id", "=", projectId)
    .where("live_deployment_id", "is not", null)
    .executeTakeFirst();

  if (!project) return;
  const { organization_id: organizationId, name: projectName, subdomain, domains } = project;
  const host = defaultHost(settings, subdomain);
  const all = [host, ...domains, ...(removedDomain === undefined ? [] : [removedDomain])];
  const hosts = [...new Set(all.map((domain) => splitDomain(domain).host))];
  const url = settings.url + projectHref(organizationId, projectId);
  const data = { projectId, projectName, reason, hosts, siteUrl: siteUrl(settings, domains[0] ?? host), url };
  await addEvent(
    { db, ulid },
    { organizationId, projectId, type: "site.published", data, delay_s: afterChange_s },
  );
}
