/** Renders forms and their fields as plain HTML. Forms that change data contain a CSRF token. */

import { type ComponentChildren, createContext } from "preact";
import { useContext } from "preact/hooks";
import { type FieldErrors, useFieldErrors } from "./form-errors.tsx";
import type { Query } from "./href-with.ts";

/** CSRF token of the page's forms. */
export const FormToken = createContext("");

/** A form that is sent by POST. For a form that contains only a button, use `PostButton`. */
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
  /** Suffix for screen readers, if several buttons of a page have the same label. */
  of?: string;
  kind?: ButtonKind;
  values?: Record<string, string>;
  /**
   * Whether the form deletes what the table row around it shows. A script then removes the row without
   * loading a page.
   */
  removesRow?: boolean;
}

/** A form that contains only a button. */
export function PostButton({
  action,
  children,
  of,
  kind = "plain",
  values = {},
  removesRow,
}: PostButtonProps) {
  return (
    <form class="d-inline" method="post" action={action} data-removes={removesRow ? "" : undefined}>
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

/**
 * Hidden field for forms that create something, so that submitting a form twice creates it once. The value
 * must be new each time the form is rendered.
 */
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

/**
 * The button that Enter in a field presses, for forms whose first visible button does something else. Users
 * don't see it.
 */
export function DefaultSubmit() {
  return <button type="submit" class="d-default-submit" tabIndex={-1} />;
}

/** A link that looks like a button. `of`: suffix for screen readers. */
export function LinkButton({
  href,
  children,
  kind = "plain",
  of,
}: {
  href: string;
  children: string;
  kind?: ButtonKind;
  of?: string;
}) {
  return (
    <a class={buttonClass(kind)} href={href}>
      {children}
      {of && <span class="o-sr"> {of}</span>}
    </a>
  );
}

interface FieldProps {
  /** Name and ID of the element. */
  name: string;
  label: string;
  hint?: ComponentChildren;
  /** Name of the field in error messages, if it isn't `name`. */
  errorName?: string;
}

/** Returns the attributes of a field's element, and the errors to show below the field. */
function useField({ name, label, hint, errorName = name }: FieldProps) {
  const errors = useFieldErrors(name, label, errorName);
  const describedBy = [errors && `${name}-error`, hint && `${name}-hint`].filter(Boolean).join(" ");
  const attributes = {
    id: name,
    name,
    "aria-describedby": describedBy || undefined,
    ...(errors ? { "aria-invalid": true, autofocus: errors.isFirst } : {}),
  };
  return { errors, attributes };
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
  type = "text",
  value,
  isRequired,
  autocomplete = "off",
  placeholder,
  minLength,
  maxLength,
  isMono,
  ...field
}: InputProps) {
  const { attributes, errors } = useField(field);
  return (
    <Field {...field} errors={errors}>
      <input
        {...attributes}
        // Preact has a props type for each input type, but none for a union.
        type={type as "text"}
        value={value}
        required={isRequired}
        autocomplete={autocomplete}
        placeholder={placeholder}
        minLength={minLength}
        maxLength={maxLength}
        class={isMono ? "d-mono" : undefined}
        spellcheck={type === "text" && !isMono ? undefined : false}
      />
    </Field>
  );
}

export function TextArea({
  value,
  rows = 3,
  ...field
}: FieldProps & { value?: string | undefined; rows?: number }) {
  const { attributes, errors } = useField(field);
  return (
    <Field {...field} errors={errors}>
      <textarea {...attributes} rows={rows} class="d-mono" spellcheck={false}>
        {value}
      </textarea>
    </Field>
  );
}

/** A field for a file. `accept`: media types, separated by commas. */
export function FileInput({ accept, ...field }: FieldProps & { accept: string }) {
  const { attributes, errors } = useField(field);
  return (
    <Field {...field} errors={errors}>
      <input {...attributes} type="file" accept={accept} required />
    </Field>
  );
}

export interface Option {
  value: string;
  label: string;
}

export function Select({
  options,
  value,
  ...field
}: FieldProps & { options: readonly Option[]; value?: string | undefined }) {
  const { attributes, errors } = useField(field);
  return (
    <Field {...field} errors={errors}>
      <select {...attributes}>
        {options.map((option) => (
          <option key={option.value} value={option.value} selected={option.value === value}>
            {option.label}
          </option>
        ))}
      </select>
    </Field>
  );
}

/** A choice of one option, as rows of radio buttons with a description. */
export function Radios({
  name,
  label,
  options,
  value,
}: FieldProps & { options: readonly (Option & { hint: string })[]; value: string }) {
  const errors = useFieldErrors(name, label, name);
  return (
    <fieldset id={name} class="d-radios" aria-describedby={errors && `${name}-error`}>
      <legend>{label}</legend>
      {options.map((option) => (
        <label key={option.value}>
          <input type="radio" name={name} value={option.value} checked={option.value === value} required />
          <span>
            {option.label}
            <small>{option.hint}</small>
          </span>
        </label>
      ))}
      <FieldMessages name={name} errors={errors} />
    </fieldset>
  );
}

/** A group of checkboxes with a legend. `name`: name of the checkboxes. */
export function FieldSet({
  name,
  legend,
  children,
}: {
  name: string;
  legend: string;
  children: ComponentChildren;
}) {
  const errors = useFieldErrors(name, legend, name);
  return (
    <fieldset id={name} aria-describedby={errors && `${name}-error`}>
      <legend>{legend}</legend>
      {children}
      <FieldMessages name={name} errors={errors} />
    </fieldset>
  );
}

/** A checkbox. `value`: value that is submitted if the checkbox is checked. */
export function Checkbox({
  name,
  label,
  hint,
  value = "on",
  isChecked,
}: FieldProps & { value?: string; isChecked?: boolean }) {
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

function Field({
  name,
  label,
  hint,
  errors,
  children,
}: FieldProps & { errors: FieldErrors | undefined; children: ComponentChildren }) {
  return (
    <div class="d-field">
      <label for={name}>{label}</label>
      {children}
      <FieldMessages name={name} errors={errors} />
      {hint && <small id={`${name}-hint`}>{hint}</small>}
    </div>
  );
}

function FieldMessages({ name, errors }: { name: string; errors: FieldErrors | undefined }) {
  if (!errors) return null;
  return (
    <p id={`${name}-error`} class="d-field-error">
      {errors.messages.join(". ")}
    </p>
  );
}

/** Fields in one row, if the screen is wide enough. */
export function FieldRow({ children }: { children: ComponentChildren }) {
  return <div class="d-field-row">{children}</div>;
}

/**
 * Fields that depend on the form's select element: CSS shows them for one of its options, or for a group of
 * options.
 */
export function When({
  is,
  children,
}: {
  is:
    | "git"
    | "token"
    | "ssh"
    | "password"
    | "jwt"
    | "oidc"
    | "model"
    | "admin"
    | "assistant"
    | "groups"
    | "all-pages"
    | "resolved";
  children: ComponentChildren;
}) {
  return <div class={`d-when d-when-${is}`}>{children}</div>;
}

/** Hidden fields for query parameters that a form keeps. Omits parameters without a value. */
export function HiddenFields({ values }: { values: Query }) {
  return (
    <>
      {Object.entries(values).map(
        ([name, value]) => value && <input key={name} type="hidden" name={name} value={value} />,
      )}
    </>
  );
}

/**
 * Filter form of a list. Submitted by GET, so that the URL contains the filters. `query`: other query
 * parameters to keep. `filters`: values of the fields, if there are several. On phones, a button with the
 * number of set filters shows and hides them.
 */
export function Filters({
  action,
  query = {},
  filters,
  children,
}: {
  action: string;
  query?: Query;
  filters?: readonly string[];
  children: ComponentChildren;
}) {
  const set_count = filters?.filter((value) => value !== "").length ?? 0;
  return (
    <>
      {filters && (
        <button
          type="button"
          class={`${buttonClass("plain")} d-filters-toggle`}
          aria-expanded="false"
          aria-controls="filters"
        >
          {set_count === 0 ? "Filters" : `Filters (${set_count})`}
        </button>
      )}
      <form class="d-filters" id="filters" method="get" action={action} role="search">
        <HiddenFields values={query} />
        {children}
        {/* A script applies filters when they change. */}
        <button type="submit" class={`${buttonClass("plain")} d-no-js`}>
          Filter
        </button>
      </form>
    </>
  );
}
