/**
 * Renders values and code with a copy button, which is hidden if scripts are disabled, and preformatted text.
 */

import type { ComponentChildren } from "preact";

/** A button that copies text. `of`: name of the copied value, for screen readers. */
export function CopyButton({ text, of }: { text: string; of: string }) {
  return (
    <button
      type="button"
      class="d-button d-button-plain d-copy o-js"
      data-copy={text}
      aria-label={`Copy ${of}`}
    >
      Copy
    </button>
  );
}

/** A single-line value, such as a key or an ID. */
export function CopyField({ label, text }: { label: string; text: string }) {
  return (
    <div class="d-copy-field">
      {/* An element needs a role to have a label. */}
      <code role="group" aria-label={label}>
        {text}
      </code>
      <CopyButton text={text} of={label} />
    </div>
  );
}

/** Preformatted text. */
export function Lines({ label, text }: { label: string; text: ComponentChildren }) {
  return (
    <pre class="d-lines" role="region" aria-label={label} tabIndex={0}>
      <code>{text}</code>
    </pre>
  );
}

/** Code with a label, such as a command. */
export function Snippet({ label, text }: { label: string; text: string }) {
  return (
    <figure class="d-snippet">
      <figcaption>
        {label}
        <CopyButton text={text} of={label} />
      </figcaption>
      {/* The element can scroll, so it must be focusable. */}
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
    </figure>
  );
}
