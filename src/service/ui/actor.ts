/** Display name of an actor of the audit log. */
export function actorName(actor: string | null): string {
  if (actor === null) return "unknown";
  const member = /^member (.+)$/s.exec(actor)?.[1];
  const key = /^key \S+ \((…\w+)\)$/.exec(actor)?.[1];
  return member ?? (key ? `key ${key}` : actor);
}
