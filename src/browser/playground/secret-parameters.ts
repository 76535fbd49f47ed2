/**
 * Detects parameters whose values may be credentials. The playground stores these values separately from
 * other values, or not at all.
 */

const secretHeader = /auth|key|token|secret|passw|session|signature|cookie/i;
const secretQuery =
  /^(?:.*[_-])?(?:api-?key|key|(?:access|auth|refresh)?token|secret|password|signature|sig|auth)$/i;

/** Whether the value of a parameter may be secret. `key`: its `parameterKey`, such as `header.X-Api-Key`. */
export function isSecretParameter(key: string): boolean {
  const place = key.slice(0, key.indexOf("."));
  const name = key.slice(place.length + 1);
  return (
    place === "cookie" ||
    (place === "header" && secretHeader.test(name)) ||
    (place === "query" && secretQuery.test(name))
  );
}
