/** Generates code samples for Rust with the blocking client of reqwest. */

import type { HttpRequest } from "../request/request-model.ts";
import { bodyText, type FormPart, formOf, formPart, headersWithout } from "./body-parts.ts";
import { isBlock, rust } from "./literals.ts";
import { code } from "./write-code.ts";

const functions = ["get", "post", "put", "patch", "delete", "head"];

export function rustSample(request: HttpRequest): string {
  const form = formOf(request);
  const method = request.method.toLowerCase();
  const text = form ? undefined : bodyText(request);
  return code(
    "use reqwest::blocking::Client;",
    form && "use reqwest::blocking::multipart::{Form, Part};",
    "",
    "fn main() -> Result<(), Box<dyn std::error::Error>> {",
    form && [`${["    let form = Form::new()", ...form.parts.map(formPart).map(addPart)].join("\n")};`, ""],
    "    let response = Client::new()",
    functions.includes(method)
      ? `        .${method}(${rust(request.url)})`
      : `        .request(reqwest::Method::from_bytes(b${rust(request.method)})?, ${rust(request.url)})`,
    headersWithout(request, form ? "content-type" : "").map(
      ([name, value]) => `        .header(${rust(name)}, ${rust(value)})`,
    ),
    form && "        .multipart(form)",
    request.body?.kind === "file" && `        .body(std::fs::File::open(${rust(request.body.file.name)})?)`,
    text !== undefined && `        .body(${block(text)})`,
    "        .send()?;",
    "",
    `    println!("{}", response.text()?);`,
    "    Ok(())",
    "}",
  );
}

function addPart({ name, type, headers, text, file }: FormPart): string {
  if (!file && !type && !headers.length) return `        .text(${rust(name)}, ${rust(text ?? "")})`;
  const part = file ? `Part::file(${rust(file.name)})?` : `Part::text(${rust(text ?? "")})`;
  return `        .part(${rust(name)}, ${part}${type ? `.mime_str(${rust(type)})?` : ""})`;
}

function block(text: string): string {
  if (!isBlock(text)) return rust(text);
  const hashes = "#".repeat(Math.max(1, ...[...text.matchAll(/"(#*)/g)].map(([, run]) => run!.length + 1)));
  return `r${hashes}"${text}"${hashes}`;
}
