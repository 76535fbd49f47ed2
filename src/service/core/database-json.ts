/** Serializes a value as JSON for PostgreSQL. Replaces characters in string values that jsonb doesn't accept. */
export function databaseJson(value: unknown): string {
  return JSON.stringify(value, (_key, entry: unknown) =>
    typeof entry === "string" ? entry.toWellFormed().replaceAll("\0", "\ufffd") : entry,
  );
}
