import { limits } from "../../base/limits.ts";
import { Form, Input, LinkButton, PostButton, Submit } from "../ui/kit/form.tsx";
import { FormErrorNote, type FormErrors } from "../ui/kit/form-errors.tsx";
import { Badge, PageHead, Section } from "../ui/kit/page-parts.tsx";
import { Table } from "../ui/kit/table.tsx";
import { Time } from "../ui/kit/time.tsx";
import { browserName } from "../ui/user-agent.ts";

export interface SessionView {
  id: string;
  address: string;
  userAgent: string;
  createdAt: Date;
  seenAt: Date;
  isThis: boolean;
}

export interface AccountProps {
  user: { name: string; email: string };
  /** Undefined if passwords are turned off. `isConfirmed`: whether the form is shown; otherwise, the user must confirm their identity first. */
  password: { isSet: boolean; isConfirmed: boolean } | undefined;
  /** Sign-in provider; undefined if the operator configured none. */
  provider: { name: string; isConnected: boolean } | undefined;
  sessions: readonly SessionView[];
  errors: FormErrors | undefined;
}

export function Account({ user, password, provider, sessions, errors }: AccountProps) {
  return (
    <>
      <PageHead title="Your account" lead={user.email} />
      <FormErrorNote errors={errors} />
      <Sessions sessions={sessions} />
      <Section title="Name">
        <Form action="/dashboard/account/name">
          <Input name="name" label="Name" value={user.name} isRequired autocomplete="name" maxLength={limits.personName_chars} />
          <Submit kind="plain">Save</Submit>
        </Form>
      </Section>
      {password && <PasswordForm email={user.email} password={password} providerName={provider?.name ?? "single sign-on"} />}
      {provider && password?.isSet && !provider.isConnected && (
        <Section title="Single sign-on" lead={`Connect your ${provider.name} identity to sign in without a password.`}>
          <Form action="/dashboard/account/provider">
            <Input name="password" label="Current password" type="password" isRequired autocomplete="current-password" />
            <Submit kind="plain">{`Connect ${provider.name}`}</Submit>
          </Form>
        </Section>
      )}
    </>
  );
}

function Sessions({ sessions }: Pick<AccountProps, "sessions">) {
  return (
    <Section
      title="Sessions"
      lead="Active sessions. Sign out any you don't recognize."
      actions={sessions.length > 1 && <PostButton action="/dashboard/account/sessions/others">Sign out all others</PostButton>}
    >
      <Table
        label="Sessions"
        rows={sessions}
        keyOf={({ id }) => id}
        columns={[
          {
            title: "Browser",
            isWide: true,
            cell: (row) => (
              <>
                {browserName(row.userAgent)} {row.isThis && <Badge kind="check">current</Badge>}
              </>
            ),
          },
          { title: "IP address", cell: (row) => <code>{row.address}</code> },
          { title: "Signed in", cell: (row) => <Time at={row.createdAt} /> },
          { title: "Last used", cell: (row) => <Time at={row.seenAt} /> },
          {
            title: "Actions",
            isQuiet: true,
            align: "end",
            cell: (row) =>
              !row.isThis && (
                <PostButton action={`/dashboard/account/sessions/${row.id}/end`} of={`${browserName(row.userAgent)} at ${row.address}`}>
                  Sign out
                </PostButton>
              ),
          },
        ]}
      />
    </Section>
  );
}

function PasswordForm({
  email,
  password,
  providerName,
}: {
  email: string;
  password: NonNullable<AccountProps["password"]>;
  providerName: string;
}) {
  return (
    <Section title="Password">
      {password.isConfirmed ? (
        <Form action="/dashboard/account/password">
          <input type="hidden" name="username" autocomplete="username" value={email} />
          {password.isSet && <Input name="before" label="Current password" type="password" isRequired autocomplete="current-password" />}
          <Input
            name="after"
            label="New password"
            type="password"
            isRequired
            autocomplete="new-password"
            minLength={limits.password_chars.least}
            hint={`At least ${limits.password_chars.least} characters. You'll be signed out on all other devices.`}
          />
          <Submit kind="plain">{password.isSet ? "Change password" : "Set password"}</Submit>
        </Form>
      ) : (
        <>
          <p class="d-muted">You don't have a password. Confirm your identity to set one.</p>
          <LinkButton href="/dashboard/provider?renew&next=%2Fdashboard%2Faccount">{`Confirm with ${providerName}`}</LinkButton>
        </>
      )}
    </Section>
  );
}
