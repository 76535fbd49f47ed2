/**
 * Serializes a value as JSON for PostgreSQL. Replaces NUL characters and lone surrogates, which jsonb doesn't
 * accept, in string values but not in keys.
 */
export function databaseJson(value: unknown): string {
  return JSON.stringify(value, (_key, entry: unknown) =>
    typeof entry === "string" ? entry.toWellFormed().replaceAll("\0", "\ufffd") : entry,
  );
}
