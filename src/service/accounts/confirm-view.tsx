import { Form, LinkButton, Submit } from "../ui/kit/form.tsx";
import { FormErrorNote, type FormErrors } from "../ui/kit/form-errors.tsx";
import { PageHead } from "../ui/kit/page-parts.tsx";
import { PasswordInput } from "./password-input.tsx";

export interface ConfirmIdentityProps {
  /** Dashboard path to redirect to afterward. */
  next: string;
  email: string;
  hasPassword: boolean;
  provider: { name: string; href: string } | undefined;
  errors: FormErrors | undefined;
}

export function ConfirmIdentity({ next, email, hasPassword, provider, errors }: ConfirmIdentityProps) {
  return (
    <div class="d-sign-in">
      <PageHead title="Confirm it's you" lead="Confirm your identity to continue." />
      <FormErrorNote errors={errors} />
      {hasPassword ? (
        <Form action="/dashboard/account/confirm">
          <input type="hidden" name="next" value={next} />
          <input type="hidden" name="username" autocomplete="username" value={email} />
          <PasswordInput label="Password" />
          <Submit>Continue</Submit>
        </Form>
      ) : provider ? (
        <LinkButton href={provider.href} kind="primary">{`Confirm with ${provider.name}`}</LinkButton>
      ) : (
        <p>Sign out and sign in again to continue.</p>
      )}
    </div>
  );
}
