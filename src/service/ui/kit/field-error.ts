/** Error messages about fields, in the words of their labels. */

/**
 * Finds the field that a sentence is about. The sentence is `name must be …`, whose name the label replaces, or `name: Sentence.`
 * A name can be a path, such as `signIn.loginUrl` or `allowedIps.0`. `fields`: fields by name. Undefined if no field has the name.
 */
export function readFieldError<Field extends { label: string }>(
  detail: string,
  fields: ReadonlyMap<string, Field>,
): { field: Field; message: string } | undefined {
  const [, path = "", colon, text = ""] = /^([\w.]+)(:?) (.+)$/s.exec(detail) ?? [];
  const segments = path.split(".").reverse();
  const name = [path, ...segments].find((candidate) => fields.has(candidate));
  const field = name === undefined ? undefined : fields.get(name);
  if (!field) return undefined;
  return { field, message: colon ? text : `${field.label} ${text}` };
}
