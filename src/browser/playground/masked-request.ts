import { placeCredential } from "../../engine/openapi/request/request-credentials.ts";
import type { Credential, HttpRequest } from "../../engine/openapi/request/request-model.ts";

const dots = "••••••••";

/** Replaces the credentials in a request with dots, for display. Undefined if the request has none. */
export function maskedRequest(
  request: HttpRequest,
  credentials: readonly Credential[],
): HttpRequest | undefined {
  const placed = credentials.flatMap((credential) => placeCredential(credential) ?? []);
  if (placed.length === 0) return undefined;
  const pairs = new Set(placed.map(({ name, value }) => `${name}=${value}`));
  const isSecret = (name: string) =>
    placed.some((each) => each.in === "header" && each.name.toLowerCase() === name.toLowerCase());

  const mask = (text: string, pattern: RegExp) =>
    text.replace(pattern, (pair) => (pairs.has(pair) ? pair.replace(/=.*/, `=${dots}`) : pair));

  return {
    ...request,
    url: mask(request.url, /[^?&#]+/g),
    headers: request.headers.map(([name, value]): [string, string] => {
      if (isSecret(name)) return [name, `${/^\S+ (?=\S)/.exec(value)?.[0] ?? ""}${dots}`];
      return [name, name.toLowerCase() === "cookie" ? mask(value, /[^;\s][^;]*/g) : value];
    }),
  };
}
