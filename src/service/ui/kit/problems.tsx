/** What was wrong with a form, above it: said at once by screen readers, and with all that needs mending. */

export interface Wrong {
  message: string;
  details: readonly string[];
}

export function WrongForm({ wrong }: { wrong: Wrong | undefined }) {
  if (!wrong) return null;
  return (
    <div class="d-note d-note-danger" role="alert">
      <p>{wrong.message}</p>
      {wrong.details.length > 0 && (
        <ul>
          {wrong.details.map((detail) => (
            <li key={detail}>{detail}</li>
          ))}
        </ul>
      )}
    </div>
  );
}
