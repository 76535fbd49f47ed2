import { organizationHref } from "../ui/dashboard-urls.ts";
import { CopyField, Snippet } from "../ui/kit/copy.tsx";
import {
  Checkbox,
  FieldSet,
  Form,
  IdempotencyKey,
  Input,
  LinkButton,
  type Option,
  Select,
  Submit,
  TextArea,
  When,
} from "../ui/kit/form.tsx";
import { FormErrorNote, type FormErrors } from "../ui/kit/form-errors.tsx";
import { Badge, type BadgeKind, Empty, Facts, Note, PageHead, Section } from "../ui/kit/page-parts.tsx";
import { Table } from "../ui/kit/table.tsx";
import { Time } from "../ui/kit/time.tsx";

export interface ApiKeyView {
  id: string;
  name: string;
  type: "admin" | "assistant";
  lastFour: string;
  scopes: readonly string[];
  /** Name of the project of an assistant key; undefined for an admin key. */
  project: string | undefined;
  allowedIps: readonly string[];
  expiresAt: Date | null;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
  createdAt: Date;
  /** Name of the user who created the key; undefined if the operator did. */
  creator: string | undefined;
  /** Current role of the user who created the key; undefined for the operator and for former members. */
  creatorRole: string | undefined;
  groups: readonly string[];
}

export interface KeyForm {
  name: string;
  type: string;
  projectId: string;
  scopes: readonly string[];
  /** Number of days until the key expires, or `never`. */
  expires: string;
  allowedIps: string;
  /** Group names, separated by commas. */
  groups: string;
}

export interface ApiKeysProps {
  organizationId: string;
  projects: readonly { id: string; name: string }[];
  keys: readonly ApiKeyView[];
  /** Form to create a key; undefined if the member can't create keys. */
  form: { filled: KeyForm; idempotencyKey: string; isAdmin: boolean } | undefined;
  errors: FormErrors | undefined;
}

const types: readonly Option[] = [
  { value: "admin", label: "Admin: deployments, exports, and analytics for the organization" },
  { value: "assistant", label: "Assistant: search and answers for one project" },
];

/** Options for when a key expires. A value is a number of days, or `never`. */
export const keyExpiries: readonly Option[] = [
  { value: "7", label: "In 7 days" },
  { value: "30", label: "In 30 days" },
  { value: "60", label: "In 60 days" },
  { value: "90", label: "In 90 days" },
  { value: "never", label: "Never" },
];

export function ApiKeys({ organizationId, projects, keys, form, errors }: ApiKeysProps) {
  const keysPath = organizationHref(organizationId, "/keys");
  return (
    <>
      <PageHead
        title="API keys"
        lead="Call the API from your servers with an admin key, and search and ask the assistant from your app with an assistant key. Never expose an admin key in a browser."
      />
      <FormErrorNote errors={errors} />
      {keys.length === 0 ? (
        <Empty title="No API keys yet">
          {form ? "Create one below." : "Ask an editor or admin to create one."}
        </Empty>
      ) : (
        <KeyTable keys={keys} path={keysPath} mayRevoke={form !== undefined} />
      )}
      <Section title="Project IDs" lead="Use these IDs in API requests.">
        {projects.length === 0 ? (
          <p class="d-muted">No projects yet</p>
        ) : (
          <Facts
            isWide
            rows={projects.map(
              ({ id, name }) => [name, <CopyField key={id} label={`ID of ${name}`} text={id} />] as const,
            )}
          />
        )}
      </Section>
      {form && <NewKey action={keysPath} projects={projects} {...form} />}
    </>
  );
}

function KeyTable({
  keys,
  path,
  mayRevoke,
}: {
  keys: readonly ApiKeyView[];
  path: string;
  mayRevoke: boolean;
}) {
  return (
    <Table
      label="API keys"
      rows={keys}
      keyOf={({ id }) => id}
      columns={[
        {
          title: "Name",
          isWide: true,
          cell: (row) => (
            <>
              {row.name}
              <small class="d-under">
                <code>{`${row.type === "admin" ? "oct_" : "oct_pub_"}…${row.lastFour}`}</code>
              </small>
            </>
          ),
        },
        {
          title: "Status",
          cell: (row) => {
            const [kind, label] = stateOf(row);
            return <Badge kind={kind}>{label}</Badge>;
          },
        },
        {
          title: "Permissions",
          cell: (row) => (
            <>
              {row.type === "admin" ? "Admin" : "Assistant"}
              <small class="d-under">{permissionsOf(row)}</small>
            </>
          ),
        },
        {
          title: "Allowed IPs",
          isWide: true,
          cell: (row) => (row.allowedIps.length ? <code>{row.allowedIps.join(" ")}</code> : "Any"),
        },
        { title: "Expires", cell: (row) => (row.expiresAt ? <Time at={row.expiresAt} /> : "Never") },
        { title: "Last used", cell: (row) => (row.lastUsedAt ? <Time at={row.lastUsedAt} /> : "Never") },
        {
          title: "Created",
          cell: (row) => (
            <>
              <Time at={row.createdAt} />
              <small class="d-under">{row.creator ? `by ${row.creator}` : "by the operator"}</small>
            </>
          ),
        },
        ...(mayRevoke
          ? [
              {
                title: "Actions",
                isQuiet: true,
                align: "end" as const,
                cell: (row: ApiKeyView) =>
                  !row.revokedAt && (
                    <LinkButton href={`${path}/${row.id}/revoke`} of={row.name}>
                      Revoke
                    </LinkButton>
                  ),
              },
            ]
          : []),
      ]}
    />
  );
}

function NewKey({
  action,
  projects,
  filled,
  idempotencyKey,
  isAdmin,
}: {
  action: string;
  projects: readonly { id: string; name: string }[];
  filled: KeyForm;
  idempotencyKey: string;
  /** Whether the member is an admin. Editors can only create assistant keys for public pages. */
  isAdmin: boolean;
}) {
  return (
    <Section
      title="New key"
      lead="Permissions can't be changed later. Create a new key instead. A key can't do more than the member who created it."
    >
      <Form action={action}>
        <IdempotencyKey value={idempotencyKey} />
        <Input
          name="name"
          label="Name"
          value={filled.name}
          isRequired
          maxLength={100}
          hint="The purpose of the key, such as “Deploys from CI”."
        />
        <Select name="type" label="Type" options={isAdmin ? types : types.slice(1)} value={filled.type} />
        <When is="admin">
          <FieldSet name="scopes" legend="Permissions">
            <Checkbox name="scopes" value="read" label="Read" isChecked={filled.scopes.includes("read")} />
            <Checkbox
              name="scopes"
              value="write"
              label="Write"
              hint="Make changes, such as deploying, editing projects, and deleting data. Includes read."
              isChecked={filled.scopes.includes("write")}
            />
          </FieldSet>
        </When>
        <When is="assistant">
          <Select
            name="projectId"
            label="Project"
            options={projects.map(({ id, name }) => ({ value: id, label: name }))}
            value={filled.projectId}
            hint="An assistant key only works for one project."
          />
          {isAdmin && (
            <Input
              name="groups"
              label="Reader groups"
              value={filled.groups}
              hint="Separate multiple groups with commas. Leave blank for public pages only. Anyone with the key can read these groups' pages, and keys used in browsers and apps are easy to extract."
            />
          )}
        </When>
        <Select name="expires" label="Expires" options={keyExpiries} value={filled.expires} />
        <TextArea
          name="allowedIps"
          label="Allowed IPs"
          value={filled.allowedIps}
          hint="IP addresses or CIDR ranges, such as 192.0.2.7 or 2001:db8::/32. One per line. Leave blank to allow any IP."
        />
        <Submit>Create key</Submit>
      </Form>
    </Section>
  );
}

/** Describes the current permissions of a key, limited by the role of its creator. */
function permissionsOf({ type, scopes, project, groups, creatorRole = "admin" }: ApiKeyView): string {
  const limited = creatorRole === "admin" ? "" : `, as ${creatorRole}`;
  if (type === "admin") return scopes.join(", ") + limited;
  const pages = groups.length && !limited ? `groups ${groups.join(", ")}` : "public pages";
  return `${project ?? "a project"}: ${pages}`;
}

function stateOf({ revokedAt, expiresAt }: ApiKeyView): [BadgeKind, string] {
  if (revokedAt) return ["danger", "Revoked"];
  return expiresAt && expiresAt.getTime() <= Date.now() ? ["warning", "Expired"] : ["check", "Active"];
}

export interface KeyCreatedProps {
  organizationId: string;
  name: string;
  secret: string;
  /** Reader groups whose pages the key can read. */
  groups: readonly string[];
  /** Commands that use the key. */
  examples: readonly { label: string; text: string }[];
}

export function KeyCreated({ organizationId, name, secret, groups, examples }: KeyCreatedProps) {
  const list = { label: "API keys", href: organizationHref(organizationId, "/keys") };
  return (
    <>
      <PageHead title={`Key “${name}” created`} back={list} />
      <Note kind="warning">
        <p>Copy your key now. You won't be able to see it again.</p>
      </Note>
      {groups.length > 0 && (
        <Note kind="warning">
          <p>{`Anyone with this key can read pages for ${groups.join(", ")}. Keep it on your servers. Never use it in a browser or app.`}</p>
        </Note>
      )}
      <CopyField label="API key" text={secret} />
      {examples.map((example) => (
        <Snippet key={example.label} {...example} />
      ))}
      <div>
        <LinkButton href={list.href}>Done</LinkButton>
      </div>
    </>
  );
}
