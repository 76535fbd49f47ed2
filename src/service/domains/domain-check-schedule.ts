/**
 * Checks the DNS records and certificates of domains in the background, at growing intervals. Verifies
 * domains whose TXT record is found.
 */

import { sql } from "kysely";
import { AppError } from "../../base/app-error.ts";
import { appendAudit } from "../core/audit.ts";
import { databaseJson } from "../core/database-json.ts";
import type { Service } from "../core/service.ts";
import type { DomainCheck } from "../core/tables.ts";
import { findTxt, inspectHost } from "./dns-records.ts";
import { domainTarget } from "./domain-target.ts";
import { markVerified } from "./domains.ts";
import { inspectTls } from "./inspect-tls.ts";

/** Maximum number of domains that a worker checks at the same time. */
const batch_count = 10;
/** Time after which another worker repeats a check whose worker has ended. */
const lease_s = 300;
/**
 * Time until the next check after the result has changed. Doubles with each check that has the same result,
 * up to `longest_s`.
 */
const shortest_s = 15;
const longest_s = 72 * 3_600;

interface Due {
  domain: string;
  organization_id: string;
  project_id: string;
  verification_token: string;
  verified_at: Date | null;
  check_count: number;
  check_result: DomainCheck | null;
  subdomain: string;
}

/** Checks the domains that are due, several at a time, until none are left or `signal` is aborted. */
export async function checkDueDomains(service: Service, signal: AbortSignal): Promise<void> {
  for (;;) {
    const rows = await takeDue(service);
    await Promise.all(rows.map((row) => check(service, row, signal)));
    if (rows.length < batch_count || signal.aborted) return;
  }
}

// `clock_timestamp()` instead of `now()` in the condition would prevent the use of the index.
async function takeDue({ db }: Service): Promise<Due[]> {
  const { rows } = await sql<Due>`
    update domains d set next_check_at = clock_timestamp() + ${lease_s} * interval '1 second'
    from projects p
    where p.id = d.project_id and (d.project_id, d.domain) in (
      select project_id, domain from domains where next_check_at <= now()
      order by next_check_at limit ${batch_count} for update skip locked)
    returning d.domain, d.organization_id, d.project_id, d.verification_token, d.verified_at, d.check_count, d.check_result, p.subdomain`.execute(
    db,
  );
  return rows;
}

async function check(service: Service, row: Due, signal: AbortSignal): Promise<void> {
  const target = domainTarget(service.settings, row.subdomain);
  const txt = await findTxt(row);
  const isTaken = txt === "found" && row.verified_at === null && !(await verify(service, row));
  const isVerified = row.verified_at !== null || (txt === "found" && !isTaken);
  const host: DomainCheck["host"] = isVerified
    ? await inspectHost(row.domain, target)
    : { state: "not-checked", found: [], addresses: [] };

  const tls =
    isVerified && host.state !== "missing"
      ? await inspectTls(service.settings, row.domain, signal)
      : { state: "not-checked" as const };

  if (signal.aborted) return;
  const result: DomainCheck = { at: new Date().toISOString(), txt: isTaken ? "taken" : txt, host, tls };
  const count = isEqual(row.check_result, result) ? row.check_count + 1 : 0;
  const interval_s = Math.min(shortest_s * 2 ** count, longest_s);
  await service.db
    .updateTable("domains")
    .set({
      check_result: databaseJson(result),
      check_count: count,
      next_check_at: sql<Date>`clock_timestamp() + ${interval_s} * interval '1 second'`,
    })
    .where("project_id", "=", row.project_id)
    .where("domain", "=", row.domain)
    .execute();
}

/**
 * Marks a domain as verified, and records it in the audit log. Returns false if another project has verified
 * the domain.
 */
async function verify(service: Service, { organization_id, project_id, domain }: Due): Promise<boolean> {
  try {
    await markVerified(service, project_id, domain);
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
  await appendAudit(service.db, organization_id, "service", {
    action: "verifyDomain",
    target: domain,
    outcome: "success",
  });
  return true;
}

function isEqual(before: DomainCheck | null, after: DomainCheck): boolean {
  const states = (check: DomainCheck) => [check.txt, check.host.state, check.tls.state].join(" ");
  return before !== null && states(before) === states(after);
}
