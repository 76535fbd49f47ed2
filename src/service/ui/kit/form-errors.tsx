/** Error messages above a form. Screen readers announce them. */

export interface FormErrors {
  message: string;
  details: readonly string[];
}

export function FormErrorNote({ errors }: { errors: FormErrors | undefined }) {
  if (!errors) return null;
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
