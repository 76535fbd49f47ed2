/** Escapes and unescapes text in HTML. */

/** Replaces the entities that `escapeHtml` writes, and `&#39;`. Other entities are unchanged. */
export function unescapeHtml(text: string): string {
  const characters: Record<string, string> = {
    "&amp;": "&",
    "&lt;": "<",
    "&gt;": ">",
    "&quot;": '"',
    "&#39;": "'",
  };
  return text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => characters[entity]!);
}

/** Escapes text for use between tags and in double-quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (c) =>
    c === "&" ? "&amp;" : c === "<" ? "&lt;" : c === ">" ? "&gt;" : "&quot;",
  );
}

/**
 * Escapes text for use between tags. Keeps quotation marks, which are frequent in code and only need escaping
 * in attributes.
 */
export function escapeText(text: string): string {
  return text.replace(/[&<>]/g, (c) => (c === "&" ? "&amp;" : c === "<" ? "&lt;" : "&gt;"));
}
