import { limits } from "../../base/limits.ts";
import { Form, Input, LinkButton, Submit } from "../ui/kit/form.tsx";
import { FormErrorNote, type FormErrors } from "../ui/kit/form-errors.tsx";
import { Note, PageHead } from "../ui/kit/page-parts.tsx";

export interface ForgotPasswordProps {
  email: string;
  /** Whether the service can send email. */
  hasMail: boolean;
  isSent: boolean;
  errors: FormErrors | undefined;
}

export function ForgotPassword({ email, hasMail, isSent, errors }: ForgotPasswordProps) {
  return (
    <div class="d-sign-in">
      <PageHead title="Reset your password" />
      <FormErrorNote errors={errors} />
      {!hasMail && (
        <p>This service doesn't send email. Ask an admin of your organization for a password reset link.</p>
      )}
      {hasMail && isSent && (
        <Note kind="check">
          If an account with a password exists for {email}, we've sent a reset link. It expires in an hour. If
          you don't see it, check your spam folder.
        </Note>
      )}
      {hasMail && !isSent && (
        <Form action="/dashboard/forgot-password">
          <Input name="email" label="Email" type="email" value={email} isRequired autocomplete="username" />
          <Submit>Send reset link</Submit>
        </Form>
      )}
      <p class="d-muted">
        <a href="/dashboard/sign-in">Back to sign in</a>
      </p>
    </div>
  );
}

export function NewPassword({ action, errors }: { action: string; errors: FormErrors | undefined }) {
  return (
    <div class="d-sign-in">
      <PageHead title="Choose a new password" lead="You'll be signed out on all devices." />
      <FormErrorNote errors={errors} />
      <Form action={action}>
        <Input
          name="password"
          label="New password"
          type="password"
          isRequired
          autocomplete="new-password"
          minLength={limits.password_chars.least}
          hint={`At least ${limits.password_chars.least} characters.`}
        />
        <Submit>Set password</Submit>
      </Form>
    </div>
  );
}

/** Shown after a reset that removed sign-in methods. */
export function PasswordChanged({ removed }: { removed: readonly string[] }) {
  return (
    <div class="d-sign-in">
      <PageHead title="Password changed" lead="You're signed out on all devices." />
      <Note kind="warning">
        <p>Someone else may have added these sign-in methods, so they were removed:</p>
        <ul>
          {removed.map((method) => (
            <li key={method}>{method}</li>
          ))}
        </ul>
        <p>After you sign in, you can add yours again.</p>
      </Note>
      <LinkButton href="/dashboard/sign-in" kind="primary">
        Sign in
      </LinkButton>
    </div>
  );
}
