/** Reads the data of a site's project that search and the assistant need. */

import { notFound } from "../../base/app-error.ts";
import { decrypted } from "../core/project-secrets.ts";
import type { Service } from "../core/service.ts";
import type { AssistantSettings, Plan } from "../core/tables.ts";
import { projectUrl, verifiedDomains } from "./projects.ts";

export interface SiteProject {
  organization: { id: string; plan: Plan };
  assistant: AssistantSettings | null;
  /** URL of the site. */
  url: string;
}

/** Returns the data of a project. Throws "not found" if there is no such project. */
export async function siteProject(
  { db, settings, secrets }: Pick<Service, "db" | "settings" | "secrets">,
  projectId: string,
): Promise<SiteProject> {
  const row = await db
    .selectFrom("projects")
    .innerJoin("organizations", "organizations.id", "projects.organization_id")
    .select(["organization_id", "plan", "assistant", "subdomain"])
    .select(verifiedDomains)
    .where("projects.id", "=", projectId)
    .executeTakeFirst();
  if (!row) throw notFound();
  return {
    organization: { id: row.organization_id, plan: row.plan },
    assistant: decrypted(secrets, projectId, { assistant: row.assistant }).assistant,
    url: projectUrl(settings, row),
  };
}
