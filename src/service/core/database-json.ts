/** JSON as PostgreSQL takes it: texts of strangers hold characters that its jsonb refuses. */
export function databaseJson(value: unknown): string {
  return JSON.stringify(value, (_key, entry: unknown) =>
    typeof entry === "string" ? entry.toWellFormed().replaceAll("\0", "\ufffd") : entry,
  );
}
