export interface Choice {
  label: string;
  href: string;
  isChosen: boolean;
}

/** A row of links to alternative views of the page. */
export function Choices({ label, choices }: { label: string; choices: readonly Choice[] }) {
  return (
    <nav class="d-choices" aria-label={label}>
      {choices.map(({ label, href, isChosen }) => (
        <a key={label} class="d-choice" href={href} aria-current={isChosen ? "true" : undefined}>
          {label}
        </a>
      ))}
    </nav>
  );
}
