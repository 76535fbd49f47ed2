/** Values to take elsewhere: shown whole, and copied by a button where scripts run. */

export function CopyButton({ text, of }: { text: string; of: string }) {
  return (
    <button type="button" class="d-button d-button-plain d-copy o-js" data-copy={text} aria-label={`Copy ${of}`}>
      Copy
    </button>
  );
}

/** One line, such as a key or an id. */
export function CopyField({ label, text }: { label: string; text: string }) {
  return (
    <div class="d-copy-field">
      <code aria-label={label}>{text}</code>
      <CopyButton text={text} of={label} />
    </div>
  );
}

/** Lines to read, as they are. */
export function Lines({ label, text }: { label: string; text: string }) {
  return (
    <pre class="d-lines" role="region" aria-label={label} tabIndex={0}>
      <code>{text}</code>
    </pre>
  );
}

/** Some lines, such as a command. */
export function Snippet({ label, text }: { label: string; text: string }) {
  return (
    <figure class="d-snippet">
      <figcaption>
        {label}
        <CopyButton text={text} of={label} />
      </figcaption>
      {/* Scrolls, so it must be reachable. */}
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
    </figure>
  );
}
