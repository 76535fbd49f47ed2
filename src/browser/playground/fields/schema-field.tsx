/**
 * Renders the form for the value of a schema. Nested levels are only rendered when they are open, so that
 * schemas can be recursive.
 */

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { jsonText, parseJson } from "../../../engine/openapi/nodes/json-text.ts";
import { isRaw, type Raw } from "../../../engine/openapi/nodes/refs.ts";
import { memberPath } from "../../../engine/openapi/nodes/value-text.ts";
import { additionalName } from "../../../engine/openapi/schema/additional-name.ts";
import { conditionText } from "../../../engine/openapi/schema/condition-text.ts";
import { isOfType } from "../../../engine/openapi/schema/schema-types.ts";
import {
  jsonContentOf,
  type SchemaRef,
  type SchemaView,
  type Variant,
  type VariantList,
} from "../../../engine/openapi/schema/schema-view.ts";
import { emptyOf, newValue } from "../first-draft.ts";
import { fieldId, useFormContext } from "../form-context.ts";
import { fill } from "../playground-messages.ts";
import { FieldAbout, FieldFacts, FieldFrame, type FieldProps, useFinding } from "./field-frame.tsx";
import { FileField, FilesField } from "./file-field.tsx";
import { ChipsField, ChoiceField, chipValues, NumberField, TextField } from "./input-fields.tsx";
import { emptied, withProperty } from "./object-value.ts";
import { converted, fittingOption, isMap } from "./variant-values.ts";

export interface SchemaFieldProps extends FieldProps {
  schema: SchemaRef;
  /** Keys of the enclosing schemas. A recursive schema is initially closed. */
  trail?: readonly string[];
  /** Properties to leave out, because a different form of the same object shows them. */
  without?: ReadonlySet<string>;
  /**
   * Whether the value is shown without a frame, as the whole body is. With `files`, its properties can be
   * files.
   */
  bare?: boolean;
  /** Whether the value is only shown for a conditional part of its schema. */
  isConditional?: boolean;
  /** The discriminator of the selected alternative, with the values that select it. */
  tag?: { name: string; values: readonly string[] } | undefined;
}

const anyTypes = ["string", "number", "boolean", "object", "array", "null"];
const anything: SchemaRef = { parts: [{ value: true, pointer: "#" }] };

/** Maximum nesting depth of schemas, which limits directly recursive alternatives. */
const depth_levels = 40;

export function SchemaField(props: SchemaFieldProps) {
  const form = useFormContext();
  if ((props.trail?.length ?? 0) > depth_levels) return null;
  const view = form.view(props.schema);
  const values = view.const ? [view.const.value] : view.enum;
  if (values)
    return (
      <ChoiceField
        field={props}
        view={view}
        values={values}
        texts={view.const ? undefined : view.enumTexts}
        extra={view.nullable && <NullSwitch field={props} />}
      />
    );

  if (view.file && (props.files || view.file === "base64"))
    return <FileField field={props} view={view} base64={view.file === "base64"} />;

  const content = jsonContentOf(view);
  const parsed = content && contentOf(props.value);
  if (content && parsed)
    return (
      <SchemaField
        {...props}
        schema={content}
        value={parsed.value}
        onChange={(next) => props.onChange(next === undefined ? undefined : jsonText(next))}
      />
    );

  const alternatives = view.variants.find(({ kind }) => kind !== "if");
  const isObject = view.properties.length > 0 || (!alternatives && view.variants.length > 0);
  const types = view.types.length > 0 ? view.types : isObject ? ["object"] : [];
  if (types.length === 0 && alternatives)
    return <VariantsField props={props} view={view} variants={alternatives} />;

  if (types.length !== 1)
    return (
      <TypePicker
        props={props}
        view={view}
        types={types.length > 0 ? [...types, ...(view.nullable ? ["null"] : [])] : anyTypes}
      />
    );

  return (
    <TypedField
      props={props}
      view={view}
      type={types[0]!}
      extra={view.nullable && <NullSwitch field={props} />}
    />
  );
}

/** Returns the value that a text contains as JSON. Undefined if the text isn't JSON. */
function contentOf(text: unknown): { value: unknown } | undefined {
  if (text === undefined || text === "") return { value: undefined };
  try {
    return typeof text === "string" ? { value: parseJson(text) } : undefined;
  } catch {
    return undefined;
  }
}

function TypedField({
  props,
  view,
  type,
  extra,
}: {
  props: SchemaFieldProps;
  view: SchemaView;
  type: string;
  extra?: ComponentChildren;
}) {
  if (type === "object") return <ObjectField props={props} view={view} extra={extra} />;
  if (type === "array") return <ArrayField props={props} view={view} extra={extra} />;
  if (type === "boolean")
    return <ChoiceField field={props} view={view} values={[true, false]} extra={extra} />;
  if (type === "integer" || type === "number") return <NumberField field={props} view={view} extra={extra} />;
  return <TextField field={props} view={view} extra={extra} />;
}

function NullSwitch({ field }: { field: FieldProps }) {
  const { messages } = useFormContext();
  return (
    <label class="o-pg-check">
      <input
        type="checkbox"
        checked={field.value === null}
        aria-label={`${field.name}: ${messages.sendNull}`}
        onChange={(event) => field.onChange(event.currentTarget.checked ? null : undefined)}
      />
      null
    </label>
  );
}

/** A dropdown of types, and the field for the selected type. */
function TypePicker({ props, view, types }: { props: SchemaFieldProps; view: SchemaView; types: string[] }) {
  const { messages, draft, change } = useFormContext();
  const fitting = types.findIndex((type) =>
    type === "null" ? props.value === null : props.value !== undefined && isOfType(props.value, type),
  );
  const remembered = draft.choices[props.path] ?? 0;
  const index = props.value === undefined || fitting < 0 ? Math.min(remembered, types.length - 1) : fitting;
  const type = types[index]!;

  const pick = (next: number) => {
    change((before) => ({ ...before, choices: { ...before.choices, [props.path]: next } }));
    const chosen = types[next]!;
    props.onChange(
      chosen === "null" || props.keepEmpty || chosen === "object" || chosen === "array"
        ? emptyOf(chosen)
        : undefined,
    );
  };

  const picker = (
    <select
      class="o-pg-small"
      aria-label={fill(messages.typeOf, { name: props.name })}
      value={String(index)}
      onChange={(event) => pick(Number(event.currentTarget.value))}
    >
      {types.map((name, number) => (
        <option value={String(number)}>{name}</option>
      ))}
    </select>
  );

  if (type === "null") {
    return (
      <FieldFrame field={props} view={view} extra={picker}>
        <input class="o-pg-input" id={fieldId(props.path)} value="null" readOnly />
      </FieldFrame>
    );
  }

  return <TypedField props={props} view={{ ...view, types: [type] }} type={type} extra={picker} />;
}

/** The collapsible frame of an object or a list. */
function Part({
  props,
  view,
  extra,
  children,
}: {
  props: SchemaFieldProps;
  view: SchemaView;
  extra?: ComponentChildren;
  children: ComponentChildren;
}) {
  const { draft, change } = useFormContext();
  const finding = useFinding(props.path, props.value);

  if (props.bare) {
    return (
      <fieldset class="o-pg-bare" id={fieldId(props.path)} tabIndex={-1} aria-label={props.name}>
        {finding !== undefined && <p class="o-pg-wrong">{finding}</p>}
        {extra && <div class="o-pg-field-head">{extra}</div>}
        {children}
      </fieldset>
    );
  }

  const again = props.trail?.includes(view.key) === true;
  const open = draft.opened[props.path] ?? (!again && (props.required || isFilled(props.value)));
  const toggle = () => change((before) => ({ ...before, opened: { ...before.opened, [props.path]: !open } }));
  return (
    <fieldset class="o-pg-part" aria-label={props.name}>
      <div class="o-pg-field-head">
        <button
          type="button"
          class="o-pg-disclosure"
          id={fieldId(props.path)}
          aria-expanded={open}
          aria-describedby={`${fieldId(props.path)}-about`}
          onClick={toggle}
        >
          {props.name}
        </button>
        <FieldFacts field={props} view={view} />
        {extra}
        {props.action}
      </div>
      <FieldAbout field={props} view={view} finding={finding} />
      {open && <div class="o-pg-inside">{children}</div>}
    </fieldset>
  );
}

function isFilled(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}

function ObjectField({
  props,
  view,
  extra,
}: {
  props: SchemaFieldProps;
  view: SchemaView;
  extra?: ComponentChildren;
}) {
  return (
    <Part props={props} view={view} extra={extra}>
      {props.value !== null && <Properties props={props} view={view} />}
    </Part>
  );
}

function Properties({ props, view }: { props: SchemaFieldProps; view: SchemaView }) {
  const value: Raw = isRaw(props.value) ? props.value : {};
  const trail = [...(props.trail ?? []), view.key];
  const set = (name: string, next: unknown) =>
    props.onChange(withProperty(value, name, next, props.required || props.keepEmpty === true));

  // The selected alternative shows the discriminator.
  const tags = new Set(
    view.variants.flatMap(({ discriminator, options }) =>
      options.some(({ values }) => values) ? discriminator : [],
    ),
  );

  const { tag } = props;
  const named = view.properties.filter(
    ({ name }) => !props.without?.has(name) && !tags.has(name) && name !== tag?.name,
  );
  const names = new Set(
    [...(props.without ?? []), ...view.properties.map(({ name }) => name)].filter((name) => !tags.has(name)),
  );
  const { view: viewOf } = useFormContext();

  const inner = {
    ...props,
    value,
    trail,
    without: names,
    onChange: (next: unknown) => props.onChange(isRaw(next) ? emptied(next, props) : next),
  };

  const tagSchema = view.properties.find(({ name }) => name === tag?.name)?.schema;
  return (
    <>
      {tag && (
        <ChoiceField
          field={{
            name: tag.name,
            path: memberPath(props.path, tag.name),
            value: Object.hasOwn(value, tag.name) ? value[tag.name] : undefined,
            onChange: (next) => set(tag.name, next),
            required: true,
            files: false,
          }}
          view={viewOf(tagSchema ?? anything)}
          values={tag.values}
        />
      )}
      {named.map((property) => (
        <SchemaField
          key={property.name}
          name={property.name}
          path={memberPath(props.path, property.name)}
          schema={property.schema}
          required={property.required}
          value={Object.hasOwn(value, property.name) ? value[property.name] : undefined}
          onChange={(next) => set(property.name, next)}
          files={props.files && props.bare === true}
          trail={trail}
        />
      ))}
      {view.variants.map((variants) =>
        variants.kind === "if" ? (
          <Conditionals props={inner} options={variants.options} />
        ) : (
          <VariantsField props={inner} view={view} variants={variants} inside />
        ),
      )}
      {isMap(view) && !props.isConditional && view.variants.every(({ kind }) => kind === "if") && (
        <MapRows
          props={props}
          view={view}
          value={value}
          set={set}
          trail={trail}
          known={new Set([...names, ...conditionalNames(view, viewOf)])}
        />
      )}
    </>
  );
}

/** The fields of the parts of a schema that apply to some values, below their conditions. */
function Conditionals({ props, options }: { props: SchemaFieldProps; options: readonly Variant[] }) {
  const { messages, refs, view: viewOf } = useFormContext();
  return (
    <>
      {options.map(({ condition, schema }) => {
        const view = viewOf(schema);
        const hasFields =
          view.variants.length > 0 || view.properties.some(({ name }) => !props.without?.has(name));
        if (!condition || !hasFields) return null;
        return (
          <div class="o-pg-variant">
            <p class="o-pg-limits">{conditionText(condition, refs, messages.constraints)}</p>
            <Properties props={{ ...props, schema, isConditional: true }} view={view} />
          </div>
        );
      })}
    </>
  );
}

/** Returns the names of the properties in the conditional parts of a schema. */
function conditionalNames(view: SchemaView, viewOf: (schema: SchemaRef) => SchemaView): string[] {
  const options = view.variants.flatMap((variants) => (variants.kind === "if" ? variants.options : []));
  return options.flatMap(({ schema }) => viewOf(schema).properties.map(({ name }) => name));
}

function MapRows({
  props,
  view,
  value,
  set,
  trail,
  known,
}: {
  props: SchemaFieldProps;
  view: SchemaView;
  value: Raw;
  set(name: string, next: unknown): void;
  trail: readonly string[];
  known: ReadonlySet<string>;
}) {
  const { messages, refs } = useFormContext();
  const [name, setName] = useState("");

  const schemaOf = (key: string) =>
    view.patternProperties.length === 1 && typeof view.additional !== "object"
      ? view.patternProperties[0]![1]
      : isSchema(view.additional)
        ? view.additional
        : (view.patternProperties.find(([pattern]) => key.includes(pattern))?.[1] ?? anything);

  const taken = known.has(name) || Object.hasOwn(value, name);
  const id = `${fieldId(props.path)}-new`;

  const add = () => {
    if (taken) return;
    set(name, newValue(schemaOf(name), refs));
    setName("");
  };

  return (
    <>
      {Object.keys(value)
        .filter((key) => !known.has(key))
        .map((key) => (
          <SchemaField
            key={key}
            name={key}
            path={memberPath(props.path, key)}
            schema={schemaOf(key)}
            required={false}
            keepEmpty
            value={value[key]}
            onChange={(next) => set(key, next)}
            files={props.files}
            trail={trail}
            action={<RemoveButton name={key} remove={() => set(key, undefined)} />}
          />
        ))}
      <div class="o-pg-add">
        <input
          class="o-pg-input"
          id={id}
          aria-label={messages.propertyName}
          placeholder={additionalName(view) ?? messages.propertyName}
          value={name}
          onInput={(event) => setName(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || name === "") return;
            event.preventDefault();
            add();
          }}
        />
        <button type="button" class="o-pg-button" disabled={name === "" || taken} onClick={add}>
          {messages.addProperty}
        </button>
        {taken && name !== "" && <p class="o-pg-wrong">{messages.propertyExists}</p>}
      </div>
    </>
  );
}

function isSchema(additional: SchemaView["additional"]): additional is SchemaRef {
  return typeof additional === "object";
}

function RemoveButton({ name, remove }: { name: string; remove(): void }) {
  const { messages } = useFormContext();
  return (
    <button type="button" class="o-pg-remove" aria-label={fill(messages.remove, { name })} onClick={remove}>
      <i class="o-c o-c-x" />
    </button>
  );
}

function ArrayField({
  props,
  view,
  extra,
}: {
  props: SchemaFieldProps;
  view: SchemaView;
  extra?: ComponentChildren;
}) {
  const { messages, refs, view: viewOf } = useFormContext();
  const itemsView = view.items && view.prefixItems.length === 0 ? viewOf(view.items) : undefined;
  const chips = itemsView && !props.bare ? chipValues(itemsView, props.value) : undefined;
  if (chips) return <ChipsField field={props} view={view} extra={extra} values={chips} />;
  if (props.files && itemsView?.file === "binary")
    return <FilesField field={props} view={view} items={itemsView} />;

  const items = Array.isArray(props.value) ? (props.value as unknown[]) : [];
  const schemaOf = (index: number) => view.prefixItems[index] ?? view.items ?? anything;
  const set = (next: unknown[]) =>
    props.onChange(next.length > 0 || props.required || props.keepEmpty ? next : undefined);
  const base = props.name.replace(/^.*\./, "");
  const most = view.constraints.find(({ keyword }) => keyword === "maxItems")?.value;
  return (
    <Part props={props} view={view} extra={extra}>
      {items.map((item, index) => (
        <SchemaField
          key={index}
          name={`${base}[${index}]`}
          path={`${props.path}[${index}]`}
          schema={schemaOf(index)}
          required={false}
          keepEmpty
          value={item}
          onChange={(next) =>
            set(items.map((other, position) => (position === index ? (next ?? null) : other)))
          }
          files={props.files}
          trail={[...(props.trail ?? []), view.key]}
          action={
            <RemoveButton
              name={`${base}[${index}]`}
              remove={() => set(items.filter((_, position) => position !== index))}
            />
          }
        />
      ))}
      <button
        type="button"
        class="o-pg-button"
        disabled={typeof most === "number" && items.length >= most}
        aria-label={`${messages.addItem}: ${props.name}`}
        onClick={() => set([...items, newValue(schemaOf(items.length), refs) ?? ""])}
      >
        {messages.addItem}
      </button>
    </Part>
  );
}

/**
 * A dropdown of alternatives (radio buttons if there are only a few with short labels), and the form for the
 * selected alternative.
 */
function VariantsField({
  props,
  view,
  variants,
  inside,
}: {
  props: SchemaFieldProps;
  view: SchemaView;
  variants: VariantList;
  inside?: boolean;
}) {
  const form = useFormContext();
  const { messages, draft, change } = form;
  const choiceKey = `${props.path}?${view.variants.indexOf(variants)}`;
  const index = draft.choices[choiceKey] ?? fittingOption(variants, props.value, form);
  const option = variants.options[index] ?? variants.options[0];
  if (!option) return null;

  const key = variants.discriminator;
  const marked = (next: unknown) =>
    key !== undefined &&
    option.values &&
    isRaw(next) &&
    Object.keys(next).length > 0 &&
    next[key] === undefined
      ? { [key]: option.values[0], ...next }
      : next;

  const pick = (next: number) => {
    change((before) => ({ ...before, choices: { ...before.choices, [choiceKey]: next } }));
    props.onChange(converted(props.value, option.schema, variants, next, form, props));
  };

  const label = fill(messages.variantOf, { name: props.name });
  const picker =
    variants.options.length <= 3 && variants.options.every((each) => each.label.length < 22) ? (
      <span class="o-pg-switch" role="radiogroup" aria-label={label}>
        {variants.options.map((each, number) => (
          <label>
            <input
              type="radio"
              name={fieldId(choiceKey)}
              checked={number === index}
              onChange={() => pick(number)}
            />
            <span>{each.label}</span>
          </label>
        ))}
      </span>
    ) : (
      <select
        class="o-pg-small"
        aria-label={label}
        value={String(index)}
        onChange={(event) => pick(Number(event.currentTarget.value))}
      >
        {variants.options.map((each, number) => (
          <option value={String(number)}>
            {each.values && each.values.join() !== each.label
              ? `${each.label} (${each.values.join(", ")})`
              : each.label}
          </option>
        ))}
      </select>
    );

  const optionView = form.view(option.schema);
  const objectLike = inside || optionView.types.includes("object") || optionView.properties.length > 0;
  const tag = key !== undefined && option.values ? { name: key, values: option.values } : undefined;
  const below = {
    ...props,
    tag,
    schema: option.schema,
    onChange: (next: unknown) => props.onChange(marked(next)),
  };

  if (objectLike && (inside || props.bare)) {
    return (
      <div
        class="o-pg-variant"
        id={inside ? undefined : fieldId(props.path)}
        tabIndex={inside ? undefined : -1}
      >
        <div class="o-pg-field-head">{picker}</div>
        <Properties key={index} props={below} view={optionView} />
      </div>
    );
  }

  return (
    <div class="o-pg-variant">
      <div class="o-pg-field-head">
        {props.name && <code>{props.name}</code>}
        {picker}
        {view.nullable && <NullSwitch field={props} />}
      </div>
      {props.value === null ? null : (
        <SchemaField
          key={index}
          {...below}
          trail={[...(props.trail ?? []), view.key]}
          description={props.description ?? optionView.description ?? view.description}
        />
      )}
    </div>
  );
}
