/**
 * Creates, lists, changes and deletes the webhooks of an organization, and checks the hosts that they may
 * call.
 */

import type { Static } from "@sinclair/typebox";
import type { Selectable } from "kysely";
import { AppError, atField, fieldThat, invalid, notFound } from "../../base/app-error.ts";
import { parseUrl } from "../../base/url.ts";
import { checkHost, RequestBlocked } from "../../io/outbound.ts";
import { eventTypes } from "../core/notification-events.ts";
import type { Scope } from "../core/scope.ts";
import type { Service, ServiceSettings } from "../core/service.ts";
import type { Tables, Tx } from "../core/tables.ts";
import { decryptedWebhook, encryptedWebhook } from "../core/webhook-secrets.ts";
import { requireProject } from "../projects/projects.ts";
import type { changeWebhook as changeEndpoint, createWebhook as createEndpoint } from "./contract.ts";
import { createSigningSecret } from "./webhook-signature.ts";

/** Maximum number of webhooks per organization. */
const webhooks_count = 20;

export type NewWebhook = Static<(typeof createEndpoint)["body"]["schema"]>;
export type WebhookChange = Static<(typeof changeEndpoint)["body"]["schema"]>;
/** A webhook with its URL in plain text and without its secret. */
export type WebhookRow = Omit<Selectable<Tables["webhooks"]>, "secret">;

export interface CreatedWebhook {
  row: WebhookRow;
  /** Signing secret. It can't be read again later. */
  secret: string;
}

/**
 * Inserts a webhook. The values must have been checked with `requireValidWebhook`. Throws a conflict if the
 * organization has too many.
 */
export async function insertWebhook(
  service: Pick<Service, "ulid" | "random" | "secrets">,
  tx: Tx,
  { organizationId }: Scope,
  given: NewWebhook,
): Promise<CreatedWebhook> {
  await tx.selectFrom("organizations").select("id").where("id", "=", organizationId).forUpdate().execute();

  const { count } = await tx
    .selectFrom("webhooks")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("organization_id", "=", organizationId)
    .executeTakeFirstOrThrow();

  if (Number(count) >= webhooks_count)
    throw new AppError(
      "conflict",
      `Your organization has reached its limit of ${webhooks_count} webhooks. Delete one first.`,
    );

  const [id, secret] = [service.ulid(), createSigningSecret(service.random)];
  const row = await tx
    .insertInto("webhooks")
    .values({
      id,
      organization_id: organizationId,
      project_id: given.projectId ?? null,
      format: given.format ?? "json",
      events: inOrder(given.events),
      ...encryptedWebhook(service.secrets, id, { url: given.url, secret }),
    })
    .returningAll()
    .executeTakeFirstOrThrow();

  return { row: withoutSecret(service, row), secret };
}

export async function listWebhooks(
  service: Pick<Service, "db" | "secrets">,
  { organizationId }: Pick<Scope, "organizationId">,
): Promise<WebhookRow[]> {
  const rows = await service.db
    .selectFrom("webhooks")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .orderBy("id")
    .execute();
  return rows.map((row) => withoutSecret(service, row));
}

/** Returns a webhook. Throws "not found" if the organization has no such webhook. */
export async function getWebhook(
  service: Pick<Service, "db" | "secrets">,
  { organizationId }: Pick<Scope, "organizationId">,
  id: string,
): Promise<WebhookRow> {
  const row = await service.db
    .selectFrom("webhooks")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("id", "=", id)
    .executeTakeFirst();
  if (!row) throw notFound();
  return withoutSecret(service, row);
}

/**
 * Changes the given properties of a webhook. Throws "not found" if there is no such webhook, and an AppError
 * if the URL or the project isn't allowed. Enabling a disabled webhook resets its failures.
 */
export async function changeWebhook(
  service: Service,
  scope: Scope,
  id: string,
  change: WebhookChange,
): Promise<WebhookRow> {
  const current = await getWebhook(service, scope, id);
  await requireValidWebhook(service, scope, change);
  const { url, events, format, projectId, isEnabled } = change;
  const row = await service.db
    .updateTable("webhooks")
    .set({
      // Keeps the statement valid if nothing is changed.
      id,
      ...(url === undefined ? {} : { url: encryptedWebhook(service.secrets, id, { url, secret: "" }).url }),
      ...(events === undefined ? {} : { events: inOrder(events) }),
      ...(format === undefined ? {} : { format }),
      ...(projectId === undefined ? {} : { project_id: projectId }),
      ...(isEnabled === undefined ? {} : { is_enabled: isEnabled }),
      ...(isEnabled && !current.is_enabled ? { failing_since: null, disabled_at: null } : {}),
    })
    .where("organization_id", "=", scope.organizationId)
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirst();

  if (!row) throw notFound();
  return withoutSecret(service, row);
}

/** Deletes a webhook and its deliveries. Throws "not found" if the organization has no such webhook. */
export async function deleteWebhook(
  { db }: Pick<Service, "db">,
  { organizationId }: Pick<Scope, "organizationId">,
  id: string,
): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom("webhooks")
    .where("organization_id", "=", organizationId)
    .where("id", "=", id)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw notFound();
}

/**
 * Returns the outbound rules for webhooks. An air-gapped service only calls hosts that its operator allows.
 */
export function receiverRules({ allowed, kind }: Pick<ServiceSettings, "allowed" | "kind">) {
  return { ...(allowed ? { allowed } : {}), onlyAllowed: kind === "air-gapped" };
}

function inOrder(events: readonly string[]): string[] {
  return eventTypes.filter((type) => events.includes(type));
}

/**
 * Returns the host of a webhook's URL; empty if the URL isn't valid. Displayed instead of the URL, because
 * the path can contain a secret.
 */
export function webhookHost({ url }: Pick<WebhookRow, "url">): string {
  return parseUrl(url)?.host ?? "";
}

function withoutSecret(
  { secrets }: Pick<Service, "secrets">,
  { secret, ...row }: Selectable<Tables["webhooks"]>,
): WebhookRow {
  return { ...row, url: decryptedWebhook(secrets, row.id, { url: row.url, secret }).url };
}

/**
 * Throws an AppError if the URL or the project isn't allowed. Resolves the URL's host to check its IP
 * addresses.
 */
export async function requireValidWebhook(
  service: Service,
  scope: Scope,
  { url, projectId }: { url?: string; projectId?: string | null },
): Promise<void> {
  if (typeof projectId === "string") await requireProject(service, scope, projectId);
  if (url === undefined) return;
  const parsed = parseUrl(url);
  if (!parsed || !/^https?:$/.test(parsed.protocol) || parsed.username || parsed.password)
    throw invalid(
      "Invalid webhook",
      fieldThat("url", "must be an http or https URL without a user name or password"),
    );
  await checkHost(parsed, receiverRules(service.settings)).catch((error: unknown) => {
    const reason =
      error instanceof RequestBlocked
        ? `Request blocked: ${error.message}`
        : `${parsed.hostname} can't be found. Check the host name`;
    throw invalid("Invalid webhook", atField("url", reason));
  });
}
