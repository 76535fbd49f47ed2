/** Error messages above a form. Screen readers announce them. */

export interface FormErrors {
  message: string;
  details: readonly string[];
}

/** Message for a field, such as "URL must be public"; undefined if the field has no error. Details begin with the field's name. */
export function fieldError(errors: FormErrors | undefined, name: string, label: string): string | undefined {
  const detail = errors?.details.find((text) => text.startsWith(`${name} `));
  return detail && label + detail.slice(name.length);
}

/** `fields`: names of fields that show their errors themselves. */
export function FormErrorNote({ errors: given, fields = [] }: { errors: FormErrors | undefined; fields?: readonly string[] }) {
  if (!given) return null;
  const errors = { ...given, details: given.details.filter((detail) => !fields.some((name) => detail.startsWith(`${name} `))) };
  return (
    <div class="d-note d-note-danger" role="alert">
      <p>{errors.message}</p>
      {errors.details.length > 0 && (
        <ul>
          {errors.details.map((detail) => (
            <li key={detail}>{detail}</li>
          ))}
        </ul>
      )}
    </div>
  );
}
