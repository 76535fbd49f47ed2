/** Renders the frame around an input: label, type, description and finding. */

import type { ComponentChildren } from "preact";
import { jsonText } from "../../../engine/openapi/nodes/json-text.ts";
import { constraintLimit } from "../../../engine/openapi/schema/constraint-text.ts";
import type { SchemaView } from "../../../engine/openapi/schema/schema-view.ts";
import { descriptionText } from "../description-text.ts";
import { findingText } from "../finding-text.ts";
import { fieldId, useFormContext } from "../form-context.ts";
import { LinkButton } from "../link-button.tsx";
import { fill } from "../playground-messages.ts";
import { readableName } from "../readable-name.ts";

export interface FieldProps {
  name: string;
  /** Path of the value: `query.limit`, `body.items[0].id`. */
  path: string;
  value: unknown;
  /** Called with the new value. `undefined` means that the value is not sent. */
  onChange(value: unknown): void;
  required: boolean;
  deprecated?: boolean;
  /** Overrides the schema's description. */
  description?: string;
  /** Whether readers can choose a file for the value. */
  files: boolean;
  /** Whether empty text, objects and lists are sent, as for list items. */
  keepEmpty?: boolean;
  /** A button next to the label that removes the value. */
  action?: ComponentChildren;
}

/** Returns the attributes of a field's input: its id, and the attributes for assistive technology. */
export function controlAttributes({ path, required }: FieldProps, finding: string | undefined) {
  return {
    id: fieldId(path),
    "aria-describedby": `${fieldId(path)}-about`,
    "aria-required": required || undefined,
    "aria-invalid": finding === undefined ? undefined : true,
  };
}

/**
 * Returns the message of a value's finding. Undefined if there is none. Missing values are only reported
 * after the first request.
 */
export function useFinding(path: string, value: unknown): string | undefined {
  const { findings, isSent, messages } = useFormContext();
  const finding = findings.get(path);
  if (!finding || (value === undefined && !isSent)) return undefined;
  if (value !== undefined || finding.code !== "required") return findingText(finding, messages);
  return fill(messages.enterValue, {
    name: readableName(finding.wanted ?? "", document.documentElement.lang),
  });
}

export function FieldFrame({
  field,
  view,
  children,
  extra,
  isGroup,
}: {
  field: FieldProps;
  view: SchemaView;
  children: ComponentChildren;
  extra?: ComponentChildren;
  /** Whether there are several controls, which have their own labels. */
  isGroup?: boolean;
}) {
  const finding = useFinding(field.path, field.value);
  return (
    <div class="o-pg-field">
      <div class="o-pg-field-head">
        {isGroup ? (
          <span class="o-pg-name">{field.name}</span>
        ) : (
          <label class="o-pg-name" for={fieldId(field.path)}>
            {field.name}
          </label>
        )}
        <FieldFacts field={field} view={view} />
        {extra}
        <LinkButton name={field.name} path={field.path} />
        {field.action}
      </div>
      {children}
      <FieldAbout field={field} view={view} finding={finding} />
    </div>
  );
}

/** The type of a field, and whether the field is required or deprecated. */
export function FieldFacts({ field, view }: { field: FieldProps; view: SchemaView }) {
  const { messages } = useFormContext();
  return (
    <>
      <span class="o-pg-type">{view.label}</span>
      {field.required && <span class="o-pg-required">{messages.required}</span>}
      {(field.deprecated || view.deprecated) && <span class="o-pg-deprecated">{messages.deprecated}</span>}
    </>
  );
}

/** The finding, the description and the constraints of a field. */
export function FieldAbout({
  field,
  view,
  finding,
}: {
  field: FieldProps;
  view: SchemaView;
  finding: string | undefined;
}) {
  const description = field.description ?? view.description;
  const { messages } = useFormContext();
  const limits = view.constraints.map((constraint) =>
    constraintLimit(
      constraint,
      typeof constraint.value === "string" ? constraint.value : jsonText(constraint.value),
      messages.constraints,
    ),
  );

  return (
    <div class="o-pg-about" id={`${fieldId(field.path)}-about`}>
      {finding !== undefined && <p class="o-pg-wrong">{finding}</p>}
      {description && <p class="o-pg-description">{descriptionText(description)}</p>}
      {limits.length > 0 && (
        <p class="o-pg-limits">
          {limits.map(({ text, value }, index) => [
            index > 0 && " · ",
            text,
            value !== undefined && " ",
            value !== undefined && <code>{value}</code>,
          ])}
        </p>
      )}
    </div>
  );
}
