/** Renders the page of a webhook: settings and deliveries. */

import { organizationHref } from "../ui/dashboard-urls.ts";
import { LinkButton, PostButton } from "../ui/kit/form.tsx";
import { FormErrorNote } from "../ui/kit/form-errors.tsx";
import { Badge, Empty, Facts, Live, Note, PageHead, Section } from "../ui/kit/page-parts.tsx";
import { Table } from "../ui/kit/table.tsx";
import { Time } from "../ui/kit/time.tsx";
import { eventLabel } from "./event-labels.ts";
import { WebhookForm, type WebhookFormProps, WebhookState, type WebhookView } from "./notifications-view.tsx";

export interface DeliveryView {
  id: string;
  event: string;
  createdAt: Date;
  status: "pending" | "delivered" | "failed";
  attempt: number;
  lastAttemptAt: Date | null;
  nextAttemptAt: Date | null;
  responseStatus: number | null;
  duration_ms: number | null;
  error: string | null;
}

export interface WebhookPageProps {
  organizationId: string;
  webhook: WebhookView;
  deliveries: readonly DeliveryView[];
  /** Whether an attempt is due soon. If so, the list of deliveries reloads itself. */
  isSending: boolean;
  form: Omit<WebhookFormProps, "action" | "button">;
}

export function WebhookPage({ organizationId, webhook, deliveries, isSending, form }: WebhookPageProps) {
  const list = organizationHref(organizationId, "/notifications");
  const path = `${list}/${webhook.id}`;
  return (
    <>
      <PageHead
        title={webhook.host}
        lead={webhook.events.map(eventLabel).join(", ")}
        back={{ label: "Notifications", href: list }}
        actions={
          <>
            <LinkButton href={`${path}/delete`}>Delete</LinkButton>
            {webhook.isEnabled ? (
              <>
                <PostButton action={`${path}/disable`}>Disable</PostButton>
                <PostButton action={`${path}/test`} kind="primary">
                  Send test event
                </PostButton>
              </>
            ) : (
              <PostButton action={`${path}/enable`} kind="primary">
                Enable
              </PostButton>
            )}
          </>
        }
      />
      <FormErrorNote errors={form.errors} />
      {webhook.disabledAt && (
        <Note kind="danger">
          <p>
            This webhook was disabled because it had been failing for 5 days. Fix the receiver, and then
            enable the webhook again.
          </p>
        </Note>
      )}
      <Facts
        rows={[
          ["Status", <WebhookState key="status" webhook={webhook} />],
          ["Format", webhook.format === "slack" ? "Slack" : "JSON"],
          ["Project", webhook.project ?? "All projects"],
          ["Created", <Time key="created" at={webhook.createdAt} />],
        ]}
      />
      <Section
        title="Deliveries"
        lead="The last 100 deliveries, stored for up to 30 days. Failed deliveries are retried up to 5 times within 11 hours."
      >
        <Live
          id="deliveries"
          isFinal={!isSending}
          state={deliveries[0] ? `Last delivery: ${deliveries[0].status}` : ""}
        >
          <Deliveries deliveries={deliveries} path={path} isEnabled={webhook.isEnabled} />
        </Live>
      </Section>
      <Section title="Settings">
        <WebhookForm action={path} button="Save" {...form} />
      </Section>
    </>
  );
}

const badges = {
  pending: ["info", "Pending"],
  delivered: ["check", "Delivered"],
  failed: ["danger", "Failed"],
} as const;

function Deliveries({
  deliveries,
  path,
  isEnabled,
}: {
  deliveries: readonly DeliveryView[];
  path: string;
  isEnabled: boolean;
}) {
  if (deliveries.length === 0)
    return (
      <Empty title="No deliveries yet">
        {isEnabled ? "Send a test event to try out the webhook." : "Enable the webhook to send events."}
      </Empty>
    );

  return (
    <Table
      label="Deliveries"
      rows={deliveries}
      keyOf={({ id }) => id}
      columns={[
        {
          title: "Event",
          isWide: true,
          cell: (row) => (
            <>
              {eventLabel(row.event)}
              {row.error && row.status !== "delivered" && <small class="d-under">{row.error}</small>}
            </>
          ),
        },
        {
          title: "Status",
          cell: ({ status }) => <Badge kind={badges[status][0]}>{badges[status][1]}</Badge>,
        },
        { title: "Response", cell: (row) => row.responseStatus ?? "–" },
        {
          title: "Duration",
          align: "end",
          cell: (row) => (row.duration_ms === null ? "–" : `${row.duration_ms} ms`),
        },
        { title: "Attempts", align: "end", cell: (row) => row.attempt },
        { title: "Created", cell: (row) => <Time at={row.createdAt} /> },
        {
          title: "Next attempt",
          cell: (row) =>
            row.status === "pending" && row.nextAttemptAt ? <Time at={row.nextAttemptAt} /> : "–",
        },
        {
          title: "Actions",
          isQuiet: true,
          align: "end",
          cell: (row) =>
            isEnabled && (
              <PostButton
                action={`${path}/deliveries/${row.id}/resend`}
                of={`${eventLabel(row.event)} from ${row.createdAt.toISOString()}`}
              >
                Resend
              </PostButton>
            ),
        },
      ]}
    />
  );
}
