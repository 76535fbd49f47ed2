/** Dashboard routes where admins manage the organization's webhooks. */

import { AppError, atField, invalid } from "../../base/app-error.ts";
import { idempotent } from "../core/idempotency.ts";
import { validate } from "../http/read-body.ts";
import { type DashboardResponse, page, redirect } from "../ui/dashboard-response.ts";
import { organizationHref } from "../ui/dashboard-urls.ts";
import { idempotentForm, newIdempotencyKey } from "../ui/idempotent-form.ts";
import { Confirm } from "../ui/kit/confirm.tsx";
import type { FormErrors } from "../ui/kit/form-errors.tsx";
import type { NoticeName } from "../ui/notices.ts";
import { field } from "../ui/read-form.ts";
import { requireConfirmation } from "../ui/require-confirmation.ts";
import { rerenderOnError } from "../ui/rerender-on-error.ts";
import { organizationRoute } from "../ui/route.ts";
import type { MemberVisit } from "../ui/visit.ts";
import { createWebhook as createEndpoint } from "./contract.ts";
import { listWebhookDeliveries, resendDelivery, sendTestEvent } from "./deliveries.ts";
import { eventOptions } from "./event-labels.ts";
import {
  Notifications,
  WebhookCreated,
  type WebhookFields,
  type WebhookView,
} from "./notifications-view.tsx";
import { WebhookPage } from "./webhook-view.tsx";
import {
  changeWebhook,
  deleteWebhook,
  getWebhook,
  insertWebhook,
  listWebhooks,
  type NewWebhook,
  requireValidWebhook,
  type WebhookChange,
  type WebhookRow,
  webhookHost,
} from "./webhooks.ts";

/** While a delivery's next attempt is due within this time, the list of deliveries reloads itself. */
const soon_ms = 90_000;

export const notificationRoutes = [
  organizationRoute("GET /notifications", "listWebhooks", "admin", (visit) => showAll(visit)),
  organizationRoute("POST /notifications", "createWebhook", "admin", async (visit) => create(visit), {
    showErrors: showAll,
  }),
  organizationRoute("GET /notifications/:webhookId", "showWebhook", "admin", (visit) => showOne(visit)),
  organizationRoute("POST /notifications/:webhookId", "changeWebhook", "admin", (visit) =>
    changed(visit, "webhook-saved", () => readWebhookForm(visit.form)),
  ),
  organizationRoute("POST /notifications/:webhookId/enable", "changeWebhook", "admin", (visit) =>
    changed(visit, "webhook-enabled", () => ({ isEnabled: true })),
  ),
  organizationRoute("POST /notifications/:webhookId/disable", "changeWebhook", "admin", (visit) =>
    changed(visit, "webhook-disabled", () => ({ isEnabled: false })),
  ),
  organizationRoute(
    "POST /notifications/:webhookId/test",
    "sendTestEvent",
    "admin",
    async (visit) => {
      await sendTestEvent(visit.service, visit.scope, visit.params.webhookId!);
      return redirect(webhookHref(visit), "delivery-queued");
    },
    { showErrors: showOne },
  ),
  organizationRoute(
    "POST /notifications/:webhookId/deliveries/:deliveryId/resend",
    "resendWebhookDelivery",
    "admin",
    async (visit) => {
      await resendDelivery(visit.service, visit.scope, visit.params.webhookId!, visit.params.deliveryId!);
      return redirect(webhookHref(visit), "delivery-queued");
    },
    { showErrors: showOne },
  ),
  organizationRoute("GET /notifications/:webhookId/delete", "askToDeleteWebhook", "admin", (visit) =>
    askToDelete(visit),
  ),
  organizationRoute(
    "POST /notifications/:webhookId/delete",
    "deleteWebhook",
    "admin",
    async (visit) => {
      const { service, scope, params, form } = visit;
      requireConfirmation(form, webhookHost(await getWebhook(service, scope, params.webhookId!)));
      await deleteWebhook(service, scope, params.webhookId!);
      return redirect(listHref(visit), "webhook-deleted");
    },
    { showErrors: askToDelete },
  ),
];

function listHref({ member }: MemberVisit): string {
  return organizationHref(member.organizationId, "/notifications");
}

function webhookHref(visit: MemberVisit): string {
  return `${listHref(visit)}/${visit.params.webhookId}`;
}

async function create(visit: MemberVisit): Promise<DashboardResponse> {
  const { service, scope, form, recorded } = visit;
  const given = readWebhookForm(form);

  // A repeated request gets the stored ID. The secret isn't stored with it.
  let secret: string | undefined;
  const { answer: id } = await idempotent(
    service,
    scope,
    idempotentForm("dashboard createWebhook", form),
    () => requireValidWebhook(service, scope, given),
    async (tx) => {
      const created = await insertWebhook(service, tx, scope, given);
      secret = created.secret;
      return created.row.id;
    },
  );

  recorded.webhookId = id;

  if (secret === undefined)
    throw new AppError("conflict", "This webhook was already created, and its secret can't be shown again", {
      details: ["If you didn't copy the secret, delete the webhook and create a new one."],
    });

  return page(
    "Webhook created",
    <WebhookCreated
      organizationId={scope.organizationId}
      id={id}
      host={webhookHost(given)}
      secret={secret}
    />,
  );
}

function changed(
  visit: MemberVisit,
  notice: NoticeName,
  read: () => WebhookChange,
): Promise<DashboardResponse> {
  return rerenderOnError(
    async () => {
      await changeWebhook(visit.service, visit.scope, visit.params.webhookId!, read());
      return redirect(webhookHref(visit), notice);
    },
    (errors) => showOne(visit, errors),
  );
}

function readWebhookForm(form: URLSearchParams): NewWebhook {
  const { url, format, projectId, events } = fieldsOf(form);
  if (events.length === 0) throw invalid("Invalid webhook", atField("events", "Choose at least one event"));
  return validate(
    createEndpoint.body.schema,
    { url, format, events, projectId: projectId || null },
    "Invalid webhook",
  );
}

function fieldsOf(form: URLSearchParams): WebhookFields {
  return {
    url: field(form, "url"),
    format: field(form, "format") || "json",
    projectId: field(form, "projectId"),
    events: form.getAll("events"),
  };
}

async function showAll(visit: MemberVisit, errors?: FormErrors) {
  const { service, scope, form, projects } = visit;
  const webhooks = await listWebhooks(service, scope);
  return page(
    "Notifications",
    <Notifications
      organizationId={scope.organizationId}
      webhooks={webhooks.map((row) => webhookView(row, projects))}
      form={{
        filled: form.has("url") ? fieldsOf(form) : { ...fieldsOf(form), events: ["deployment.failed"] },
        projects,
        options: eventOptions(service.settings),
        errors,
        idempotencyKey: newIdempotencyKey(service),
      }}
    />,
  );
}

async function showOne(visit: MemberVisit, errors?: FormErrors) {
  const { service, scope, params, form, projects } = visit;
  const row = await getWebhook(service, scope, params.webhookId!);
  const deliveries = await listWebhookDeliveries(service, scope, row.id);
  const stored = { url: row.url, format: row.format, projectId: row.project_id ?? "", events: row.events };
  return page(
    webhookHost(row),
    <WebhookPage
      organizationId={scope.organizationId}
      webhook={webhookView(row, projects)}
      deliveries={deliveries.map((delivery) => ({
        id: delivery.id,
        event: delivery.type,
        createdAt: delivery.created_at,
        status: delivery.status,
        attempt: delivery.attempt,
        lastAttemptAt: delivery.last_attempt_at,
        nextAttemptAt: delivery.next_attempt_at,
        responseStatus: delivery.response_status,
        duration_ms: delivery.duration_ms,
        error: delivery.error,
      }))}
      isSending={deliveries.some(
        ({ status, next_attempt_at }) =>
          status === "pending" && (next_attempt_at?.getTime() ?? Infinity) < Date.now() + soon_ms,
      )}
      form={{
        filled: form.has("url") ? fieldsOf(form) : stored,
        projects,
        options: eventOptions(service.settings),
        errors,
      }}
    />,
  );
}

function webhookView(row: WebhookRow, projects: MemberVisit["projects"]): WebhookView {
  return {
    id: row.id,
    host: webhookHost(row),
    project: projects.find(({ id }) => id === row.project_id)?.name,
    format: row.format,
    events: row.events,
    isEnabled: row.is_enabled,
    failingSince: row.failing_since,
    disabledAt: row.disabled_at,
    createdAt: row.created_at,
  };
}

async function askToDelete(visit: MemberVisit, errors?: FormErrors) {
  const row = await getWebhook(visit.service, visit.scope, visit.params.webhookId!);
  const host = webhookHost(row);
  return page(
    "Delete webhook",
    <Confirm
      title={`Delete the webhook to ${host}?`}
      name={host}
      action={`${webhookHref(visit)}/delete`}
      button="Delete webhook"
      backTo={webhookHref(visit)}
      errors={errors}
    >
      The webhook won't receive any more events, and its deliveries will be deleted. This can't be undone.
    </Confirm>,
  );
}
