import type { MemberRole } from "../core/tables.ts";
import { organizationHref } from "../ui/dashboard-urls.ts";
import { CopyField } from "../ui/kit/copy.tsx";
import { Form, Input, LinkButton, PostButton, Submit } from "../ui/kit/form.tsx";
import { FormErrorNote, type FormErrors } from "../ui/kit/form-errors.tsx";
import { Badge, Note, PageHead, Section } from "../ui/kit/page-parts.tsx";
import { RoleField, roleNames } from "../ui/kit/role.tsx";
import { Table } from "../ui/kit/table.tsx";
import { Time } from "../ui/kit/time.tsx";

export interface MembersProps {
  organizationId: string;
  members: readonly {
    id: string;
    name: string;
    email: string;
    role: MemberRole;
    since: Date;
    isYou: boolean;
  }[];
  invitations: readonly { id: string; email: string | null; role: MemberRole; expiresAt: Date }[];
  mayChange: boolean;
  /** Whether the service sends email. */
  hasMail: boolean;
  filled: { email: string; role: string };
  /** Link of the invitation that this request created or renewed. */
  link: { url: string; email: string | null; isMailed: boolean } | undefined;
  errors: FormErrors | undefined;
}

export function Members({
  organizationId,
  members,
  invitations,
  mayChange,
  hasMail,
  filled,
  link,
  errors,
}: MembersProps) {
  const membersPath = (path: string) => organizationHref(organizationId, `/members${path}`);
  return (
    <>
      <PageHead title="Members" lead="People with access to this organization." />
      <FormErrorNote errors={errors} />
      {link && (
        <Note kind="check">
          <p>
            {link.isMailed
              ? `We emailed this link to ${link.email}.`
              : `Send this link to ${link.email ?? "the person you want to invite"}.`}{" "}
            It works once and expires in 7 days. You won't see it again.
          </p>
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
                {row.name} {row.isYou && <Badge kind="check">You</Badge>}
              </>
            ),
          },
          { title: "Email", isWide: true, cell: (row) => row.email },
          { title: "Role", cell: (row) => roleNames[row.role] },
          { title: "Joined", cell: (row) => <Time at={row.since} /> },
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
      {mayChange && (
        <Invitations path={membersPath("")} invitations={invitations} hasMail={hasMail} filled={filled} />
      )}
    </>
  );
}

function Invitations({
  path,
  invitations,
  hasMail,
  filled,
}: { path: string } & Pick<MembersProps, "invitations" | "hasMail" | "filled">) {
  return (
    <>
      <Section
        title="Invite a teammate"
        lead={
          hasMail
            ? "They'll get an email with a link that expires in 7 days."
            : "We don't send email. You'll get a link to share yourself."
        }
      >
        <Form action={path}>
          <Input name="email" label="Email" type="email" value={filled.email} isRequired />
          <RoleField value={filled.role} />
          <Submit>Invite</Submit>
        </Form>
      </Section>
      {invitations.length > 0 && (
        <Section title="Pending invitations">
          <Table
            label="Pending invitations"
            rows={invitations}
            keyOf={({ id }) => id}
            columns={[
              { title: "Email", isWide: true, cell: (row) => row.email ?? "Anyone with the link" },
              { title: "Role", cell: (row) => roleNames[row.role] },
              { title: "Expires", cell: (row) => <Time at={row.expiresAt} /> },
              {
                title: "Actions",
                isQuiet: true,
                align: "end",
                cell: (row) => (
                  <>
                    <PostButton
                      action={`${path}/invitations/${row.id}/resend`}
                      of={`the invitation for ${row.email ?? "anyone"}`}
                    >
                      {hasMail ? "Resend" : "New link"}
                    </PostButton>{" "}
                    <PostButton
                      action={`${path}/invitations/${row.id}/withdraw`}
                      of={`the invitation for ${row.email ?? "anyone"}`}
                      removesRow
                    >
                      Revoke
                    </PostButton>
                  </>
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
  member: {
    id: string;
    name: string;
    email: string;
    role: MemberRole;
    hasTwoFactor: boolean;
    canReset: boolean;
  };
  /** Password reset link that this request created. */
  resetLink: string | undefined;
  errors: FormErrors | undefined;
}

export function Member({ organizationId, member, resetLink, errors }: MemberProps) {
  const memberPath = organizationHref(organizationId, `/members/${member.id}`);
  return (
    <div class="d-narrow">
      <PageHead
        title={member.name}
        lead={member.email}
        back={{ label: "Members", href: organizationHref(organizationId, "/members") }}
      />
      <FormErrorNote errors={errors} />
      <Section title="Role">
        <Form action={`${memberPath}/role`}>
          <RoleField value={member.role} />
          <Submit>Save</Submit>
        </Form>
      </Section>
      {resetLink && (
        <Note kind="check">
          <p>
            Send this link to {member.name}. It works once and expires in an hour. You won't see it again.
          </p>
          <CopyField label="password reset link" text={resetLink} />
        </Note>
      )}
      {(member.canReset || member.hasTwoFactor) && (
        <Section title="Sign-in" lead={`Use these options if ${member.name} can't sign in.`}>
          <div class="d-buttons">
            {member.canReset && (
              <PostButton action={`${memberPath}/reset-link`}>Create password reset link</PostButton>
            )}
            {member.hasTwoFactor && (
              <PostButton action={`${memberPath}/two-factor/off`}>
                Turn off two-factor authentication
              </PostButton>
            )}
          </div>
        </Section>
      )}
      <Section
        title="Remove member"
        lead={`${member.name} will lose access immediately. Any API keys that they created will be revoked.`}
      >
        <Form action={`${memberPath}/remove`}>
          <Input name="confirm" label={`Type ${member.email} to confirm`} isRequired isMono />
          <Submit kind="danger">Remove from organization</Submit>
        </Form>
      </Section>
    </div>
  );
}
