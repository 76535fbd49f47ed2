import { limits } from "../../base/limits.ts";
import type { MemberRole } from "../core/tables.ts";
import { Checkbox, Form, Input, LinkButton, Submit } from "../ui/kit/form.tsx";
import { FormErrorNote, type FormErrors } from "../ui/kit/form-errors.tsx";
import { Note, PageHead } from "../ui/kit/page-parts.tsx";
import { roleNames } from "../ui/kit/role.tsx";

export interface InvitationProps {
  organization: string;
  role: MemberRole;
  /** Whether the user also becomes an operator of the service, as the first admin does. */
  isOperator: boolean;
  /** Invited email; null if anyone with the link can join. */
  email: string | null;
  /** The inviting user; undefined if the operator created the invitation. */
  inviter: { name: string; email: string } | undefined;
  /** URL path that the form is sent to. */
  action: string;
  /** The signed-in user, if any. */
  user: { name: string; email: string } | undefined;
  /** Sign-in methods of the user that someone else may have added. */
  unconfirmed: readonly string[];
  /**
   * Whether the session can't open the organization, because an admin of another one has set the password.
   */
  isLimited: boolean;
  provider: { name: string; href: string } | undefined;
  hasPasswords: boolean;
  /** Values of the submitted form, which is shown again after an error. */
  filled: { email: string; name: string; organization: string };
  errors: FormErrors | undefined;
}

export function invitationTitle({
  organization,
  isOperator,
}: Pick<InvitationProps, "organization" | "isOperator">): string {
  return isOperator ? "Welcome to Octavo" : `Join ${organization}`;
}

export function Invitation({
  organization,
  role,
  isOperator,
  email,
  inviter,
  action,
  user,
  unconfirmed,
  isLimited,
  provider,
  hasPasswords,
  filled,
  errors,
}: InvitationProps) {
  const canAccept = user && (email === null || email === user.email);
  return (
    <div class="d-sign-in">
      <PageHead
        title={invitationTitle({ organization, isOperator })}
        lead={
          isOperator ? (
            "Create your account to manage this service and its first organization."
          ) : (
            <>
              You've been invited as {role === "viewer" ? "a" : "an"}{" "}
              <strong>{roleNames[role].toLowerCase()}</strong>
              {email && <> ({email})</>}
              {inviter && ` by ${inviter.name} (${inviter.email})`}.
            </>
          )
        }
      />
      <FormErrorNote errors={errors} />
      {canAccept ? (
        <JoinForm
          action={action}
          organization={organization}
          name={user.name}
          unconfirmed={unconfirmed}
          isLimited={isLimited}
        />
      ) : (
        <>
          {user && (
            <p class="d-muted">{`This invitation is for a different email address. You're signed in as ${user.email}.`}</p>
          )}
          {provider && (
            <>
              <LinkButton href={provider.href} kind="primary">{`Continue with ${provider.name}`}</LinkButton>
              {hasPasswords && <p class="d-or">or with a password</p>}
            </>
          )}
          {hasPasswords && (
            <Form action={action}>
              <Input
                name="email"
                label="Email"
                type="email"
                value={email ?? filled.email}
                isRequired
                autocomplete="username"
              />
              <Input
                name="name"
                label="Your name"
                value={filled.name}
                isRequired
                autocomplete="name"
                maxLength={limits.personName_chars}
              />
              {isOperator && (
                <Input
                  name="organization"
                  label="Organization"
                  value={filled.organization}
                  autocomplete="organization"
                  placeholder={organization}
                  maxLength={limits.organizationName_chars}
                  hint="Name of your company or team. You can change it later."
                />
              )}
              <Input
                name="password"
                label="Password"
                type="password"
                isRequired
                autocomplete="new-password"
                minLength={limits.password_chars.least}
                hint={`At least ${limits.password_chars.least} characters. Try a passphrase of several words.`}
              />
              <Submit kind={provider ? "plain" : "primary"}>Create account</Submit>
            </Form>
          )}
          {!user && hasPasswords && (
            <p class="d-muted">
              Already have an account?{" "}
              <a href={`/dashboard/sign-in?next=${encodeURIComponent(action)}`}>Sign in</a>
            </p>
          )}
        </>
      )}
    </div>
  );
}

function JoinForm({
  action,
  organization,
  name,
  unconfirmed,
  isLimited,
}: Pick<InvitationProps, "action" | "organization" | "unconfirmed" | "isLimited"> & { name: string }) {
  return (
    <Form action={action}>
      {isLimited && (
        <Note kind="warning">{`Your password was set with a reset link from an admin of another organization. You can join, but you can only open ${organization} after you reset your password by email.`}</Note>
      )}
      {unconfirmed.length > 0 && (
        <>
          <p>{`Someone else may have added these sign-in methods to your account: ${unconfirmed.join(", ")}. They will be removed${isLimited ? "." : ", unless you keep them."}`}</p>
          {!isLimited && (
            <Checkbox name="isConfirmed" label="Keep them" hint="Only if you added all of them yourself." />
          )}
        </>
      )}
      <p class="d-muted">You'll be signed out on all other devices.</p>
      <Submit>{`Join as ${name}`}</Submit>
    </Form>
  );
}
