/** Text truncated to one line of a list. The tooltip has up to 1,000 characters of it. */
export function Truncated({ text, most = 140 }: { text: string; most?: number }) {
  const characters = [...text.replace(/\s+/g, " ").trim()];
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

/** Path, query and fragment of a URL. */
export function pathOf(url: string): string {
  return url.replace(/^[a-z]+:\/\/[^/?#]*/i, "") || "/";
}
