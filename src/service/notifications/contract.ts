import { Type } from "@sinclair/typebox";
import { endpoint, nextPage, nullable, timestamp } from "../core/endpoint.ts";
import { listQuery } from "../core/list-page.ts";
import { eventTypes } from "../core/notification-events.ts";

const tag = "Webhooks";
const webhookId = { webhookId: "Webhook ID." };

const Events = Type.Array(Type.Union(eventTypes.map((type) => Type.Literal(type))), {
  minItems: 1,
  maxItems: eventTypes.length,
  description: "Types of events to send to the webhook.",
});
const Url = Type.String({
  minLength: 1,
  maxLength: 2_000,
  description: "Public URL that receives events as POST requests. Its host must be resolvable.",
  examples: ["https://example.com/hooks/octavo"],
});
const Format = Type.Union([Type.Literal("json"), Type.Literal("slack")], {
  default: "json",
  description:
    "Format of the request body. `json` sends the event itself, and `slack` sends a message for a Slack incoming webhook.",
});

const projectIdText =
  "ID of the project whose events are sent. If null, the webhook receives events from all projects and events about API keys.";

export const Webhook = Type.Object(
  {
    id: Type.String(),
    projectId: nullable(Type.String({ description: projectIdText })),
    url: Type.String({ examples: ["https://example.com/hooks/octavo"] }),
    format: Format,
    events: Events,
    isEnabled: Type.Boolean(),
    disabledAt: nullable(
      timestamp(
        "When the service disabled the webhook because it had been failing for 5 days. Null if that didn't happen, or if the webhook was enabled again.",
      ),
    ),
    createdAt: timestamp("When the webhook was created."),
  },
  { $id: "Webhook" },
);

export const Delivery = Type.Object(
  {
    id: Type.String(),
    eventId: Type.String({ description: "Event ID. Sent in the `webhook-id` header." }),
    event: Type.String({ description: "Event type." }),
    createdAt: timestamp("When the event occurred."),
    status: Type.Union([Type.Literal("pending"), Type.Literal("delivered"), Type.Literal("failed")]),
    attempt: Type.Integer({
      description: "Number of attempts since the delivery was created or last resent.",
    }),
    lastAttemptAt: nullable(timestamp("When the event was last sent. Null before the first attempt.")),
    nextAttemptAt: nullable(timestamp("When the event is sent next. Null if no attempt is planned.")),
    responseStatus: nullable(
      Type.Integer({
        description: "HTTP status code of the response to the last attempt. Null if there was no response.",
      }),
    ),
    durationMs: nullable(Type.Integer({ description: "Duration of the last attempt in milliseconds." })),
    error: nullable(Type.String({ description: "Why the last attempt failed." })),
  },
  { $id: "WebhookDelivery" },
);

export const createWebhook = endpoint({
  operationId: "createWebhook",
  isIdempotent: true,
  tag,
  summary: "Create a webhook",
  description:
    "The signing secret is returned only in this response. If you send an `Idempotency-Key`, the response is stored encrypted for 24 hours.",
  method: "POST",
  path: "/v1/webhooks",
  caller: "admin",
  body: {
    type: "application/json",
    schema: Type.Object({
      url: Url,
      events: Events,
      format: Type.Optional(Format),
      projectId: Type.Optional(nullable(Type.String({ description: `${projectIdText} Default: \`null\`.` }))),
    }),
  },
  success: {
    status: 201,
    description: "The new webhook, with its signing secret.",
    schema: Type.Composite(
      [
        Webhook,
        Type.Object({
          secret: Type.String({ description: "Secret for verifying signatures. Returned only once." }),
        }),
      ],
      { $id: "NewWebhook" },
    ),
  },
  refusals: {
    404: "The project wasn't found in your organization.",
    409: "The organization has reached its webhook limit.",
  },
});

export const listWebhooks = endpoint({
  operationId: "listWebhooks",
  tag,
  summary: "List webhooks",
  description: "Returns the webhooks of your organization, oldest first, without their signing secrets.",
  method: "GET",
  path: "/v1/webhooks",
  caller: "admin",
  query: listQuery,
  success: {
    status: 200,
    description: "All webhooks in the organization.",
    schema: Type.Object({ webhooks: Type.Array(Webhook), ...nextPage }),
  },
});

export const changeWebhook = endpoint({
  operationId: "changeWebhook",
  tag,
  summary: "Update a webhook",
  description:
    "Updates the specified fields. Omitted fields don't change. Enabling a disabled webhook resets its failures.",
  method: "PATCH",
  path: "/v1/webhooks/{webhookId}",
  caller: "admin",
  params: webhookId,
  body: {
    type: "application/json",
    schema: Type.Object({
      url: Type.Optional(Url),
      events: Type.Optional(Events),
      format: Type.Optional(Format),
      projectId: Type.Optional(nullable(Type.String({ description: projectIdText }))),
      isEnabled: Type.Optional(Type.Boolean()),
    }),
  },
  success: { status: 200, description: "The updated webhook.", schema: Webhook },
});

export const deleteWebhook = endpoint({
  operationId: "deleteWebhook",
  tag,
  summary: "Delete a webhook",
  description: "Also deletes the webhook's deliveries. Pending deliveries aren't sent.",
  method: "DELETE",
  path: "/v1/webhooks/{webhookId}",
  caller: "admin",
  params: webhookId,
  success: { status: 204, description: "The webhook was deleted." },
});

export const listWebhookDeliveries = endpoint({
  operationId: "listWebhookDeliveries",
  tag,
  summary: "List deliveries of a webhook",
  description: "Returns the last 100 deliveries, newest first. Deliveries are stored for up to 30 days.",
  method: "GET",
  path: "/v1/webhooks/{webhookId}/deliveries",
  caller: "admin",
  params: webhookId,
  query: listQuery,
  success: {
    status: 200,
    description: "The deliveries.",
    schema: Type.Object({ deliveries: Type.Array(Delivery), ...nextPage }),
  },
});

export const resendWebhookDelivery = endpoint({
  operationId: "resendWebhookDelivery",
  tag,
  summary: "Resend a delivery",
  description: "Sends the event again, with the same `webhook-id`.",
  method: "POST",
  path: "/v1/webhooks/{webhookId}/deliveries/{deliveryId}/resend",
  caller: "admin",
  params: { ...webhookId, deliveryId: "Delivery ID." },
  success: { status: 202, description: "The delivery is queued.", schema: Delivery },
  refusals: {
    409: "The webhook is disabled.",
    429: "The organization has reached its hourly limit for test events and resent deliveries. Wait for the number of seconds in `Retry-After`.",
  },
});
