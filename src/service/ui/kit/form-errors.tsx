/**
 * Renders the error messages of a form: a summary that screen readers announce, and the messages for each
 * field.
 */

import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { readFieldError } from "./field-error.ts";

export interface FormErrors {
  message: string;
  /** Sentences about the errors. A sentence about a field begins with the field's name, as in an AppError. */
  details: readonly string[];
}

/** A field of the page, with the data that error messages need. */
interface PageField {
  id: string;
  label: string;
}

/**
 * Errors of the submitted form. `fields`: the page's fields, by their name in error messages. The page is
 * rendered twice: the first rendering fills the map, the second one reads it.
 */
export const SubmittedErrors = createContext<
  { details: readonly string[]; fields: Map<string, PageField> } | undefined
>(undefined);

/** Errors of one field. `isFirst`: whether it is the first invalid field of the page. */
export interface FieldErrors {
  messages: readonly string[];
  isFirst: boolean;
}

/**
 * Returns the errors of a field. Undefined if the field is valid. `errorName`: name of the field in error
 * messages.
 */
export function useFieldErrors(id: string, label: string, errorName: string): FieldErrors | undefined {
  const submitted = useContext(SubmittedErrors);
  if (!submitted) return undefined;
  const { details, fields } = submitted;
  if (!fields.has(errorName)) fields.set(errorName, { id, label });
  const found = details.flatMap((detail) => readFieldError(detail, fields) ?? []);
  const messages = found.filter(({ field }) => field.id === id).map(({ message }) => message);
  if (messages.length === 0) return undefined;
  const first = [...fields.values()].find((field) => found.some((error) => error.field === field));
  return { messages, isFirst: first?.id === id };
}

export function FormErrorNote({ errors }: { errors: FormErrors | undefined }) {
  const { fields } = useContext(SubmittedErrors) ?? {};
  if (!errors) return null;

  return (
    <div class="d-note d-note-danger" role="alert">
      <p>{errors.message}</p>
      {errors.details.length > 0 && (
        <ul>
          {errors.details.map((detail) => {
            const error = fields && readFieldError(detail, fields);
            return (
              <li key={detail}>
                {error ? <a href={`#${error.field.id}`}>{firstSentence(error.message)}</a> : detail}
              </li>
            );
          })}
        </ul>
      )}
    </div>
  );
}

/** The rest of the message is shown at the field. */
function firstSentence(message: string): string {
  return message.split(/(?<=\w)\. /)[0]!;
}
