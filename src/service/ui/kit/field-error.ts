/** Finds the form field that an error message is about, and replaces the field's name with its label. */

/**
 * Returns the field that `detail` is about, and the message to show. In `name must be …`, the field's label
 * replaces the name. In `name: Sentence`, the name is left out. A name can be a path, such as
 * `signIn.loginUrl` or `allowedIps.0`. `fields`: fields by name. Undefined if no field has the name.
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
