/**
 * Renders the error messages of a form: a summary that screen readers announce, and the messages for each
 * field.
 */

import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { renderToString } from "preact-render-to-string";
import type { ErrorDetail, FieldError } from "../../../base/app-error.ts";

export interface FormErrors {
  message: string;
  details: readonly ErrorDetail[];
}

/** Errors of the submitted form. `shown`: the errors for which the page has a field. */
export interface Submission {
  details: readonly ErrorDetail[];
  shown: Map<ErrorDetail, { id: string; label: string }>;
}

export const SubmittedErrors = createContext<Submission | undefined>(undefined);

/** Errors of one field. `isFirst`: whether it is the first invalid field of the page. */
export interface FieldErrors {
  messages: readonly string[];
  isFirst: boolean;
}

/**
 * Returns the errors of a field. Undefined if the field is valid. `errorName`: name of the field in errors,
 * or a part of its path.
 */
export function useFieldErrors(id: string, label: string, errorName: string): FieldErrors | undefined {
  const submission = useContext(SubmittedErrors);
  const found = submission?.details.filter((detail) => isOf(detail, errorName)) ?? [];
  if (!submission || found.length === 0) return undefined;
  const isFirst = submission.shown.size === 0;
  for (const error of found) submission.shown.set(error, { id, label });
  return { messages: found.map((error) => messageOf(error, label)), isFirst };
}

function isOf(detail: ErrorDetail, errorName: string): detail is FieldError {
  return (
    typeof detail !== "string" && (detail.field === errorName || detail.field.split(".").includes(errorName))
  );
}

function messageOf({ text, isPredicate }: FieldError, label: string): string {
  return isPredicate ? `${label} ${text}` : text;
}

/** Takes the place of the summary's list until the fields, which come after it, are rendered. */
const listMark = `<ul data-errors="true"></ul>`;

export function FormErrorNote({ errors }: { errors: FormErrors | undefined }) {
  if (!errors) return null;

  return (
    <div class="d-note d-note-danger" role="alert">
      <p>{errors.message}</p>
      {errors.details.length > 0 && <ul data-errors="true" />}
    </div>
  );
}

/** Completes the summary of a rendered page with links to the fields. */
export function withErrorList(html: string, { details, shown }: Submission): string {
  const list = () =>
    renderToString(
      <ul>
        {details.map((detail) => {
          const field = shown.get(detail);
          if (typeof detail === "string") return <li>{detail}</li>;
          if (!field) return <li>{messageOf(detail, detail.field)}</li>;
          return (
            <li>
              <a href={`#${field.id}`}>{messageOf(detail, field.label)}</a>
            </li>
          );
        })}
      </ul>,
    );

  return html.replaceAll(listMark, list);
}
