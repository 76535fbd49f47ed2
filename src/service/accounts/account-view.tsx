import { limits } from "../../base/limits.ts";
import { CopyField } from "../ui/kit/copy.tsx";
import { Form, Input, LinkButton, PostButton, Submit } from "../ui/kit/form.tsx";
import { FormErrorNote, type FormErrors } from "../ui/kit/form-errors.tsx";
import { Badge, Facts, Note, PageHead, Section } from "../ui/kit/page-parts.tsx";
import { Table } from "../ui/kit/table.tsx";
import { Time } from "../ui/kit/time.tsx";
import { browserName } from "../ui/user-agent.ts";
import { PasswordInput } from "./password-input.tsx";
import type { TwoFactorState } from "./two-factor.ts";

export interface SessionView {
  id: string;
  address: string;
  userAgent: string;
  createdAt: Date;
  seenAt: Date;
  isThis: boolean;
}

export interface AccountProps {
  user: { id: string; name: string; email: string };
  /**
   * Set if the session is limited, because an admin's reset link set the password. `hasMail`: whether the
   * service sends email.
   */
  limitedTo: { hasMail: boolean } | undefined;
  /**
   * State of the password. Undefined if passwords are turned off. `isConfirmed`: false if users must confirm
   * their identity before the form is shown.
   */
  password: { isSet: boolean; isConfirmed: boolean } | undefined;
  /** Sign-in provider; undefined if the operator configured none. */
  provider: { name: string; isConnected: boolean } | undefined;
  /**
   * State of two-factor authentication. Undefined if users can only sign in at the provider, which is then
   * responsible for the second factor.
   */
  twoFactor: TwoFactorState | undefined;
  passkeys: readonly { id: string; name: string; createdAt: Date; lastUsedAt: Date | null }[];
  sessions: readonly SessionView[];
  errors: FormErrors | undefined;
}

export function Account({
  user,
  limitedTo,
  password,
  provider,
  twoFactor,
  passkeys,
  sessions,
  errors,
}: AccountProps) {
  return (
    <>
      <PageHead title="Your account" lead={user.email} />
      <FormErrorNote errors={errors} />
      {limitedTo && (
        <Note kind="warning">
          <p>
            Your password was set with a reset link from an admin. It only opens the admin's organization, and
            you can't add sign-in methods until you confirm your account.{" "}
            {limitedTo.hasMail ? "To confirm it, reset your password by email, or" : "To confirm it,"} sign in
            with a passkey, single sign-on, or a code from your authenticator app.
          </p>
          {limitedTo.hasMail && (
            <LinkButton href="/dashboard/forgot-password">Reset password by email</LinkButton>
          )}
        </Note>
      )}
      <Facts isWide rows={[["User ID", <CopyField key="id" label="user ID" text={user.id} />]]} />
      <Sessions sessions={sessions} />
      <Section title="Name">
        <Form action="/dashboard/account/name">
          <Input
            name="name"
            label="Name"
            value={user.name}
            isRequired
            autocomplete="name"
            maxLength={limits.personName_chars}
          />
          <Submit kind="plain">Save</Submit>
        </Form>
      </Section>
      <Section
        title="Email notifications"
        lead="Choose which events in your organizations you get emails about."
        actions={<LinkButton href="/dashboard/account/notifications">Choose emails</LinkButton>}
      />
      {password && (
        <PasswordForm
          email={user.email}
          password={password}
          providerName={provider?.name ?? "single sign-on"}
        />
      )}
      {twoFactor && <TwoFactor {...twoFactor} />}
      {twoFactor && <Passkeys passkeys={passkeys} />}
      {provider && password?.isSet && !provider.isConnected && (
        <Section
          title="Single sign-on"
          lead={`Connect your ${provider.name} identity to sign in without a password.`}
        >
          <Form action="/dashboard/account/provider">
            <PasswordInput />
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
      actions={
        sessions.length > 1 && (
          <PostButton action="/dashboard/account/sessions/others">Sign out all other sessions</PostButton>
        )
      }
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
                {browserName(row.userAgent)} {row.isThis && <Badge kind="check">Current</Badge>}
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
                <PostButton
                  action={`/dashboard/account/sessions/${row.id}/end`}
                  of={`${browserName(row.userAgent)} at ${row.address}`}
                  removesRow
                >
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
          {password.isSet && <PasswordInput name="before" />}
          <Input
            name="after"
            errorName="password"
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

function TwoFactor({ isOn, recoveryCodes }: TwoFactorState) {
  if (!isOn)
    return (
      <Section
        title="Two-factor authentication"
        lead="Require a code from an authenticator app in addition to your password."
        actions={<LinkButton href="/dashboard/account/two-factor">Set up</LinkButton>}
      />
    );

  return (
    <Section
      title="Two-factor authentication"
      lead={`On. ${recoveryCodes} ${recoveryCodes === 1 ? "recovery code" : "recovery codes"} left.`}
      actions={
        <>
          <PostButton action="/dashboard/account/two-factor/recovery-codes">
            Create new recovery codes
          </PostButton>
          <PostButton action="/dashboard/account/two-factor/off" kind="danger">
            Turn off
          </PostButton>
        </>
      }
    />
  );
}

function Passkeys({ passkeys }: Pick<AccountProps, "passkeys">) {
  return (
    <Section
      title="Passkeys"
      lead="Sign in with your fingerprint, face, screen lock, or security key instead of a password and code."
      actions={<LinkButton href="/dashboard/account/passkeys/new">Add passkey</LinkButton>}
    >
      {passkeys.length > 0 && (
        <Table
          label="Passkeys"
          rows={passkeys}
          keyOf={({ id }) => id}
          columns={[
            { title: "Name", isWide: true, cell: ({ name }) => name },
            { title: "Created", cell: ({ createdAt }) => <Time at={createdAt} /> },
            {
              title: "Last used",
              cell: ({ lastUsedAt }) => (lastUsedAt ? <Time at={lastUsedAt} /> : "Never"),
            },
            {
              title: "Actions",
              isQuiet: true,
              align: "end",
              cell: ({ id, name }) => (
                <PostButton action={`/dashboard/account/passkeys/${id}/remove`} of={name} removesRow>
                  Remove
                </PostButton>
              ),
            },
          ]}
        />
      )}
    </Section>
  );
}
