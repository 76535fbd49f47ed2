/** Generates code samples for curl in a shell. */

import type { HttpRequest } from "../request/request-model.ts";
import { bodyText, type FormPart, formOf, formPart, headersWithout } from "./body-parts.ts";
import { bash } from "./literals.ts";

export function bashSample(request: HttpRequest): string {
  const form = formOf(request)?.parts.map(formPart);
  const fields = form?.every(({ name }) => /^[^=]+$/.test(name)) ? form : undefined;
  const headers = fields ? headersWithout(request, "content-type") : request.headers;
  const options = [
    request.method === "HEAD" ? "--head" : `--request ${bash(request.method)}`,
    `--url ${bash(request.url)}`,
    ...headers.map(headerOption),
    ...(fields ? fields.map(fieldOption) : bodyOption(request)),
  ];
  return `curl ${options.join(" \\\n  ")}`;
}

/**
 * Writes the option for a header. curl removes a header written as `Name:`, and sends it without a value if
 * written as `Name;`. It computes the header of digest authentication itself (RFC 7616, section 3.4).
 */
function headerOption([name, value]: readonly [string, string]): string {
  if (name === "Authorization" && /^digest YOUR_CREDENTIALS$/i.test(value))
    return `--digest --user ${bash("YOUR_USERNAME:YOUR_PASSWORD")}`;
  return `--header ${bash(value ? `${name}: ${value}` : `${name};`)}`;
}

function bodyOption(request: HttpRequest): string[] {
  if (request.body?.kind === "file") return [`--data-binary ${bash(`@${request.body.file.name}`)}`];
  const text = bodyText(request);
  return text === undefined ? [] : [`--data-raw ${bash(text)}`];
}

/**
 * Writes the option for a form field. Uses quotes or `--form-string` where curl would interpret characters
 * such as `@` and `;`.
 */
function fieldOption({ name, type, headers, text, file }: FormPart): string {
  const quoted = (value: string) => `"${value.replace(/["\\]/g, "\\$&")}"`;
  const plain = text !== undefined && !type && !headers.length;
  if (plain)
    return /^[@<"\s]|;/.test(text)
      ? `--form-string ${bash(`${name}=${text}`)}`
      : `--form ${bash(`${name}=${text}`)}`;
  const value = file ? `@${/^[\w.-]+$/.test(file.name) ? file.name : quoted(file.name)}` : quoted(text ?? "");
  const more = [type && `;type=${type}`, ...headers.map((pair) => `;headers=${quoted(pair.join(": "))}`)];
  return `--form ${bash(`${name}=${value}${more.filter(Boolean).join("")}`)}`;
}
