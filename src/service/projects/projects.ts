/**
 * Creates, lists, changes and deletes projects. A project has a site, a source for its deployments, sign-in
 * settings and assistant settings.
 */

import type { Static } from "@sinclair/typebox";
import { sql } from "kysely";
import { AppError, fieldThat, invalid, notFound } from "../../base/app-error.ts";
import { hashPassword } from "../../base/password.ts";
import type { SignInChoice } from "../../base/reader-sign-in.ts";
import { splitDomain } from "../../base/site-domain.ts";
import { parseUrl } from "../../base/url.ts";
import { decrypted, encrypted } from "../core/project-secrets.ts";
import type { Scope } from "../core/scope.ts";
import { defaultHost, type Service, type ServiceSettings, siteUrl } from "../core/service.ts";
import type { AssistantSettings, Database, Plan, ProjectRow, ProjectSource } from "../core/tables.ts";
import { transact } from "../core/transact.ts";
import { publishRevision } from "../deployments/project-row.ts";
import { addPublishedEvent } from "../deployments/published-event.ts";
import {
  type ConnectionChange,
  connectionAfter,
  poll_s,
  repositoryProblems,
} from "../repositories/connection.ts";
import { changeMirror, type MirrorChange } from "../repositories/mirror.ts";
import { downloadKeys } from "../storage/purge-exports.ts";
import { modelProblems, signInProblems } from "./check-project.ts";
import type { AssistantChoice, SignInSettings } from "./contract.ts";

const columns = [
  "projects.id",
  "projects.name",
  "subdomain",
  "source",
  "sign_in",
  "assistant",
  "connection",
  "mirror",
  "publish_with_errors",
  "live_deployment_id",
  "projects.created_at",
] as const;

/**
 * Reserved subdomains, which projects can't have: names that readers or programs expect to belong to the
 * service.
 */
const reserved = new Set(
  (
    "www api app admin dashboard mail localhost operator login signin sign-in signup sign-up auth sso oauth account accounts my id identity " +
    "status support help billing pay payments security abuse postmaster hostmaster webmaster root administrator noc " +
    "smtp imap pop pop3 mx webmail email autodiscover autoconfig wpad isatap mta-sts openpgpkey ns ns1 ns2 dns ftp ssh vpn git " +
    "cdn static assets files proxy internal intranet octavo"
  ).split(" "),
);

/** Maximum number of projects of an organization, by plan. Each project takes a subdomain. */
const projects_count: Record<Plan, number> = { free: 20, pro: 200, enterprise: 2_000 };

interface NewProject {
  name: string;
  subdomain: string;
  source?: ProjectSource;
  connection?: ConnectionChange;
}

const firstPoll = sql<Date>`clock_timestamp() + ${poll_s} * interval '1 second'`;

/**
 * Creates a project. Throws an AppError if a value is invalid, the subdomain is taken, or the organization
 * doesn't exist.
 */
export async function createProject(
  service: Service,
  organizationId: string,
  { name, subdomain, source = { kind: "upload" }, connection: change }: NewProject,
) {
  const { db, ulid, settings, secrets } = service;
  const connection = connectionAfter(service, undefined, source, change);
  const problems = source.kind === "git" ? repositoryProblems(source, connection, settings) : [];
  const label = subdomain.toLowerCase();
  if (
    // Tested before the conversion, which turns some other characters into letters.
    !/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i.test(subdomain) ||
    reserved.has(label) ||
    label.startsWith("xn--") ||
    label.includes("-preview-")
  )
    problems.unshift(
      fieldThat(
        "subdomain",
        "can contain only letters, digits, and hyphens, can't start or end with a hyphen, and can't be a reserved name",
      ),
    );

  if (name.trim() === "") problems.unshift(fieldThat("name", "must not be empty"));
  if (problems.length) throw invalid("Invalid project", ...problems);
  const id = ulid();
  const stored = encrypted(secrets, id, { source, connection });
  const row = await transact(db, async (tx) => {
    await requireProjectQuota(tx, organizationId);

    return tx
      .insertInto("projects")
      .values({
        id,
        organization_id: organizationId,
        name,
        subdomain: label,
        source: JSON.stringify(stored.source),
        ...(stored.connection
          ? { connection: JSON.stringify(stored.connection), next_poll_at: firstPoll }
          : {}),
      })
      .onConflict((conflict) => conflict.column("subdomain").doNothing())
      .returning("id")
      .executeTakeFirst();
  });

  if (!row)
    throw new AppError("conflict", `The subdomain ${label} is taken`, {
      details: [fieldThat("subdomain", "is taken. Choose another one.")],
    });

  return getProject({ db, secrets }, { organizationId }, row.id);
}

/**
 * Throws an AppError if the organization doesn't exist or has as many projects as its plan allows. Locks the
 * organization.
 */
async function requireProjectQuota(db: Database, organizationId: string): Promise<void> {
  const organization = await db
    .selectFrom("organizations")
    .select("plan")
    .where("id", "=", organizationId)
    .forUpdate()
    .executeTakeFirst();

  if (!organization) throw notFound();

  const { count } = await db
    .selectFrom("projects")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("organization_id", "=", organizationId)
    .executeTakeFirstOrThrow();

  const most = projects_count[organization.plan];
  if (Number(count) >= most)
    throw new AppError(
      "conflict",
      `Your organization's plan allows ${most} projects. Delete a project, or ask the service's operator.`,
    );
}

/** Lists the projects of an organization, with decrypted secrets. */
export async function listProjects(
  { db, secrets }: Pick<Service, "db" | "secrets">,
  { organizationId }: Pick<Scope, "organizationId">,
) {
  const rows = await db
    .selectFrom("projects")
    .select(columns)
    .select(verifiedDomains)
    .where("organization_id", "=", organizationId)
    .orderBy("projects.id")
    .execute();
  return rows.map((row) => decrypted(secrets, row.id, row));
}

/** Returns a project with decrypted secrets. Throws "not found" if the organization has no such project. */
export async function getProject(
  { db, secrets }: Pick<Service, "db" | "secrets">,
  { organizationId }: Pick<Scope, "organizationId">,
  id: string,
): Promise<ProjectRow> {
  const row = await db
    .selectFrom("projects")
    .select(columns)
    .select(verifiedDomains)
    .where("organization_id", "=", organizationId)
    .where("projects.id", "=", id)
    .executeTakeFirst();
  if (!row) throw notFound();
  return decrypted(secrets, id, row);
}

/** Throws "not found" unless the project belongs to the organization. */
export async function requireProject(
  { db }: Pick<Service, "db">,
  { organizationId, checkedProjectId }: Pick<Scope, "organizationId" | "checkedProjectId">,
  id: string,
): Promise<void> {
  if (id === checkedProjectId) return;
  const row = await db
    .selectFrom("projects")
    .select("id")
    .where("organization_id", "=", organizationId)
    .where("id", "=", id)
    .executeTakeFirst();
  if (!row) throw notFound();
}

/**
 * Returns the organization that a project belongs to, for the operator's requests. Throws "not found" if
 * there is no such project.
 */
export async function projectOwner(
  { db }: Pick<Service, "db">,
  id: string,
): Promise<Pick<Scope, "organizationId">> {
  const row = await db
    .selectFrom("projects")
    .select("organization_id")
    .where("id", "=", id)
    .executeTakeFirst();
  if (!row) throw notFound();
  return { organizationId: row.organization_id };
}

/** SQL for a column with the verified domains of the query's `projects` row, in alphabetical order. */
export const verifiedDomains = sql<string[]>`array(
  select domain from domains where domains.project_id = projects.id and verified_at is not null order by domain)`.as(
  "domains",
);

/**
 * Returns the project's domains: the verified ones, and the default host with the path of the verified ones.
 * All of a project's domains have the same path.
 */
export function projectDomains(
  settings: ServiceSettings,
  { domains, subdomain }: Pick<ProjectRow, "domains" | "subdomain">,
) {
  const [first] = domains;
  return [
    ...domains,
    defaultHost(settings, subdomain) + (first === undefined ? "" : splitDomain(first).path),
  ];
}

/** Returns the URL of the project's site: at the first verified domain, or else at the default host. */
export function projectUrl(
  settings: ServiceSettings,
  project: Pick<ProjectRow, "domains" | "subdomain">,
): string {
  return siteUrl(settings, projectDomains(settings, project)[0]!);
}

/**
 * Changes the given settings. Returns the project. Throws an AppError for invalid values, and "not found" if
 * there is no such project. Doesn't rebuild the site.
 */
export async function changeProject(
  service: Service,
  scope: Scope,
  id: string,
  changes: {
    name?: string;
    source?: ProjectSource;
    connection?: ConnectionChange;
    signIn?: Static<typeof SignInSettings>;
    assistant?: Static<typeof AssistantChoice>;
    publishWithErrors?: boolean | null;
    mirror?: MirrorChange;
  },
) {
  const before = await getProject(service, scope, id);
  const connection = changes.source
    ? connectionAfter(service, before, changes.source, changes.connection)
    : undefined;

  const problems = [
    ...(changes.source?.kind === "git"
      ? repositoryProblems(changes.source, connection ?? null, service.settings)
      : []),
    ...(changes.signIn ? signInProblems(changes.signIn) : []),
    ...modelProblems(changes.assistant),
  ];

  if (problems.length) throw invalid("Invalid project", ...problems);

  const encryptedFields = encrypted(service.secrets, id, {
    ...(changes.source ? { source: changes.source, connection: connection ?? null } : {}),
    ...(changes.signIn ? { sign_in: await storedSignIn(changes.signIn) } : {}),
    ...(changes.assistant ? { assistant: mergedAssistant(before.assistant, changes.assistant) } : {}),
  });

  const { source, sign_in, assistant } = encryptedFields;

  // A different repository has no webhook yet, so its branch is polled.
  const urlOf = (given: ProjectSource | undefined) => (given?.kind === "git" ? given.url : undefined);
  const isMoved = changes.source?.kind === "git" && urlOf(before.source) !== changes.source.url;
  await service.db.transaction().execute(async (tx) => {
    await tx
      .updateTable("projects")
      .set({
        ...(source && {
          connection: encryptedFields.connection ? JSON.stringify(encryptedFields.connection) : null,
        }),
        ...(source && (isMoved || source.kind !== "git") ? { next_poll_at: isMoved ? firstPoll : null } : {}),
        ...(changes.name === undefined ? {} : { name: changes.name }),
        ...(changes.publishWithErrors === undefined
          ? {}
          : { publish_with_errors: changes.publishWithErrors }),
        ...(source && { source: JSON.stringify(source) }),
        ...(sign_in && { sign_in: JSON.stringify(sign_in) }),
        ...(assistant && { assistant: JSON.stringify(assistant) }),
        ...publishRevision,
      })
      .where("organization_id", "=", scope.organizationId)
      .where("id", "=", id)
      .execute();

    if (sign_in) await addPublishedEvent({ ...service, db: tx }, id, "sign-in");
    const project = { ...before, source: changes.source ?? before.source };
    // Only a project with its own repository has a mirror.
    const mirror =
      project.source.kind !== "upload" && before.mirror ? (changes.mirror ?? null) : changes.mirror;
    if (mirror !== undefined) await changeMirror({ ...service, db: tx }, scope, project, mirror);
  });

  return getProject(service, scope, id);
}

/**
 * Deletes a project with all its rows, and its bundles, whose links end. Throws "not found" if there is no
 * such project. A sweep deletes the project's other stored files later.
 */
export async function deleteProject({ db, objects }: Service, id: string): Promise<void> {
  const keys = await downloadKeys(db, { project_id: id });
  await db.transaction().execute(async (tx) => {
    // Deleting years of conversations and counts can take a long time.
    await sql`set local statement_timeout = 0`.execute(tx);
    const { numDeletedRows } = await tx.deleteFrom("projects").where("id", "=", id).executeTakeFirst();
    if (numDeletedRows === 0n) throw notFound();
  });
  for (const key of keys) await objects.delete(key);
}

async function storedSignIn(signIn: Static<typeof SignInSettings>): Promise<SignInChoice> {
  if (signIn.mode !== "password") return signIn;
  const { password, groups } = signIn;
  return { mode: "password", passwordHash: await hashPassword(password), ...(groups ? { groups } : {}) };
}

/**
 * Merges the change into the settings. If the change has no API key and the same base URL, the stored API key
 * is kept.
 */
function mergedAssistant(
  before: AssistantSettings | null,
  { enabled, model }: Static<typeof AssistantChoice>,
): AssistantSettings {
  const own = model === undefined ? before?.model : (model ?? undefined);
  const key = own?.apiKey ?? (own?.baseUrl === before?.model?.baseUrl ? before?.model?.apiKey : undefined);
  return {
    isEnabled: enabled ?? before?.isEnabled ?? true,
    ...(own
      ? {
          model: {
            provider: own.provider,
            baseUrl: own.baseUrl,
            name: own.name,
            ...(key === undefined ? {} : { apiKey: key }),
          },
        }
      : {}),
  };
}

/** Removes credentials from the URL of a git source, except from `ssh` URLs. */
export function withoutCredentials(source: ProjectSource): ProjectSource {
  const url = source.kind === "git" ? parseUrl(source.url) : undefined;
  if (source.kind !== "git" || !url || url.protocol === "ssh:") return source;
  url.username = url.password = "";
  return { ...source, url: url.href };
}
