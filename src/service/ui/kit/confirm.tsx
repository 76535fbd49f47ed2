/** A page that asks once more before something is gone for good: it names the thing, and asks for its name. */
import type { ComponentChildren } from "preact";
import { Form, Input, LinkButton, Submit } from "./form.tsx";
import { FormErrorNote, type FormErrors } from "./form-errors.tsx";
import { PageHead } from "./page-parts.tsx";

export interface ConfirmProps {
  title: string;
  /** What will be different. */
  children: ComponentChildren;
  /** What must be typed. */
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
            <LinkButton href={backTo}>Keep it</LinkButton>
          </div>
        </Form>
      </div>
    </>
  );
}
