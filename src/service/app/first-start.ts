/** Creates the initial data of a new service: an organization, a project, an API key and an invitation. */

import { sql } from "kysely";
import { inviteInTransaction } from "../accounts/invitations.ts";
import type { Service } from "../core/service.ts";
import { createApiKey } from "../keys/keys.ts";
import { createOrganization } from "../organizations/organizations.ts";
import { createProject } from "../projects/projects.ts";

export interface FirstStart {
  organizationId: string;
  projectId: string;
  key: string;
  /** Token of the invitation for the first admin. */
  invitation: string;
}

/**
 * Creates the initial data. Resolves with undefined if the service already has an organization. If several
 * processes start at the same time, only one creates the data. The project's source is `docsFolder` or, if
 * that is undefined, uploads.
 */
export async function createInitialData(
  service: Service,
  /** `key`: the API key to store; if undefined, a key is generated. */
  options: { docsFolder: string | undefined; key: string | undefined },
): Promise<FirstStart | undefined> {
  return service.db.transaction().execute(async (db) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('octavo first start', 0))`.execute(db);
    const known = await db.selectFrom("organizations").select("id").limit(1).executeTakeFirst();
    if (known) return undefined;

    const inTransaction = { ...service, db };
    const organization = await createOrganization(inTransaction, {
      name: "My organization",
      plan: "enterprise",
    });

    const { docsFolder, key } = options;
    const project = await createProject(inTransaction, organization.id, {
      name: "Documentation",
      subdomain: "docs",
      source: docsFolder === undefined ? { kind: "upload" } : { kind: "folder", folder: docsFolder },
    });

    const apiKey = await createApiKey(
      inTransaction,
      organization.id,
      { name: "Admin key" },
      key === undefined ? {} : { given: key },
    );

    const { token } = await inviteInTransaction(inTransaction, organization.id, {
      role: "admin",
      isOperator: true,
    });

    return { organizationId: organization.id, projectId: project.id, key: apiKey.key, invitation: token };
  });
}
