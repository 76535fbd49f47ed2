/** What a new service begins with: an organization, a project with our own documentation, and a key. */
import { sql } from "kysely";
import { inviteWithin } from "../accounts/invitations.ts";
import type { Service } from "../core/service.ts";
import { createApiKey } from "../keys/keys.ts";
import { createOrganization } from "../organizations/organizations.ts";
import { createProject } from "../projects/projects.ts";

export interface FirstStart {
  organizationId: string;
  projectId: string;
  key: string;
  /** Of the invitation that makes the first admin. */
  invitation: string;
}

/** Undefined when the service has begun before. Of several processes that start at once, one makes them. */
export async function beginService(
  service: Service,
  options: { docsFolder: string | undefined; key: string | undefined },
): Promise<FirstStart | undefined> {
  return service.db.transaction().execute(async (db) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('octavo first start', 0))`.execute(db);
    const known = await db.selectFrom("organizations").select("id").limit(1).executeTakeFirst();
    if (known) return undefined;
    const within = { ...service, db };
    const organization = await createOrganization(within, { name: "default", plan: "enterprise" });
    const { docsFolder, key } = options;
    const project = await createProject(within, organization.id, {
      name: "Documentation",
      subdomain: "docs",
      source: docsFolder === undefined ? { kind: "upload" } : { kind: "folder", folder: docsFolder },
    });
    const made = await createApiKey(within, organization.id, { name: "First key" }, key === undefined ? {} : { given: key });
    const { token } = await inviteWithin(within, organization.id, { role: "admin" });
    return { organizationId: organization.id, projectId: project.id, key: made.key, invitation: token };
  });
}
