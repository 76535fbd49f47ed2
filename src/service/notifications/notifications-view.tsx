/**
 * Renders the notifications page: the list of webhooks, the webhook form, and the page with a new webhook's
 * secret.
 */

import { organizationHref } from "../ui/dashboard-urls.ts";
import { CopyField } from "../ui/kit/copy.tsx";
import {
  Checkbox,
  FieldRow,
  FieldSet,
  Form,
  IdempotencyKey,
  Input,
  LinkButton,
  type Option,
  Select,
  Submit,
} from "../ui/kit/form.tsx";
import { FormErrorNote, type FormErrors } from "../ui/kit/form-errors.tsx";
import { Badge, type BadgeKind, Empty, Note, PageHead, Section } from "../ui/kit/page-parts.tsx";
import { Table } from "../ui/kit/table.tsx";
import { Time } from "../ui/kit/time.tsx";
import { Truncated } from "../ui/kit/truncated.tsx";
import { type EventOption, eventLabel } from "./event-labels.ts";

export interface WebhookView {
  id: string;
  host: string;
  /** Name of the project; undefined for all projects. */
  project: string | undefined;
  format: "json" | "slack";
  events: readonly string[];
  isEnabled: boolean;
  failingSince: Date | null;
  disabledAt: Date | null;
  createdAt: Date;
}

export interface WebhookFields {
  url: string;
  format: string;
  projectId: string;
  events: readonly string[];
}

export interface WebhookFormProps {
  action: string;
  button: string;
  filled: WebhookFields;
  projects: readonly { id: string; name: string }[];
  options: readonly EventOption[];
  errors: FormErrors | undefined;
  /** Idempotency key of a form that creates a webhook; absent for a form that changes one. */
  idempotencyKey?: string;
}

export interface NotificationsProps {
  organizationId: string;
  webhooks: readonly WebhookView[];
  form: Omit<WebhookFormProps, "action" | "button">;
}

export function Notifications({ organizationId, webhooks, form }: NotificationsProps) {
  const path = organizationHref(organizationId, "/notifications");
  return (
    <>
      <PageHead
        title="Notifications"
        lead="Webhooks send events to your servers and to Slack."
        actions={<LinkButton href="/dashboard/account/notifications">Your email notifications</LinkButton>}
      />
      <FormErrorNote errors={form.errors} />
      {webhooks.length === 0 ? (
        <Empty title="No webhooks yet">Create one below.</Empty>
      ) : (
        <Table
          label="Webhooks"
          rows={webhooks}
          keyOf={({ id }) => id}
          columns={[
            {
              title: "Receiver",
              isWide: true,
              cell: (row) => (
                <>
                  <a href={`${path}/${row.id}`}>{row.host}</a>
                  <small class="d-under">{row.events.map(eventLabel).join(", ")}</small>
                </>
              ),
            },
            { title: "Status", cell: (row) => <WebhookState webhook={row} /> },
            { title: "Format", cell: (row) => (row.format === "slack" ? "Slack" : "JSON") },
            {
              title: "Project",
              cell: (row) => <Truncated text={row.project ?? "All projects"} most={28} />,
            },
            { title: "Created", cell: (row) => <Time at={row.createdAt} /> },
          ]}
        />
      )}
      <Section
        title="New webhook"
        lead="Each event is sent as a signed POST request, so the receiver can verify where it comes from."
      >
        <WebhookForm action={path} button="Create webhook" {...form} />
      </Section>
    </>
  );
}

export function WebhookState({ webhook }: { webhook: Pick<WebhookView, "isEnabled" | "failingSince"> }) {
  const [kind, label]: [BadgeKind, string] = !webhook.isEnabled
    ? ["plain", "Disabled"]
    : webhook.failingSince
      ? ["warning", "Failing"]
      : ["check", "Enabled"];
  return <Badge kind={kind}>{label}</Badge>;
}

const formats: readonly Option[] = [
  { value: "json", label: "JSON" },
  { value: "slack", label: "Slack" },
];

export function WebhookForm({
  action,
  button,
  filled,
  projects,
  options,
  idempotencyKey,
}: Omit<WebhookFormProps, "errors">) {
  return (
    <Form action={action}>
      {idempotencyKey !== undefined && <IdempotencyKey value={idempotencyKey} />}
      <Input
        name="url"
        label="URL"
        type="url"
        value={filled.url}
        isRequired
        isMono
        maxLength={2_000}
        placeholder="https://example.com/octavo-events"
        hint="Must be public and respond with a 2xx status within 10 seconds."
      />
      <FieldRow>
        <Select
          name="format"
          label="Format"
          options={formats}
          value={filled.format}
          hint="Choose Slack if the URL is a Slack incoming webhook."
        />
        <Select
          name="projectId"
          label="Project"
          options={[
            { value: "", label: "All projects" },
            ...projects.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          value={filled.projectId}
          hint="If you choose a project, events about API keys aren't sent."
        />
      </FieldRow>
      <EventChoice options={options} chosen={filled.events} />
      <Submit>{button}</Submit>
    </Form>
  );
}

/** Checkboxes for events. Also used in the form for emails. */
export function EventChoice({
  options,
  chosen,
  name = "events",
  legend = "Events",
}: {
  options: readonly EventOption[];
  chosen: readonly string[];
  name?: string;
  legend?: string;
}) {
  return (
    <FieldSet name={name} legend={legend}>
      {options.map(({ type, label, hint }) => (
        <Checkbox
          key={type}
          name={name}
          value={type}
          label={label}
          hint={hint}
          isChecked={chosen.includes(type)}
        />
      ))}
    </FieldSet>
  );
}

export function WebhookCreated({
  organizationId,
  id,
  host,
  secret,
}: {
  organizationId: string;
  id: string;
  host: string;
  secret: string;
}) {
  const path = organizationHref(organizationId, "/notifications");
  return (
    <div class="d-narrow">
      <PageHead title="Webhook created" lead={host} back={{ label: "Notifications", href: path }} />
      <Note kind="warning">
        <p>Copy the signing secret now. You won't be able to see it again.</p>
      </Note>
      <CopyField label="signing secret" text={secret} />
      <p class="d-muted">
        Your receiver uses the secret to verify that requests come from Octavo. Slack doesn't need it.
      </p>
      <div class="d-buttons">
        <LinkButton href={`${path}/${id}`} kind="primary">
          Done
        </LinkButton>
      </div>
    </div>
  );
}
