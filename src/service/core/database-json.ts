/** JSON for PostgreSQL: untrusted text may contain characters that jsonb doesn't accept. */
export function databaseJson(value: unknown): string {
  return JSON.stringify(value, (_key, entry: unknown) =>
    typeof entry === "string" ? entry.toWellFormed().replaceAll("\0", "\ufffd") : entry,
  );
}
