/** Generates code samples for Python with Requests. */

import type { HttpRequest } from "../request/request-model.ts";
import { bodyText, type FormPart, formOf, formPart, headersWithout, literalOf } from "./body-parts.ts";
import { isBlock, python } from "./literals.ts";
import { code, type LiteralStyle, writeLiteral } from "./write-code.ts";

const style: LiteralStyle = {
  text: python,
  null: "None",
  true: "True",
  false: "False",
  list: ["[", "]"],
  object: () => ["{", ": ", "}"],
  indent: "    ",
};

const functions = ["get", "post", "put", "patch", "delete", "head", "options"];

export function pythonSample(request: HttpRequest): string {
  const form = formOf(request);
  const literal = literalOf(request);
  const text = bodyText(request);
  const headers = headersWithout(request, form ? "content-type" : "");
  const method = request.method.toLowerCase();
  const call = functions.includes(method)
    ? `requests.${method}(url`
    : `requests.request(${python(request.method)}, url`;

  const argument = form
    ? "files=files"
    : literal
      ? "json=payload"
      : request.body && (text === undefined ? "data=file" : 'data=payload.encode("utf-8")');

  const send = `response = ${[call, headers.length && "headers=headers", argument].filter(Boolean).join(", ")})`;
  return code(
    "import requests",
    "",
    `url = ${python(request.url)}`,
    headers.length > 0 && `headers = ${writeLiteral(Object.fromEntries(headers), style)}`,
    form && ["files = [", ...form.parts.map((part) => `    ${field(formPart(part))},`), "]"],
    !form && literal && `payload = ${writeLiteral(literal.value, style)}`,
    !form && !literal && text !== undefined && `payload = ${block(text)}`,
    "",
    request.body?.kind === "file"
      ? [`with open(${python(request.body.file.name)}, "rb") as file:`, `    ${send}`]
      : send,
    "print(response.text)",
  );
}

function field({ name, type, headers, text, file }: FormPart): string {
  const items = file ? [python(file.name), `open(${python(file.name)}, "rb")`] : ["None", python(text ?? "")];
  if (type || headers.length) items.push(type ? python(type) : "None");
  if (headers.length)
    items.push(`{${headers.map(([key, value]) => `${python(key)}: ${python(value)}`).join(", ")}}`);
  return `(${python(name)}, (${items.join(", ")}))`;
}

function block(text: string): string {
  return isBlock(text) && !/\\|"""|"$/.test(text) ? `"""${text}"""` : python(text);
}
