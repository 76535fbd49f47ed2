/** Generates code samples for Ruby with Net::HTTP. */

import type { HttpRequest } from "../request/request-model.ts";
import { literalOf, segmentsOf } from "./body-parts.ts";
import { isBlock, ruby } from "./literals.ts";
import { code, type LiteralStyle, writeLiteral } from "./write-code.ts";

const style: LiteralStyle = {
  text: ruby,
  null: "nil",
  true: "true",
  false: "false",
  list: ["[", "]"],
  object: () => ["{", " => ", "}"],
  indent: "  ",
};

const classes = ["Get", "Post", "Put", "Patch", "Delete", "Head", "Options", "Trace"];

export function rubySample(request: HttpRequest): string {
  const literal = literalOf(request);
  const body = literal ? `JSON.generate(${writeLiteral(literal.value, style)})` : bodyExpression(request);
  const known = classes.find((name) => name.toUpperCase() === request.method);
  return code(
    literal && `require "json"`,
    `require "net/http"`,
    "",
    `uri = URI(${ruby(request.url)})`,
    known
      ? `request = Net::HTTP::${known}.new(uri)`
      : `request = Net::HTTPGenericRequest.new(${ruby(request.method)}, true, true, uri)`,
    request.headers.map(([name, value]) => `request[${ruby(name)}] = ${ruby(value)}`),
    body && `request.body = ${body}`,
    "",
    `response = Net::HTTP.start(uri.hostname, uri.port, use_ssl: uri.scheme == "https") do |http|`,
    "  http.request(request)",
    "end",
    "",
    "puts response.body",
  );
}

function bodyExpression({ body }: HttpRequest): string | undefined {
  if (!body) return undefined;
  const file = (name: string) => `File.binread(${ruby(name)})`;
  if (body.kind === "file") return file(body.file.name);

  if (body.kind === "multipart") {
    const pieces = segmentsOf(body).map((piece) =>
      "file" in piece ? file(piece.file.name) : ruby(piece.text),
    );
    return `[\n${pieces.map((piece) => `  ${piece},\n`).join("")}].map(&:b).join`;
  }

  // A quoted heredoc doesn't interpolate. Its text includes the last line break, which `chomp` removes.
  if (isBlock(body.text) && !/^\s*BODY$/m.test(body.text)) {
    return body.text.endsWith("\n") ? `<<'BODY'\n${body.text}BODY` : `<<'BODY'.chomp\n${body.text}\nBODY`;
  }
  return ruby(body.text);
}
