/** Display name of an actor, such as the email of a member or the last characters of a key; `unknown` for null. */
export function actorName(actor: string | null): string {
  if (actor === null) return "unknown";
  const member = /^member (.+)$/s.exec(actor)?.[1];
  const key = /^key \S+ \((…\w+)\)$/.exec(actor)?.[1];
  return member ?? (key ? `key ${key}` : actor);
}
