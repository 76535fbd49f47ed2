/** Generates code samples for PHP with its curl extension. */

import type { HttpRequest } from "../request/request-model.ts";
import { literalOf, segmentsOf } from "./body-parts.ts";
import { isBlock, php } from "./literals.ts";
import { code, type LiteralStyle, writeLiteral } from "./write-code.ts";

const style: LiteralStyle = {
  text: php,
  null: "null",
  true: "true",
  false: "false",
  list: ["[", "]"],
  // PHP encodes empty arrays, and some arrays with numeric keys, as JSON lists.
  object: (value) => {
    const keys = Object.keys(value);
    return keys.length && !keys.some((key) => /^\d+$/.test(key))
      ? ["[", " => ", "]"]
      : ["(object) [", " => ", "]"];
  },
  indent: "    ",
};

export function phpSample(request: HttpRequest): string {
  const body = bodyExpression(request);
  return code(
    "<?php",
    "",
    "$curl = curl_init();",
    "",
    "curl_setopt_array($curl, [",
    `    CURLOPT_URL => ${php(request.url)},`,
    "    CURLOPT_RETURNTRANSFER => true,",
    request.method === "HEAD"
      ? "    CURLOPT_NOBODY => true,"
      : `    CURLOPT_CUSTOMREQUEST => ${php(request.method)},`,
    request.headers.length > 0 && [
      "    CURLOPT_HTTPHEADER => [",
      ...request.headers.map(([name, value]) => `        ${php(value ? `${name}: ${value}` : `${name};`)},`),
      "    ],",
    ],
    body && `    CURLOPT_POSTFIELDS => ${body},`,
    "]);",
    "",
    "$response = curl_exec($curl);",
    "",
    "echo $response;",
  );
}

function bodyExpression(request: HttpRequest): string | undefined {
  const { body } = request;
  if (!body) return undefined;
  if (body.kind === "file") return `file_get_contents(${php(body.file.name)})`;
  if (body.kind === "multipart") {
    const pieces = segmentsOf(body).map((piece) =>
      "file" in piece ? `file_get_contents(${php(piece.file.name)})` : php(piece.text),
    );
    return `implode('', [\n${pieces.map((piece) => `        ${piece},\n`).join("")}    ])`;
  }
  const literal = literalOf(request);
  if (literal) return `json_encode(${writeLiteral(literal.value, style, "    ")})`;
  return isBlock(body.text) ? `'${body.text.replace(/[\\']/g, "\\$&")}'` : php(body.text);
}
