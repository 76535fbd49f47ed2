/** Generates code samples for curl in a shell. */

import type { HttpRequest } from "../request/request-model.ts";
import { bodyText, type FormPart, formOf, formPart, headersWithout } from "./body-parts.ts";
import { bash } from "./literals.ts";

export function curlSample(request: HttpRequest): string {
  const form = formOf(request)?.parts.map(formPart);
  const fields = form?.every(({ name }) => /^[^=]+$/.test(name)) ? form : undefined;
  const headers = fields ? headersWithout(request, "content-type") : request.headers;
  const options = [
    request.method === "HEAD" ? "--head" : `--request ${bash(request.method)}`,
    `--url ${bash(request.url)}`,
    // curl removes a header written as `Name:`, and sends it without a value if written as `Name;`.
    ...headers.map(([name, value]) => `--header ${bash(value ? `${name}: ${value}` : `${name};`)}`),
    ...(fields ? fields.map(fieldOption) : bodyOption(request)),
  ];
  return `curl ${options.join(" \\\n  ")}`;
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
