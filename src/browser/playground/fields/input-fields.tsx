import type { ComponentChildren } from "preact";
import { jsonText } from "../../../engine/openapi/nodes/json-text.ts";
import type { SchemaView } from "../../../engine/openapi/schema/schema-view.ts";
import { descriptionText } from "../description-text.ts";
import { numberOf } from "../exact-json.ts";
import { useFormContext } from "../form-context.ts";
import { controlAttributes, FieldFrame, type FieldProps, useFinding } from "./field-frame.tsx";

const inputTypes: Record<string, "email" | "url" | "password" | "date"> = {
  email: "email",
  uri: "url",
  url: "url",
  password: "password",
  date: "date",
};
const placeholders: Record<string, string> = {
  "date-time": "2025-01-31T12:00:00Z",
  time: "12:00:00Z",
  uuid: "00000000-0000-0000-0000-000000000000",
  ipv4: "192.0.2.1",
  duration: "P1D",
};

/** Fields whose `maxLength` is greater than this number of characters are text areas. */
const line_chars = 200;

export function TextField({
  field,
  view,
  extra,
}: {
  field: FieldProps;
  view: SchemaView;
  extra?: ComponentChildren;
}) {
  const format = view.format ?? "";

  const text =
    typeof field.value === "string"
      ? field.value
      : field.value === undefined || field.value === null
        ? ""
        : jsonText(field.value);

  const longest = view.constraints.find(({ keyword }) => keyword === "maxLength")?.value;
  const long =
    text.includes("\n") ||
    (typeof longest === "number" && longest > line_chars) ||
    /markdown|html|xml/.test(`${format} ${view.contentMediaType ?? ""}`);

  const finding = useFinding(field.path, field.value);
  const attributes = {
    ...controlAttributes(field, finding),
    value: text,
    disabled: field.value === null,
    onInput: (event: { currentTarget: { value: string } }) => {
      const next = event.currentTarget.value;
      field.onChange(next === "" && !field.keepEmpty ? undefined : next);
    },
  };

  // A date input would discard an invalid date.
  const type =
    (format === "date" && text !== "" && !/^\d{4}-\d\d-\d\d$/.test(text) ? undefined : inputTypes[format]) ??
    "text";

  return (
    <FieldFrame field={field} view={view} extra={extra}>
      {long ? (
        <textarea class="o-pg-input" rows={4} {...attributes} />
      ) : (
        <input
          class="o-pg-input"
          type={type as "text"}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          placeholder={placeholders[format] ?? exampleHint(view)}
          {...attributes}
        />
      )}
    </FieldFrame>
  );
}

/**
 * A text input for a number, because an `<input type="number">` would round large numbers. Text that isn't a
 * number is sent unchanged and reported as a finding.
 */
export function NumberField({
  field,
  view,
  extra,
}: {
  field: FieldProps;
  view: SchemaView;
  extra?: ComponentChildren;
}) {
  const finding = useFinding(field.path, field.value);
  const text = field.value === undefined || field.value === null ? "" : String(field.value);
  return (
    <FieldFrame field={field} view={view} extra={extra}>
      <input
        class="o-pg-input"
        type="text"
        inputmode={view.types.includes("integer") ? "numeric" : "decimal"}
        autocomplete="off"
        placeholder={exampleHint(view)}
        {...controlAttributes(field, finding)}
        defaultValue={text}
        disabled={field.value === null}
        ref={(input) => {
          // Keeps the reader's notation (`1.`, `1.0`) while its value is the same.
          if (input && input.value !== text && readNumber(input.value) !== field.value) input.value = text;
        }}
        onInput={(event) => field.onChange(readNumber(event.currentTarget.value))}
      />
    </FieldFrame>
  );
}

function readNumber(text: string): unknown {
  const digits = text.trim();
  if (digits === "") return undefined;
  return /^-?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?$/.test(digits) ? numberOf(digits) : text;
}

function exampleHint(view: SchemaView): string | undefined {
  const example = view.examples[0] ?? view.default?.value;
  return typeof example === "string" || typeof example === "number"
    ? String(example).slice(0, 60)
    : undefined;
}

/** A dropdown of fixed values: booleans, an enum or a constant. */
export function ChoiceField({
  field,
  view,
  extra,
  values,
  texts = [],
}: {
  field: FieldProps;
  view: SchemaView;
  extra?: ComponentChildren;
  values: readonly unknown[];
  /** Description of each value. */
  texts?: readonly (string | undefined)[] | undefined;
}) {
  const { messages } = useFormContext();
  const finding = useFinding(field.path, field.value);
  const selected = values.findIndex((value) => jsonText(value) === jsonText(field.value));
  const other = selected < 0 && field.value !== undefined && field.value !== null;
  return (
    <FieldFrame field={field} view={view} extra={extra}>
      <select
        class="o-pg-input"
        {...controlAttributes(field, finding)}
        value={other ? "other" : String(selected)}
        disabled={field.value === null}
        onChange={(event) => {
          const index = Number(event.currentTarget.value);
          if (!Number.isNaN(index)) field.onChange(index < 0 ? undefined : values[index]);
        }}
      >
        {(!field.keepEmpty || selected < 0) && <option value="-1">{messages.notSent}</option>}
        {other && <option value="other">{shown(field.value)}</option>}
        {values.map((value, index) => (
          <option value={String(index)}>
            {[
              shown(value),
              view.deprecatedValues.includes(value) && messages.deprecated,
              texts[index] && descriptionText(texts[index]),
            ]
              .filter(Boolean)
              .join(" · ")}
          </option>
        ))}
      </select>
    </FieldFrame>
  );
}

/** A list of fixed values, as checkboxes. The values are sent in the order of the schema. */
export function ChipsField({
  field,
  view,
  extra,
  values,
}: {
  field: FieldProps;
  view: SchemaView;
  extra?: ComponentChildren;
  values: readonly unknown[];
}) {
  const chosen = Array.isArray(field.value) ? field.value.map(jsonText) : [];
  const toggle = (value: unknown, isChosen: boolean) => {
    const next = values.filter((each) => (each === value ? isChosen : chosen.includes(jsonText(each))));
    field.onChange(next.length > 0 || field.required || field.keepEmpty ? next : undefined);
  };

  const finding = useFinding(field.path, field.value);
  const { "aria-required": _, ...attributes } = controlAttributes(field, finding);
  return (
    <FieldFrame field={field} view={view} extra={extra} isGroup>
      <div
        class="o-pg-chips"
        role="group"
        tabIndex={-1}
        aria-label={field.name}
        {...attributes}
        aria-invalid={undefined}
      >
        {values.map((value) => (
          <label>
            <input
              type="checkbox"
              checked={chosen.includes(jsonText(value))}
              disabled={field.value === null}
              onChange={(event) => toggle(value, event.currentTarget.checked)}
            />
            <span>{shown(value)}</span>
          </label>
        ))}
      </div>
    </FieldFrame>
  );
}

/** Maximum number of values that are shown as chips. */
const chips_count = 24;

/**
 * Returns the values of a list's items that can be shown as chips. Undefined if there are other or too many
 * values, or if the list contains other values or a value twice.
 */
export function chipValues(items: SchemaView, value: unknown): readonly unknown[] | undefined {
  const values = items.const ? [items.const.value] : items.enum;
  if (!values || values.length > chips_count || items.nullable) return undefined;
  const texts = values.map(jsonText);
  const given = Array.isArray(value) ? value.map(jsonText) : [];
  return given.every((text, index) => texts.includes(text) && given.indexOf(text) === index)
    ? values
    : undefined;
}

function shown(value: unknown): string {
  return typeof value === "string" ? value : jsonText(value);
}
