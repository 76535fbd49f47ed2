/** Renders text fields for credentials. */

import { useFormContext } from "./form-context.ts";
import { fill } from "./playground-messages.ts";

interface CredentialInputProps {
  id: string;
  label: string;
  /** Whether the label is the name of a parameter or header, which is shown as code. */
  isName?: boolean;
  hint?: string;
  value: string;
  /** Whether the reader is asked for the value if it's empty. */
  isAsked?: boolean;
  set(value: string): void;
}

export function PlainInput(props: CredentialInputProps) {
  return <CredentialInput {...props} attributes={{ autocomplete: "off", autocapitalize: "off" }} />;
}

/** A secret field that password managers don't save for the documentation's site. */
export function SecretInput(props: CredentialInputProps) {
  return <CredentialInput {...props} attributes={{ type: "password", autocomplete: "new-password" }} />;
}

function CredentialInput({
  id,
  label,
  isName,
  hint,
  value,
  isAsked,
  set,
  attributes,
}: CredentialInputProps & { attributes: Record<string, string> }) {
  const { messages } = useFormContext();
  const isMissing = isAsked && !value;
  return (
    <div class="o-pg-field">
      <div class="o-pg-field-head">
        <label class={isName ? "o-pg-name" : undefined} for={id}>
          {label}
        </label>
        {hint && <span class="o-pg-type">{hint}</span>}
      </div>
      <input
        class="o-pg-input"
        id={id}
        value={value}
        spellcheck={false}
        aria-invalid={isMissing || undefined}
        aria-describedby={isMissing ? `${id}-about` : undefined}
        onInput={(event) => set(event.currentTarget.value)}
        {...attributes}
      />
      {isMissing && (
        <p class="o-pg-wrong" id={`${id}-about`}>
          {fill(messages.enterValue, { name: label })}
        </p>
      )}
    </div>
  );
}
