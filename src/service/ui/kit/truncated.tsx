import { oneLine } from "../../../base/one-line.ts";

/** Returns a text on one line, truncated to `most` characters. */
export function truncate(text: string, most: number): string {
  const characters = [...oneLine(text)];
  if (characters.length <= most) return characters.join("") || "(empty)";
  return `${characters
    .slice(0, most - 1)
    .join("")
    .trimEnd()}…`;
}

/**
 * A text, truncated to `most` characters. Collapses white space. The tooltip of a truncated text shows up to
 * 1,000 characters.
 */
export function Truncated({ text, most = 140 }: { text: string; most?: number }) {
  const characters = [...oneLine(text)];
  const title = characters.length > most ? characters.slice(0, 1_000).join("") : undefined;
  return (
    <span class="d-cut" title={title}>
      {truncate(text, most)}
    </span>
  );
}
