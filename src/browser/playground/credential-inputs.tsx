/** Renders text fields for credentials. */

export function PlainInput({
  id,
  label,
  value,
  set,
}: {
  id: string;
  label: string;
  value: string;
  set(value: string): void;
}) {
  return (
    <div class="o-pg-field">
      <div class="o-pg-field-head">
        <label for={id}>{label}</label>
      </div>
      <input
        class="o-pg-input"
        id={id}
        value={value}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        onInput={(event) => set(event.currentTarget.value)}
      />
    </div>
  );
}

/** A secret field that password managers don't save for the documentation's site. */
export function SecretInput({
  id,
  label,
  isName,
  hint,
  value,
  set,
}: {
  id: string;
  label: string;
  /** Whether the label is the name of a parameter or header, which is shown as code. */
  isName?: boolean;
  hint?: string;
  value: string;
  set(value: string): void;
}) {
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
        type="password"
        value={value}
        autocomplete="new-password"
        spellcheck={false}
        onInput={(event) => set(event.currentTarget.value)}
      />
    </div>
  );
}
