/** A long text in one line of a list; the whole of it stands elsewhere, and on hover. */
export function Truncated({ text, most = 140 }: { text: string; most?: number }) {
  const letters = [...text.replace(/\s+/g, " ").trim()];
  if (letters.length <= most) return <span class="d-cut">{letters.join("") || "(empty)"}</span>;
  return (
    <span class="d-cut" title={letters.slice(0, 1_000).join("")}>
      {letters
        .slice(0, most - 1)
        .join("")
        .trimEnd()}
      …
    </span>
  );
}

/** The page of an address, without the site's own part. */
export function pathOf(url: string): string {
  return url.replace(/^[a-z]+:\/\/[^/?#]*/i, "") || "/";
}
