/** Renders the confirmation page for an action that can't be undone. The user must type a name. */

import type { ComponentChildren } from "preact";
import { Form, Input, LinkButton, Submit } from "./form.tsx";
import { FormErrorNote, type FormErrors } from "./form-errors.tsx";
import { PageHead } from "./page-parts.tsx";

export interface ConfirmProps {
  title: string;
  /** Consequences of the action. */
  children: ComponentChildren;
  /** Text that the user must type. */
  name: string;
  action: string;
  button: string;
  backTo: string;
  errors?: FormErrors | undefined;
}

export function Confirm({ title, children, name, action, button, backTo, errors }: ConfirmProps) {
  return (
    <>
      <PageHead title={title} />
      <div class="d-narrow">
        <FormErrorNote errors={errors} />
        <div class="d-muted">{children}</div>
        <Form action={action}>
          <Input name="confirm" label={`Type ${name} to confirm`} isRequired isMono />
          <div class="d-buttons">
            <Submit kind="danger">{button}</Submit>
            <LinkButton href={backTo}>Cancel</LinkButton>
          </div>
        </Form>
      </div>
    </>
  );
}
