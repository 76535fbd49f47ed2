/**
 * Returns the display name of an actor: a member's email, `key` and a key's last characters, or the stored
 * text. `unknown` for null.
 */
export function actorName(actor: string | null): string {
  if (actor === null) return "unknown";
  const member = /^member (.+)$/s.exec(actor)?.[1];
  const key = /^key \S+ \((…\w+)\)$/.exec(actor)?.[1];
  return member ?? (key ? `key ${key}` : actor);
}
