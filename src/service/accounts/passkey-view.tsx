import type { ComponentChildren } from "preact";
import { Form, Input, LinkButton, Submit } from "../ui/kit/form.tsx";
import { FormErrorNote, type FormErrors } from "../ui/kit/form-errors.tsx";
import { PageHead } from "../ui/kit/page-parts.tsx";
import type { PasskeyRequest } from "./passkeys.ts";

export interface PasskeyFormProps {
  action: string;
  /** When the form is submitted, the browser creates a passkey (`create`) or signs in with one (`get`). */
  act: "create" | "get";
  request: PasskeyRequest<object>;
  children: ComponentChildren;
}

/**
 * A form whose script asks the browser for a passkey before the form is sent. Hidden if scripts are disabled.
 */
export function PasskeyForm({ action, act, request: { options, challenge }, children }: PasskeyFormProps) {
  return (
    <div class="o-js" data-passkey={act} data-options={JSON.stringify(options)}>
      <Form action={action}>
        <input type="hidden" name="challenge" value={challenge} />
        <input type="hidden" name="response" value="" />
        {children}
        <p
          class="d-passkey-error"
          role="alert"
          data-cancelled="The passkey request was canceled or failed. Try again."
          hidden
        />
      </Form>
    </div>
  );
}

export function NewPasskey({
  request,
  name,
  errors,
}: {
  request: PasskeyRequest<object>;
  name: string;
  errors: FormErrors | undefined;
}) {
  return (
    <div class="d-narrow">
      <PageHead
        title="Add a passkey"
        lead="Sign in with your fingerprint, face, screen lock, or security key instead of a password."
        back={{ label: "Your account", href: "/dashboard/account" }}
      />
      <FormErrorNote errors={errors} />
      <PasskeyForm action="/dashboard/account/passkeys" act="create" request={request}>
        <Input
          name="name"
          label="Name"
          value={name}
          hint="Helps you tell your passkeys apart."
          isRequired
          maxLength={60}
        />
        <div class="d-buttons">
          <Submit>Create passkey</Submit>
          <LinkButton href="/dashboard/account">Cancel</LinkButton>
        </div>
      </PasskeyForm>
      <p class="d-muted d-no-js">Passkeys require JavaScript.</p>
    </div>
  );
}
