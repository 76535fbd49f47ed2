import { Form, Input, LinkButton, Submit } from "../ui/kit/form.tsx";
import { FormErrorNote, type FormErrors } from "../ui/kit/form-errors.tsx";
import { PageHead } from "../ui/kit/page-parts.tsx";
import { PasskeyForm } from "./passkey-view.tsx";
import type { PasskeyRequest } from "./passkeys.ts";

export interface SignInProps {
  /** Dashboard path to redirect to after the sign-in. */
  next: string;
  email: string;
  errors: FormErrors | undefined;
  /**
   * Name of the provider, and URL path that starts the sign-in there; undefined if the operator configured
   * none.
   */
  provider: { name: string; href: string } | undefined;
  hasPasswords: boolean;
  /** Whether anyone has created an account. */
  hasUsers: boolean;
  /** Challenge for a sign-in with a passkey; undefined if only single sign-on is allowed. */
  passkey: PasskeyRequest<object> | undefined;
}

export function SignIn({ next, email, errors, provider, hasPasswords, hasUsers, passkey }: SignInProps) {
  return (
    <div class="d-sign-in">
      <PageHead title="Sign in" />
      <FormErrorNote errors={errors} />
      {provider && (
        <>
          <LinkButton href={provider.href} kind="primary">{`Continue with ${provider.name}`}</LinkButton>
          {hasPasswords && <p class="d-or">or with a password</p>}
        </>
      )}
      {hasPasswords && (
        <Form action="/dashboard/sign-in">
          <input type="hidden" name="next" value={next} />
          <Input name="email" label="Email" type="email" value={email} isRequired autocomplete="username" />
          <Input
            name="password"
            label="Password"
            type="password"
            isRequired
            autocomplete="current-password"
          />
          <Submit kind={provider ? "plain" : "primary"}>Sign in</Submit>
        </Form>
      )}
      {passkey && (
        <PasskeyForm action="/dashboard/sign-in/passkey" act="get" request={passkey}>
          <input type="hidden" name="next" value={next} />
          <Submit kind="plain">Sign in with a passkey</Submit>
        </PasskeyForm>
      )}
      {hasPasswords && (
        <p class="d-muted">
          <a href="/dashboard/forgot-password">Forgot your password?</a>
        </p>
      )}
      <p class="d-muted">
        {hasUsers
          ? "No account yet? An admin of your organization can invite you."
          : "There are no accounts yet. To create the first one, open the link that the service printed when it first started."}
      </p>
    </div>
  );
}
