/** Domains of a project: one owner each, proved by a TXT record, or vouched for by the operator. */
import { resolveTxt } from "node:dns/promises";
import { isIP } from "node:net";
import { sql } from "kysely";
import { readHostName } from "../../base/host-name.ts";
import type { Scope } from "../access/scope.ts";
import { invalid, notFound, Refusal } from "../refusal.ts";
import type { Service } from "../service.ts";
import { requireProject } from "./projects.ts";

type Owner = Pick<Scope, "organizationId">;

export async function addDomain(service: Service, owner: Owner, projectId: string, text: string, isVouchedFor: boolean) {
  await requireProject(service, owner, projectId);
  const domain = readHostName(text);
  const { sitesDomain, url } = service.settings;
  if (!domain?.includes(".") || isIP(domain)) throw invalid("Invalid domain", "domain must be a host name such as docs.example.com");
  if (domain === sitesDomain || domain.endsWith(`.${sitesDomain}`) || domain === new URL(url).hostname)
    throw invalid("Invalid domain", "domain must not belong to the service");
  const row = await service.db
    .insertInto("domains")
    .values({
      domain,
      organization_id: owner.organizationId,
      project_id: projectId,
      verification_token: service.random(18).toString("base64url"),
      verified_at: isVouchedFor ? new Date() : null,
    })
    .onConflict((conflict) => conflict.column("domain").doNothing())
    .returningAll()
    .executeTakeFirst();
  if (!row) throw new Refusal("conflict", "The domain is taken");
  await tellHosts(service, projectId);
  return row;
}

export async function listDomains(service: Service, owner: Owner, projectId: string) {
  await requireProject(service, owner, projectId);
  return service.db.selectFrom("domains").selectAll().where("project_id", "=", projectId).orderBy("domain").execute();
}

export async function verifyDomain(service: Service, owner: Owner, projectId: string, text: string) {
  const row = await find(service, owner, projectId, text);
  if (row.verified_at) return row;
  const records = await resolveTxt(recordName(row.domain)).catch(() => []);
  if (!records.some((parts) => parts.join("") === row.verification_token))
    throw new Refusal("conflict", `No TXT record of ${recordName(row.domain)} holds ${row.verification_token}`);
  const verified = await service.db
    .updateTable("domains")
    .set({ verified_at: new Date() })
    .where("domain", "=", row.domain)
    .where("project_id", "=", projectId)
    .returningAll()
    .executeTakeFirstOrThrow();
  await tellHosts(service, projectId);
  return verified;
}

export async function removeDomain(service: Service, owner: Owner, projectId: string, text: string): Promise<void> {
  const { domain } = await find(service, owner, projectId, text);
  await service.db.deleteFrom("domains").where("domain", "=", domain).where("project_id", "=", projectId).execute();
  await tellHosts(service, projectId);
}

export function recordName(domain: string): string {
  return `_octavo.${domain}`;
}

async function find({ db }: Service, owner: Owner, projectId: string, text: string) {
  const row = await db
    .selectFrom("domains")
    .selectAll()
    .where("organization_id", "=", owner.organizationId)
    .where("project_id", "=", projectId)
    .where("domain", "=", readHostName(text) ?? "")
    .executeTakeFirst();
  if (!row) throw notFound();
  return row;
}

async function tellHosts({ db }: Service, projectId: string): Promise<void> {
  await db
    .updateTable("projects")
    .set({ revision: sql`revision + 1`, changed_at: sql`clock_timestamp()` })
    .where("id", "=", projectId)
    .execute();
}
