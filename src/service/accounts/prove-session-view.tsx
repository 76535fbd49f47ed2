import { Form, Input, Submit } from "../ui/kit/form.tsx";
import { FormErrorNote, type FormErrors } from "../ui/kit/form-errors.tsx";
import { PageHead, Section } from "../ui/kit/page-parts.tsx";
import { PasswordInput } from "./password-input.tsx";
import type { ProofRequest } from "./prove-session.ts";

export interface ProveSessionProps {
  action: string;
  organization: string;
  email: string;
  /** What the user can enter. Undefined if nothing would prove the session's method. */
  request: ProofRequest | undefined;
  canResetPassword: boolean;
  errors: FormErrors | undefined;
}

export function ProveSession({
  action,
  organization,
  email,
  request,
  canResetPassword,
  errors,
}: ProveSessionProps) {
  return (
    <div class="d-sign-in">
      <PageHead
        title="Confirm your sign-in method"
        lead={`${organization} requires a sign-in method that you confirmed after you joined.`}
      />
      <FormErrorNote errors={errors} />
      {request && (
        <Form action={action}>
          <input type="hidden" name="username" autocomplete="username" value={email} />
          <PasswordInput label="Password" />
          {request.asksForCode && (
            <Input name="code" label="Code" isRequired isMono autocomplete="one-time-code" maxLength={40} />
          )}
          <Submit>Confirm</Submit>
        </Form>
      )}
      <Section title={request ? "Other ways" : "Ways to confirm it"}>
        <ul>
          <li>Sign out, and sign in with a method that you've already confirmed.</li>
          {!request && (
            <li>Sign out, sign in with a passkey or single sign-on, and then enter your password here.</li>
          )}
          {canResetPassword && (
            <li>
              <a href="/dashboard/forgot-password">Reset your password by email</a>, and sign in with the new
              one.
            </li>
          )}
          <li>Ask an admin of the organization for a new invitation. You keep your role.</li>
        </ul>
      </Section>
    </div>
  );
}
