/**
 * Removes the HTTP method from the label of an operation, such as `GET /users`, for places that show the
 * method separately.
 */
export function withoutMethod(label: string, method: string | undefined): string {
  return method !== undefined && label.startsWith(`${method} /`) ? label.slice(method.length + 1) : label;
}
