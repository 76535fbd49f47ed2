import { pageOf } from "../core/list-page.ts";
import type { Handlers } from "../http/call.ts";
import { once } from "../http/once.ts";
import type * as contract from "./contract.ts";
import { type DeliveryRow, listWebhookDeliveries, resendDelivery } from "./deliveries.ts";
import {
  changeWebhook,
  deleteWebhook,
  insertWebhook,
  listWebhooks,
  requireValidWebhook,
  type WebhookRow,
} from "./webhooks.ts";

export const webhookHandlers: Handlers<
  Pick<
    typeof contract,
    | "createWebhook"
    | "listWebhooks"
    | "changeWebhook"
    | "deleteWebhook"
    | "listWebhookDeliveries"
    | "resendWebhookDelivery"
  >
> = {
  createWebhook: (call) =>
    once(call, {
      operationId: "createWebhook",
      organizationId: call.scope.organizationId,
      prepare: () => requireValidWebhook(call.service, call.scope, call.body),
      async run(service) {
        const { row, secret } = await insertWebhook(service, service.db, call.scope, call.body);
        return { ...showWebhook(row), secret };
      },
    }),
  async listWebhooks({ service, scope, query }) {
    const { rows, ...page } = pageOf(await listWebhooks(service, scope), ({ id }) => id, query);
    return { webhooks: rows.map(showWebhook), ...page };
  },
  changeWebhook: async ({ service, scope, params, body }) =>
    showWebhook(await changeWebhook(service, scope, params.webhookId, body)),
  async deleteWebhook({ service, scope, params }) {
    await deleteWebhook(service, scope, params.webhookId);
    return undefined;
  },
  async listWebhookDeliveries({ service, scope, params, query }) {
    const all = await listWebhookDeliveries(service, scope, params.webhookId);
    const { rows, ...page } = pageOf(all, ({ id }) => id, query, true);
    return { deliveries: rows.map(showDelivery), ...page };
  },
  async resendWebhookDelivery({ service, scope, params }) {
    return showDelivery(await resendDelivery(service, scope, params.webhookId, params.deliveryId));
  },
};

function showWebhook(row: WebhookRow) {
  return {
    id: row.id,
    projectId: row.project_id,
    url: row.url,
    format: row.format,
    events: row.events as never[],
    isEnabled: row.is_enabled,
    disabledAt: row.disabled_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
  };
}

function showDelivery(row: DeliveryRow) {
  return {
    id: row.id,
    eventId: row.event_id,
    event: row.type,
    createdAt: row.created_at.toISOString(),
    status: row.status,
    attempt: row.attempt,
    lastAttemptAt: row.last_attempt_at?.toISOString() ?? null,
    nextAttemptAt: row.next_attempt_at?.toISOString() ?? null,
    responseStatus: row.response_status,
    durationMs: row.duration_ms,
    error: row.error,
  };
}
