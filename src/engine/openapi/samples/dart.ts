/** Generates code samples for Dart with the http package. */

import type { HttpRequest } from "../request/request-model.ts";
import { bodyText, type FormPart, formOf, formPart, headersWithout } from "./body-parts.ts";
import { dart, isBlock } from "./literals.ts";
import { code } from "./write-code.ts";

export function dartSample(request: HttpRequest): string {
  const form = formOf(request)?.parts.map(formPart);
  const text = form ? undefined : bodyText(request);
  const headers = headersWithout(request, form ? "content-type" : "");
  const lines = [
    `  final request = http.${form ? "MultipartRequest" : "Request"}(${dart(request.method)}, Uri.parse(${dart(request.url)}))`,
    ...(headers.length
      ? [
          "    ..headers.addAll({",
          ...headers.map(([name, value]) => `      ${dart(name)}: ${dart(value)},`),
          "    })",
        ]
      : []),
    ...(form ?? []).map(addPart),
    ...(request.body?.kind === "file"
      ? [`    ..bodyBytes = await File(${dart(request.body.file.name)}).readAsBytes()`]
      : []),
    // Sets bytes, since setting `body` would add a charset to the media type.
    ...(text === undefined ? [] : [`    ..bodyBytes = utf8.encode(${block(text)})`]),
  ];

  return code(
    text !== undefined && "import 'dart:convert';",
    request.body?.kind === "file" && "import 'dart:io';",
    (text !== undefined || request.body?.kind === "file") && "",
    "import 'package:http/http.dart' as http;",
    form?.some(({ type }) => type) && "import 'package:http_parser/http_parser.dart';",
    "",
    "Future<void> main() async {",
    `${lines.join("\n")};`,
    "",
    "  final response = await http.Response.fromStream(await request.send());",
    "  print(response.body);",
    "}",
  );
}

function addPart({ name, type, text, file }: FormPart): string {
  const media = type ? `, contentType: MediaType.parse(${dart(type)})` : "";
  if (file)
    return `    ..files.add(await http.MultipartFile.fromPath(${dart(name)}, ${dart(file.name)}${media}))`;
  return `    ..files.add(http.MultipartFile.fromString(${dart(name)}, ${dart(text ?? "")}${media}))`;
}

function block(text: string): string {
  return isBlock(text) && !/'''|'$/.test(text)
    ? `r'''${text.startsWith("\n") ? "\n" : ""}${text}'''`
    : dart(text);
}
