/** Generates code samples for .NET with RestSharp. */

import type { HttpRequest } from "../request/request-model.ts";
import { bodyText, type FormPart, formOf, formPart, headerOf, headersWithout } from "./body-parts.ts";
import { csharpBlock } from "./csharp.ts";
import { csharp } from "./literals.ts";
import { code } from "./write-code.ts";

const methods = ["Get", "Post", "Put", "Delete", "Head", "Options", "Patch", "Merge", "Copy", "Search"];

export function dotnetSample(request: HttpRequest): string {
  const method = methods.find((name) => name.toUpperCase() === request.method);
  const form = formOf(request);
  const type = csharp(headerOf(request, "Content-Type") ?? "application/octet-stream");
  const text = form ? undefined : bodyText(request);
  return code(
    "using RestSharp;",
    "",
    "var client = new RestClient();",
    `var request = new RestRequest(${csharp(request.url)}, ${method ? `Method.${method}` : `Enum.Parse<Method>(${csharp(request.method)}, true)`});`,
    headersWithout(request, "content-type").map(
      ([name, value]) => `request.AddHeader(${csharp(name)}, ${csharp(value)});`,
    ),
    form && ["request.AlwaysMultipartFormData = true;", ...form.parts.map(formPart).map(addPart)],
    request.body?.kind === "file" &&
      `request.AddBody(await File.ReadAllBytesAsync(${csharp(request.body.file.name)}), ${type});`,
    text !== undefined && `request.AddStringBody(${csharpBlock(text)}, ${type});`,
    "",
    "var response = await client.ExecuteAsync(request);",
    "Console.WriteLine(response.Content);",
  );
}

function addPart({ name, type, text, file }: FormPart): string {
  if (file)
    return `request.AddFile(${[csharp(name), csharp(file.name), ...(type ? [csharp(type)] : [])].join(", ")});`;
  const parameter = `${csharp(name)}, ${csharp(text ?? "")}`;
  return type
    ? `request.AddParameter(new GetOrPostParameter(${parameter}) { ContentType = ${csharp(type)} });`
    : `request.AddParameter(${parameter});`;
}
