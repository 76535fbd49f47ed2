/** Generates code samples for Swift with Foundation. */

import type { HttpRequest } from "../request/request-model.ts";
import { segmentsOf } from "./body-parts.ts";
import { isBlock, swift } from "./literals.ts";
import { code } from "./write-code.ts";

export function swiftSample(request: HttpRequest): string {
  return code(
    "import Foundation",
    "",
    `var request = URLRequest(url: URL(string: ${swift(request.url)})!)`,
    `request.httpMethod = ${swift(request.method)}`,
    request.headers.map(
      ([name, value]) => `request.setValue(${swift(value)}, forHTTPHeaderField: ${swift(name)})`,
    ),
    bodyLines(request),
    "",
    "let (data, _) = try await URLSession.shared.data(for: request)",
    "print(String(decoding: data, as: UTF8.self))",
  );
}

function bodyLines({ body }: HttpRequest): string[] {
  if (!body) return [];
  const file = (name: string) => `try Data(contentsOf: URL(fileURLWithPath: ${swift(name)}))`;
  if (body.kind === "file") return [`request.httpBody = ${file(body.file.name)}`];
  if (body.kind === "text") return [`request.httpBody = Data(${block(body.text)}.utf8)`];
  const pieces = segmentsOf(body).map((piece) =>
    "file" in piece ? file(piece.file.name) : `Data(${swift(piece.text)}.utf8)`,
  );
  return [
    "",
    "var body = Data()",
    ...pieces.map((piece) => `body.append(${piece})`),
    "request.httpBody = body",
  ];
}

/**
 * Writes a text with several lines as a multiline string literal, with enough `#` characters that nothing in
 * the text is interpreted.
 */
function block(text: string): string {
  if (!isBlock(text)) return swift(text);
  const hashes = "#".repeat(
    Math.max(0, ...[...text.matchAll(/(?:"""|\\)(#*)/g)].map(([, run]) => run!.length + 1)),
  );
  return `${hashes}"""\n${text}\n"""${hashes}`;
}
