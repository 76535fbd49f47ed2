/**
 * Adds, verifies and removes the domains of a project: host names, with or without a path that the site is
 * below. Several projects can claim a domain, but only one of them can verify it, with a TXT record or
 * through the operator. Projects can have different paths of a host, unless a path is below another one. All
 * domains of a project have the same path, which its site is built for.
 */

import { isIP } from "node:net";
import { sql } from "kysely";
import { AppError, fieldThat, invalid, notFound } from "../../base/app-error.ts";
import { limits } from "../../base/limits.ts";
import { readSiteDomain, splitDomain } from "../../base/site-domain.ts";
import type { Scope } from "../core/scope.ts";
import type { Service } from "../core/service.ts";
import type { Tx } from "../core/tables.ts";
import { transact } from "../core/transact.ts";
import { lockProject, publishRevision } from "../deployments/project-row.ts";
import { addPublishedEvent } from "../deployments/published-event.ts";
import { rebuildOutdated } from "../deployments/rebuild-outdated.ts";
import { requireProject } from "../projects/projects.ts";
import { findTxt, recordName } from "./dns-records.ts";

type Owner = Pick<Scope, "organizationId">;

/**
 * Claims a domain without verifying it. Throws an AppError for an invalid domain, and a conflict if another
 * project has verified the domain or one that overlaps with it, the project already has it or has domains
 * with a different path, or the organization has too many domains.
 */
export async function addDomain(service: Service, owner: Owner, projectId: string, text: string) {
  await requireProject(service, owner, projectId);
  const domain = readDomain(service, text);
  const row = await transact(service.db, async (tx) => {
    // The lock prevents concurrent requests from exceeding the limit together.
    await tx
      .selectFrom("organizations")
      .select("id")
      .where("id", "=", owner.organizationId)
      .forUpdate()
      .execute();

    const { count } = await tx
      .selectFrom("domains")
      .select((select) => select.fn.countAll<number>().as("count"))
      .where("organization_id", "=", owner.organizationId)
      .executeTakeFirstOrThrow();

    if (Number(count) >= limits.domains_count)
      throw new AppError(
        "conflict",
        `Your organization has reached its limit of ${limits.domains_count} domains. Remove one first.`,
      );

    await requireFree(tx, projectId, domain);
    await requireSamePath(tx, owner, projectId, domain);

    return tx
      .insertInto("domains")
      .values(newRow(service, owner, projectId, domain))
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .executeTakeFirst();
  });

  if (!row) throw new AppError("conflict", "This project already has this domain");
  return row;
}

/**
 * Adds a domain as verified, for the operator. If another project has verified the domain, removes the domain
 * from that project (`isReplacing`) or throws a conflict. The limit on an organization's domains doesn't
 * apply.
 */
export async function addVerifiedDomain(
  service: Service,
  owner: Owner,
  projectId: string,
  text: string,
  isReplacing: boolean,
) {
  const domain = readDomain(service, text);
  const verified_at = new Date();
  const changed = [projectId];
  const added = await service.db.transaction().execute(async (tx) => {
    await lockHost(tx, domain);
    await requireSamePath(tx, owner, projectId, domain);
    const others = tx.deleteFrom("domains").where("domain", "=", domain).where("project_id", "<>", projectId);
    const before = isReplacing
      ? await others.where("verified_at", "is not", null).returning("project_id").executeTakeFirst()
      : undefined;
    await requireFree(tx, projectId, domain, replaceHint);

    const row = await tx
      .insertInto("domains")
      .values({ ...newRow(service, owner, projectId, domain), verified_at })
      .onConflict((conflict) => conflict.columns(["project_id", "domain"]).doUpdateSet({ verified_at }))
      .returningAll()
      .executeTakeFirstOrThrow();

    if (before) {
      changed.push(before.project_id);
      await publishChange({ ...service, db: tx }, before.project_id, domain);
    }

    await publishChange({ ...service, db: tx }, projectId);
    return row;
  });

  await rebuildOutdated(service, changed);
  return added;
}

function readDomain({ settings: { sitesDomain, url } }: Service, text: string): string {
  const domain = readSiteDomain(text);
  const host = domain && splitDomain(domain).host;
  if (!host?.includes(".") || isIP(host))
    throw invalid(
      "Invalid domain",
      fieldThat(
        "domain",
        "must be a host name such as docs.example.com, or a host name with a path, such as example.com/docs",
      ),
    );
  if (host === sitesDomain || host.endsWith(`.${sitesDomain}`) || host === new URL(url).hostname)
    throw invalid(
      "Invalid domain",
      fieldThat("domain", "belongs to this service. Enter a domain that you own."),
    );
  return domain!;
}

/** Prevents concurrent transactions from verifying domains of the same host that overlap. */
async function lockHost(tx: Tx, domain: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`domain ${splitDomain(domain).host}`}, 0))`.execute(
    tx,
  );
}

const replaceHint = ". Set `replace` to `true` to move it here.";

/**
 * Throws a conflict if another project has verified the domain, a domain that this one is below, or one below
 * this one: their sites would share pages and cookies. `hint`: addition to the message if it's the same
 * domain.
 */
async function requireFree(tx: Tx, projectId: string, domain: string, hint = ""): Promise<void> {
  const taken = await tx
    .selectFrom("domains")
    .select("domain")
    .where("project_id", "<>", projectId)
    .where("verified_at", "is not", null)
    .where(
      sql<boolean>`(domain = ${domain} or starts_with(domain, ${`${domain}/`}) or starts_with(${`${domain}/`}, domain || '/'))`,
    )
    .limit(1)
    .executeTakeFirst();

  if (!taken) return;
  if (taken.domain === domain)
    throw new AppError("conflict", `Another project has verified this domain${hint}`);

  throw new AppError(
    "conflict",
    `Another project has verified ${taken.domain}, which overlaps with this domain. Enter a different path.`,
  );
}

/** Throws a conflict if the project has a domain with a different path. Locks the project's row. */
async function requireSamePath(tx: Tx, owner: Owner, projectId: string, domain: string): Promise<void> {
  await lockProject(tx, owner, projectId);
  const { path } = splitDomain(domain);
  const rows = await tx.selectFrom("domains").select("domain").where("project_id", "=", projectId).execute();
  const other = rows.find((row) => splitDomain(row.domain).path !== path);
  if (!other) return;
  throw new AppError(
    "conflict",
    `All domains of a project have the same path, but this project has ${other.domain}. Remove it first, or enter a domain with ${splitDomain(other.domain).path ? `the path ${splitDomain(other.domain).path}` : "no path"}.`,
  );
}

function newRow(service: Service, { organizationId }: Owner, projectId: string, domain: string) {
  return {
    domain,
    organization_id: organizationId,
    project_id: projectId,
    verification_token: service.random(18).toString("base64url"),
  };
}

/** Lists all domains of a project, verified or not. Throws "not found" if there is no such project. */
export async function listDomains(service: Service, owner: Owner, projectId: string) {
  await requireProject(service, owner, projectId);
  return service.db
    .selectFrom("domains")
    .selectAll()
    .where("project_id", "=", projectId)
    .orderBy("domain")
    .execute();
}

/**
 * Looks up the TXT record and marks the domain as verified. If the record isn't found, schedules more checks
 * in the background and throws a conflict. Also throws a conflict if another project has verified the domain,
 * and "not found" if the project doesn't have the domain.
 */
export async function verifyDomain(service: Service, owner: Owner, projectId: string, text: string) {
  const row = await find(service, owner, projectId, text);
  if (row.verified_at) return row;
  if ((await findTxt(row)) !== "found") {
    await checkSoon(service, projectId, row.domain);
    throw new AppError(
      "conflict",
      `We couldn't find a TXT record for ${recordName(row.domain)} with the value ${row.verification_token} yet. DNS can take a few minutes.`,
    );
  }
  return markVerified(service, projectId, row.domain);
}

/**
 * Marks a domain as verified without checking the TXT record, and rebuilds the site if it wasn't built for
 * the domain's path. Throws a conflict if another project has verified the domain or one that overlaps with
 * it.
 */
export async function markVerified(service: Service, projectId: string, domain: string) {
  const row = await service.db.transaction().execute(async (tx) => {
    await lockHost(tx, domain);
    await requireFree(tx, projectId, domain);
    const verified = await tx
      .updateTable("domains")
      .set({ verified_at: new Date(), next_check_at: sql`clock_timestamp()`, check_count: 0 })
      .where("domain", "=", domain)
      .where("project_id", "=", projectId)
      .returningAll()
      .executeTakeFirstOrThrow();
    await publishChange({ ...service, db: tx }, projectId);
    return verified;
  });

  await rebuildOutdated(service, [projectId]);
  return row;
}

/**
 * Schedules a check of a domain's records and certificate within seconds, and later checks at growing
 * intervals. Throws "not found" if the project doesn't have the domain.
 */
export async function recheckDomain(
  service: Service,
  owner: Owner,
  projectId: string,
  text: string,
): Promise<void> {
  const { domain } = await find(service, owner, projectId, text);
  await checkSoon(service, projectId, domain);
}

async function checkSoon({ db }: Service, projectId: string, domain: string): Promise<void> {
  await db
    .updateTable("domains")
    .set({ next_check_at: sql`clock_timestamp()`, check_count: 0 })
    .where("domain", "=", domain)
    .where("project_id", "=", projectId)
    .execute();
}

/**
 * Removes a domain from a project, and rebuilds the site if this changes its path. Throws "not found" if the
 * project doesn't have the domain.
 */
export async function removeDomain(
  service: Service,
  owner: Owner,
  projectId: string,
  text: string,
): Promise<void> {
  const { domain } = await find(service, owner, projectId, text);
  await service.db.transaction().execute(async (tx) => {
    await tx.deleteFrom("domains").where("domain", "=", domain).where("project_id", "=", projectId).execute();
    await publishChange({ ...service, db: tx }, projectId, domain);
  });
  await rebuildOutdated(service, [projectId]);
}

/** Deletes unverified claims that have expired. */
export async function sweepDomains({ db }: Pick<Service, "db">): Promise<void> {
  await db
    .deleteFrom("domains")
    .where("verified_at", "is", null)
    .where("created_at", "<", new Date(Date.now() - limits.domainClaim_ms))
    .execute();
}

async function find({ db }: Service, owner: Owner, projectId: string, text: string) {
  const row = await db
    .selectFrom("domains")
    .selectAll()
    .where("organization_id", "=", owner.organizationId)
    .where("project_id", "=", projectId)
    .where("domain", "=", readSiteDomain(text) ?? "")
    .executeTakeFirst();
  if (!row) throw notFound();
  return row;
}

/**
 * Increments the project's revision, so that the processes that serve sites load its domains again, and adds
 * an event. Must be called in the transaction that changes the domain.
 */
async function publishChange(service: Service, projectId: string, removedDomain?: string): Promise<void> {
  await service.db.updateTable("projects").set(publishRevision).where("id", "=", projectId).execute();
  await addPublishedEvent(service, projectId, "domains", removedDomain);
}
