/** Generates code samples for C with libcurl. */

import type { HttpRequest } from "../request/request-model.ts";
import { bodyText, type FormPart, formOf, formPart, headersWithout } from "./body-parts.ts";
import { c } from "./literals.ts";
import { code } from "./write-code.ts";

export function cSample(request: HttpRequest): string {
  const form = formOf(request);
  const file = request.body?.kind === "file" ? request.body.file : undefined;
  const text = form ? undefined : bodyText(request);
  const headers = headersWithout(request, form ? "content-type" : "");
  const option = (name: string, value: string) =>
    `    curl_easy_setopt(curl, CURLOPT_${name},${value.startsWith("\n") ? "" : " "}${value});`;
  return code(
    "#include <curl/curl.h>",
    "#include <stdio.h>",
    "",
    "int main(void) {",
    "    CURL *curl = curl_easy_init();",
    "    if (!curl) return 1;",
    "",
    headers.length > 0 && [
      "    struct curl_slist *headers = NULL;",
      ...headers.map(
        ([name, value]) =>
          `    headers = curl_slist_append(headers, ${c(value ? `${name}: ${value}` : `${name};`)});`,
      ),
      "",
    ],
    form && [
      "    curl_mime *form = curl_mime_init(curl);",
      "    curl_mimepart *part;",
      ...form.parts.map(formPart).flatMap(addPart),
      "",
    ],
    file && [
      `    FILE *file = fopen(${c(file.name)}, "rb");`,
      "    if (!file) return 1;",
      "    fseek(file, 0, SEEK_END);",
      "    curl_off_t size = ftell(file);",
      "    rewind(file);",
      "",
    ],
    option("URL", c(request.url)),
    headers.length > 0 && option("HTTPHEADER", "headers"),
    form && option("MIMEPOST", "form"),
    file && [option("UPLOAD", "1L"), option("READDATA", "file"), option("INFILESIZE_LARGE", "size")],
    text !== undefined && option("POSTFIELDS", textLines(text)),
    request.method === "HEAD" ? option("NOBODY", "1L") : option("CUSTOMREQUEST", c(request.method)),
    "",
    "    CURLcode result = curl_easy_perform(curl);",
    `    if (result != CURLE_OK) fprintf(stderr, "%s\\n", curl_easy_strerror(result));`,
    "",
    file && "    fclose(file);",
    form && "    curl_mime_free(form);",
    headers.length > 0 && "    curl_slist_free_all(headers);",
    "    curl_easy_cleanup(curl);",
    "    return result != CURLE_OK;",
    "}",
  );
}

function addPart({ name, type, headers, text, file }: FormPart): string[] {
  return [
    "",
    "    part = curl_mime_addpart(form);",
    `    curl_mime_name(part, ${c(name)});`,
    file
      ? `    curl_mime_filedata(part, ${c(file.name)});`
      : `    curl_mime_data(part, ${c(text ?? "")}, CURL_ZERO_TERMINATED);`,
    ...(type ? [`    curl_mime_type(part, ${c(type)});`] : []),
    ...headers.map(
      (pair) => `    curl_mime_headers(part, curl_slist_append(NULL, ${c(pair.join(": "))}), 1);`,
    ),
  ];
}

/** Writes a text as one string literal per line. C concatenates adjacent literals. */
function textLines(text: string): string {
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  return lines.length > 1 ? lines.map((line) => `\n        ${c(line)}`).join("") : c(text);
}
