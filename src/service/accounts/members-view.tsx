import { organizationHref } from "../ui/dashboard-urls.ts";
import { CopyField } from "../ui/kit/copy.tsx";
import { FieldRow, Form, Input, LinkButton, type Option, PostButton, Select, Submit } from "../ui/kit/form.tsx";
import { FormErrorNote, type FormErrors } from "../ui/kit/form-errors.tsx";
import { Badge, Note, PageHead, Section } from "../ui/kit/page-parts.tsx";
import { Table } from "../ui/kit/table.tsx";
import { Time } from "../ui/kit/time.tsx";

export interface MembersProps {
  organizationId: string;
  members: readonly { id: string; name: string; email: string; role: string; since: Date; isYou: boolean }[];
  invitations: readonly { id: string; email: string | null; role: string; expiresAt: Date }[];
  mayChange: boolean;
  filled: { email: string; role: string };
  /** Link of the invitation that this request created. */
  link: { url: string; email: string } | undefined;
  errors: FormErrors | undefined;
}

const roles: readonly Option[] = [
  { value: "viewer", label: "Viewer: reads everything, changes nothing" },
  { value: "editor", label: "Editor: also deploys, exports and makes keys" },
  { value: "admin", label: "Admin: also invites and changes settings" },
];

export function Members({ organizationId, members, invitations, mayChange, filled, link, errors }: MembersProps) {
  const membersPath = (path: string) => organizationHref(organizationId, `/members${path}`);
  return (
    <>
      <PageHead title="Members" lead="Who may see and run this organization's documentation." />
      <FormErrorNote errors={errors} />
      {link && (
        <Note kind="check">
          <p>Send this link to {link.email}. It is shown this once, works once, and for a week.</p>
          <CopyField label="invitation link" text={link.url} />
        </Note>
      )}
      <Table
        label="Members"
        rows={members}
        keyOf={({ id }) => id}
        columns={[
          {
            title: "Name",
            isWide: true,
            cell: (row) => (
              <>
                {row.name} {row.isYou && <Badge kind="check">you</Badge>}
              </>
            ),
          },
          { title: "E-mail", cell: (row) => row.email },
          { title: "Role", cell: (row) => row.role },
          { title: "Since", cell: (row) => <Time at={row.since} /> },
          ...(mayChange
            ? [
                {
                  title: "Actions",
                  isQuiet: true,
                  align: "end" as const,
                  cell: (row: MembersProps["members"][number]) => (
                    <LinkButton href={membersPath(`/${row.id}`)} of={row.name}>
                      Change
                    </LinkButton>
                  ),
                },
              ]
            : []),
        ]}
      />
      {mayChange && <Invitations path={membersPath("")} invitations={invitations} filled={filled} />}
    </>
  );
}

function Invitations({ path, invitations, filled }: { path: string } & Pick<MembersProps, "invitations" | "filled">) {
  return (
    <>
      <Section title="Invite somebody" lead="You get a link to send to them. Nothing is mailed.">
        <Form action={path}>
          <FieldRow>
            <Input name="email" label="E-mail" type="email" value={filled.email} isRequired />
            <Select name="role" label="Role" options={roles} value={filled.role} />
          </FieldRow>
          <Submit>Invite</Submit>
        </Form>
      </Section>
      {invitations.length > 0 && (
        <Section title="Open invitations">
          <Table
            label="Open invitations"
            rows={invitations}
            keyOf={({ id }) => id}
            columns={[
              { title: "E-mail", isWide: true, cell: (row) => row.email ?? "Whoever has the link" },
              { title: "Role", cell: (row) => row.role },
              { title: "Ends", cell: (row) => <Time at={row.expiresAt} /> },
              {
                title: "Actions",
                isQuiet: true,
                align: "end",
                cell: (row) => (
                  <PostButton action={`${path}/invitations/${row.id}/withdraw`} of={`the invitation of ${row.email ?? "anyone"}`}>
                    Withdraw
                  </PostButton>
                ),
              },
            ]}
          />
        </Section>
      )}
    </>
  );
}

export interface MemberProps {
  organizationId: string;
  member: { id: string; name: string; email: string; role: string };
  errors: FormErrors | undefined;
}

export function Member({ organizationId, member, errors }: MemberProps) {
  const memberPath = organizationHref(organizationId, `/members/${member.id}`);
  return (
    <div class="d-narrow">
      <PageHead title={member.name} lead={member.email} back={{ label: "Members", href: organizationHref(organizationId, "/members") }} />
      <FormErrorNote errors={errors} />
      <Section title="Role">
        <Form action={`${memberPath}/role`}>
          <Select name="role" label="Role" options={roles} value={member.role} />
          <Submit>Save</Submit>
        </Form>
      </Section>
      <Section title="Remove" lead={`${member.name} loses access at once, and the keys that they made are revoked.`}>
        <Form action={`${memberPath}/remove`}>
          <Input name="confirm" label={`Type ${member.email} to confirm`} isRequired isMono />
          <Submit kind="danger">Remove from the organization</Submit>
        </Form>
      </Section>
    </div>
  );
}
