const initialisms: ReadonlySet<string> = new Set(["api", "id", "ip", "uri", "url", "uuid"]);

/**
 * Returns the name of a field as it's written in English text: `plantId` → `plant ID`, `created_at` →
 * `created at`. Unchanged in other languages, and if the name doesn't consist of words in camel case or snake
 * case.
 */
export function readableName(name: string, language: string): string {
  if (!/^en\b/i.test(language) || !/^[a-z][A-Za-z0-9_]*$/.test(name)) return name;
  const words = name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").split(/[ _]+/);
  return words
    .map((word) => word.toLowerCase())
    .map((word) => (initialisms.has(word) ? word.toUpperCase() : word))
    .join(" ")
    .trim();
}
