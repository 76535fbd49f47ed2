/** Generates code samples for PowerShell 7. */

import type { HttpRequest } from "../request/request-model.ts";
import { bodyText, formOf, formPart, headerOf, headersWithout } from "./body-parts.ts";
import { isBlock, powershell } from "./literals.ts";
import { code } from "./write-code.ts";

const methods = ["GET", "HEAD", "POST", "PUT", "DELETE", "TRACE", "OPTIONS", "MERGE", "PATCH"];

export function powershellSample(request: HttpRequest): string {
  const form = formOf(request);
  const headers = headersWithout(request, "content-type");
  const type = form ? undefined : headerOf(request, "Content-Type");
  const text = form ? undefined : bodyText(request);
  const options = [
    `-Uri ${powershell(request.url)}`,
    `${methods.includes(request.method) ? "-Method" : "-CustomMethod"} ${powershell(request.method)}`,
    headers.length > 0 && "-Headers $headers",
    type && `-ContentType ${powershell(type)}`,
    form && "-Form $form",
    request.body?.kind === "file" && `-InFile ${powershell(request.body.file.name)}`,
    // Windows PowerShell would not encode non-ASCII text as UTF-8.
    text !== undefined &&
      (/^[\x00-\x7f]*$/.test(text) ? "-Body $body" : "-Body ([System.Text.Encoding]::UTF8.GetBytes($body))"),
  ];

  return code(
    headers.length > 0 && [
      "$headers = @{",
      ...headers.map(([name, value]) => `    ${powershell(name)} = ${powershell(value)}`),
      "}",
    ],
    form && ["$form = @{", ...fields(form.parts.map(formPart)), "}"],
    text !== undefined && `$body = ${block(text)}`,
    "",
    `$response = Invoke-WebRequest ${options.filter(Boolean).join(" `\n    ")}`,
    "$response.Content",
  ).trimStart();
}

/** Writes the fields of a form. If a name occurs several times, its value is a list. */
function fields(parts: readonly ReturnType<typeof formPart>[]): string[] {
  const values = new Map<string, string[]>();
  for (const { name, text, file } of parts) {
    const value = file ? `(Get-Item -LiteralPath ${powershell(file.name)})` : powershell(text ?? "");
    values.set(name, [...(values.get(name) ?? []), value]);
  }
  return [...values].map(
    ([name, all]) => `    ${powershell(name)} = ${all.length > 1 ? `@(${all.join(", ")})` : all[0]}`,
  );
}

function block(text: string): string {
  return isBlock(text) && !/^['\u2018-\u201b]@/m.test(text) ? `@'\n${text}\n'@` : powershell(text);
}
