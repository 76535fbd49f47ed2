/** Generates code samples for C# with HttpClient (.NET 8). */

import type { HttpRequest } from "../request/request-model.ts";
import { bodyText, type FormPart, formOf, formPart, headerOf, headersWithout } from "./body-parts.ts";
import { csharp, isBlock } from "./literals.ts";
import { code } from "./write-code.ts";

export function csharpSample(request: HttpRequest): string {
  const content = contentLines(request);
  return code(
    content.length > 0 && ["using System.Net.Http.Headers;", ""],
    "using var client = new HttpClient();",
    `using var request = new HttpRequestMessage(new HttpMethod(${csharp(request.method)}), ${csharp(request.url)});`,
    headersWithout(request, "content-type").map(
      ([name, value]) => `request.Headers.TryAddWithoutValidation(${csharp(name)}, ${csharp(value)});`,
    ),
    content,
    "",
    "using var response = await client.SendAsync(request);",
    "Console.WriteLine(await response.Content.ReadAsStringAsync());",
  );
}

function contentLines(request: HttpRequest): string[] {
  const form = formOf(request);
  if (form)
    return [
      "",
      "var form = new MultipartFormDataContent();",
      ...form.parts.map(formPart).flatMap(addPart),
      "request.Content = form;",
    ];

  const text = bodyText(request);
  if (request.body?.kind !== "file" && text === undefined) return [];

  const content =
    request.body?.kind === "file"
      ? `new ByteArrayContent(await File.ReadAllBytesAsync(${csharp(request.body.file.name)}))`
      : `new StringContent(${csharpBlock(text ?? "")})`;

  const type = headerOf(request, "Content-Type") ?? "application/octet-stream";
  return [
    `request.Content = ${content};`,
    `request.Content.Headers.ContentType = MediaTypeHeaderValue.Parse(${csharp(type)});`,
  ];
}

function addPart({ name, type, headers, text, file }: FormPart, index: number): string[] {
  const part = `part${index + 1}`;
  return [
    "",
    file
      ? `var ${part} = new ByteArrayContent(await File.ReadAllBytesAsync(${csharp(file.name)}));`
      : `var ${part} = new StringContent(${csharp(text ?? "")});`,
    `${part}.Headers.ContentType = ${type ? `MediaTypeHeaderValue.Parse(${csharp(type)})` : "null"};`,
    ...headers.map(
      ([key, value]) => `${part}.Headers.TryAddWithoutValidation(${csharp(key)}, ${csharp(value)});`,
    ),
    `form.Add(${[part, csharp(name), ...(file ? [csharp(file.name)] : [])].join(", ")});`,
  ];
}

/**
 * Writes a string literal. Text with several lines becomes a raw literal, with longer delimiters than any run
 * of quotation marks in it.
 */
export function csharpBlock(text: string): string {
  if (!isBlock(text)) return csharp(text);
  const quotes = '"'.repeat(Math.max(3, ...[...text.matchAll(/"+/g)].map(([run]) => run.length + 1)));
  return `${quotes}\n${text}\n${quotes}`;
}
