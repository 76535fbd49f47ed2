/**
 * Writes and reads an organization's audit log, which is append-only. Only a limited number of refused
 * requests is recorded, so that they can't fill the log.
 */

import { sql } from "kysely";
import { limits } from "../../base/limits.ts";
import type { AuditAction } from "./audit-actions.ts";
import type { Origin, Scope } from "./scope.ts";
import { admit } from "./sliding-window.ts";
import type { Database } from "./tables.ts";

/** Outcomes of background work. Outcomes of requests are HTTP statuses. */
const workOutcomes = {
  success: "success",
  /**
   * Of deployments: built and made live, built and held, built for a preview, or built after a later
   * deployment.
   */
  live: "success",
  held: "success",
  ready: "success",
  superseded: "success",
  failure: "failed",
} as const;

export type AuditOutcome = keyof typeof workOutcomes | `${number}`;
export type AuditResult = "success" | "failed" | "denied";

export interface AuditEvent {
  action: AuditAction;
  target: string;
  outcome: AuditOutcome;
  /** Additional data; must be small and must not contain secrets. */
  metadata?: Record<string, unknown>;
  /** Whether the request only read data. Entries about reads may be lost in a power failure. */
  isRead?: boolean;
}

/**
 * Appends an event. Does nothing if the organization was deleted, or if the request was refused (4xx) and too
 * many refused requests of the same actor were recorded recently.
 */
export async function appendAudit(
  db: Database,
  organizationId: string,
  actor: string,
  event: AuditEvent,
  origin: Origin = {},
): Promise<void> {
  const { action, target, outcome, isRead = false } = event;
  let { metadata = {} } = event;

  if (outcome.startsWith("4")) {
    const { count, window_s } = limits.auditedRefusals;
    const { isAdmitted, remaining } = await admit(db, `${organizationId} ${actor}`, {
      name: "refusals",
      quota: count,
      window_s,
    });
    if (!isAdmitted) return;
    if (remaining === 0)
      metadata = {
        ...metadata,
        note: "Further refused requests by this actor aren't recorded for up to an hour",
      };
  }

  const append = sql`select append_audit(${organizationId}, ${actor}, ${action}, ${target}, ${outcome},
    ${origin.requestId ?? null}, ${origin.address ?? null}, ${JSON.stringify(metadata)}::jsonb, ${!isRead})`;
  await append.execute(db).catch((error: { code?: string }) => {
    // Foreign key violation: the organization was deleted, and its log with it.
    if (error.code !== "23503") throw error;
  });
}

/**
 * Returns the result that an outcome stands for. Undefined for an unknown outcome, which an entry of another
 * version can have.
 */
export function resultOf(outcome: string): AuditResult | undefined {
  if (/^[23]\d\d$/.test(outcome)) return "success";
  if (outcome === "401" || outcome === "403") return "denied";
  if (/^[45]\d\d$/.test(outcome)) return "failed";
  return Object.hasOwn(workOutcomes, outcome)
    ? workOutcomes[outcome as keyof typeof workOutcomes]
    : undefined;
}

/** Returns up to `limit` entries with a number below `before`, newest first. */
export async function listAudit(db: Database, scope: Scope, page: { limit: number; before: number }) {
  const rows = await db
    .selectFrom("audit_log")
    .selectAll()
    .where("organization_id", "=", scope.organizationId)
    .where("number", "<", page.before)
    .orderBy("number", "desc")
    .limit(page.limit + 1)
    .execute();
  return { entries: rows.slice(0, page.limit), hasMore: rows.length > page.limit };
}

/**
 * Maximum number of entries that one call to `findAudit` reads, so that a filter with few matches doesn't
 * read the whole log.
 */
const auditScan_count = 20_000;

export type AuditEntry = Awaited<ReturnType<typeof listAudit>>["entries"][number];

export interface AuditFilter {
  /** Text that the actor must contain, ignoring case. Empty for any actor. */
  actor: string;
  /** Result of the action. Undefined for any result. */
  result: "success" | "failure" | undefined;
  /** Names of actions to leave out. */
  without: readonly string[];
  /** Date range in milliseconds since 1970. `dateTo` is exclusive. */
  dateFrom: number;
  dateTo: number;
}

/**
 * Returns up to `limit` matching entries with a number below `before`, newest first. `next`: `before` for the
 * next page; undefined if there is none. Can be set even if few or no entries are returned, because each call
 * reads at most `auditScan_count` entries.
 */
export async function findAudit(
  db: Database,
  { organizationId }: Scope,
  { actor, result, without, dateFrom, dateTo }: AuditFilter,
  { limit, before }: { limit: number; before: number },
): Promise<{ entries: AuditEntry[]; next: number | undefined }> {
  const inRange = db
    .selectFrom("audit_log")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("at", ">=", new Date(dateFrom))
    .where("at", "<", new Date(dateTo))
    .where("number", "<", before)
    .orderBy("number", "desc");

  const entries = await db
    .selectFrom(inRange.limit(auditScan_count).as("scanned"))
    .selectAll()
    .where(sql<boolean>`strpos(lower(actor), ${actor.toLowerCase()}) > 0`)
    .where(sql<boolean>`action <> all(${without})`)
    .$if(result !== undefined, (query) => query.where(outcomeIs(result!)))
    .orderBy("number", "desc")
    .limit(limit)
    .execute();

  if (entries.length === limit) return { entries, next: entries.at(-1)!.number };

  const lastScanned = await inRange
    .offset(auditScan_count - 1)
    .limit(1)
    .executeTakeFirst();

  return { entries, next: lastScanned?.number };
}

function outcomeIs(result: NonNullable<AuditFilter["result"]>) {
  const names = Object.entries(workOutcomes).flatMap(([name, of]) =>
    (of === "success") === (result === "success") ? [name] : [],
  );
  return sql<boolean>`(outcome = any(${names}) or outcome ~ ${result === "success" ? "^[23]" : "^[45]"})`;
}
