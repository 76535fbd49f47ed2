import { oneLine } from "../../../base/one-line.ts";

/**
 * A text, truncated to `most` characters. Collapses white space. The tooltip of a truncated text shows up to
 * 1,000 characters.
 */
export function Truncated({ text, most = 140 }: { text: string; most?: number }) {
  const characters = [...oneLine(text)];
  if (characters.length <= most) return <span class="d-cut">{characters.join("") || "(empty)"}</span>;
  return (
    <span class="d-cut" title={characters.slice(0, 1_000).join("")}>
      {characters
        .slice(0, most - 1)
        .join("")
        .trimEnd()}
      …
    </span>
  );
}
