/** Forms that change something: plain HTML, posted with the token that shows they come from a page of ours. */
import { type ComponentChildren, createContext } from "preact";
import { useContext } from "preact/hooks";

/** The token of the forms of one page, for one session. */
export const FormToken = createContext("");

/** A form of one button is a `PostButton`. */
export function Form({ action, children }: { action: string; children: ComponentChildren }) {
  return (
    <form class="d-form" method="post" action={action}>
      <input type="hidden" name="_token" value={useContext(FormToken)} />
      {children}
    </form>
  );
}

export interface PostButtonProps {
  action: string;
  children: string;
  /** Said to screen readers where several buttons of a page have the same word. */
  of?: string;
  kind?: ButtonKind;
  values?: Record<string, string>;
}

/** What is done at once by one press. */
export function PostButton({ action, children, of, kind = "plain", values = {} }: PostButtonProps) {
  return (
    <form class="d-inline" method="post" action={action}>
      <input type="hidden" name="_token" value={useContext(FormToken)} />
      {Object.entries(values).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <button type="submit" class={buttonClass(kind)}>
        {children}
        {of && <span class="o-sr"> {of}</span>}
      </button>
    </form>
  );
}

/** Of a form that creates something: submitted twice, it creates one. The value is new each time the form is rendered. */
export function IdempotencyKey({ value }: { value: string }) {
  return <input type="hidden" name="idempotencyKey" value={value} />;
}

export type ButtonKind = "primary" | "plain" | "danger";

export function buttonClass(kind: ButtonKind): string {
  return `d-button d-button-${kind}`;
}

export function Submit({ children, kind = "primary" }: { children: string; kind?: ButtonKind }) {
  return (
    <button type="submit" class={buttonClass(kind)}>
      {children}
    </button>
  );
}

/** Looks like a button and leads somewhere. */
export function LinkButton({ href, children, kind = "plain", of }: { href: string; children: string; kind?: ButtonKind; of?: string }) {
  return (
    <a class={buttonClass(kind)} href={href}>
      {children}
      {of && <span class="o-sr"> {of}</span>}
    </a>
  );
}

interface FieldProps {
  /** Of the form's value, and of the element. */
  name: string;
  label: string;
  hint?: ComponentChildren;
}

export interface InputProps extends FieldProps {
  type?: "text" | "email" | "password" | "date" | "datetime-local" | "url" | "search" | "number";
  value?: string | undefined;
  isRequired?: boolean;
  autocomplete?: string;
  placeholder?: string;
  minLength?: number;
  maxLength?: number;
  isMono?: boolean;
}

export function Input({
  name,
  label,
  hint,
  type = "text",
  value,
  isRequired,
  autocomplete = "off",
  placeholder,
  minLength,
  maxLength,
  isMono,
}: InputProps) {
  return (
    <Field name={name} label={label} hint={hint}>
      <input
        id={name}
        name={name}
        // One of several kinds: Preact has a type for each, and none for the choice.
        type={type as "text"}
        value={value}
        required={isRequired}
        autocomplete={autocomplete}
        placeholder={placeholder}
        minLength={minLength}
        maxLength={maxLength}
        class={isMono ? "d-mono" : undefined}
        aria-describedby={hint ? `${name}-hint` : undefined}
        spellcheck={type === "text" && !isMono ? undefined : false}
      />
    </Field>
  );
}

export function TextArea({ name, label, hint, value, rows = 3 }: FieldProps & { value?: string | undefined; rows?: number }) {
  return (
    <Field name={name} label={label} hint={hint}>
      <textarea id={name} name={name} rows={rows} aria-describedby={hint ? `${name}-hint` : undefined} class="d-mono" spellcheck={false}>
        {value}
      </textarea>
    </Field>
  );
}

export interface Option {
  value: string;
  label: string;
}

export function Select({ name, label, hint, options, value }: FieldProps & { options: readonly Option[]; value?: string | undefined }) {
  return (
    <Field name={name} label={label} hint={hint}>
      <select id={name} name={name} aria-describedby={hint ? `${name}-hint` : undefined}>
        {options.map((option) => (
          <option key={option.value} value={option.value} selected={option.value === value}>
            {option.label}
          </option>
        ))}
      </select>
    </Field>
  );
}

/** Fields that belong together. */
export function FieldSet({ legend, children }: { legend: string; children: ComponentChildren }) {
  return (
    <fieldset>
      <legend>{legend}</legend>
      {children}
    </fieldset>
  );
}

/** `value` is what the form sends when it is chosen. */
export function Checkbox({ name, label, hint, value = "on", isChecked }: FieldProps & { value?: string; isChecked?: boolean }) {
  return (
    <div class="d-check">
      <label>
        <input type="checkbox" name={name} value={value} checked={isChecked} />
        <span>{label}</span>
      </label>
      {hint && <small>{hint}</small>}
    </div>
  );
}

function Field({ name, label, hint, children }: FieldProps & { children: ComponentChildren }) {
  return (
    <div class="d-field">
      <label for={name}>{label}</label>
      {children}
      {hint && <small id={`${name}-hint`}>{hint}</small>}
    </div>
  );
}

/** Fields beside each other where there is room. */
export function FieldRow({ children }: { children: ComponentChildren }) {
  return <div class="d-field-row">{children}</div>;
}

/** Fields of one choice of the form's list: the others are not shown. */
export function When({
  is,
  children,
}: {
  is: "git" | "password" | "jwt" | "oidc" | "model" | "admin" | "assistant";
  children: ComponentChildren;
}) {
  return <div class={`d-when d-when-${is}`}>{children}</div>;
}

/** Choices of a list: sent by GET, so that the address holds them. */
export function Filters({ action, children }: { action: string; children: ComponentChildren }) {
  return (
    <form class="d-filters" method="get" action={action} role="search">
      {children}
      <button type="submit" class={buttonClass("plain")}>
        Filter
      </button>
    </form>
  );
}
