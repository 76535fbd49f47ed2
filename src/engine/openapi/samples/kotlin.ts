/** Generates code samples for Kotlin with OkHttp. */

import type { HttpRequest } from "../request/request-model.ts";
import { bodyText, type FormPart, formOf, formPart, headerOf, headersWithout } from "./body-parts.ts";
import { isBlock, kotlin } from "./literals.ts";
import { code } from "./write-code.ts";

/** Common HTTP methods that require a body in OkHttp. */
const methodsWithBody = ["POST", "PUT", "PATCH"];

export function kotlinSample(request: HttpRequest): string {
  const body = bodyLines(request);
  const isEmpty = body.length === 0 && methodsWithBody.includes(request.method);
  const uses = (word: string) => body.some((line) => line.includes(word));
  return code(
    uses("File(") && "import java.io.File",
    uses(".toMediaType(") && "import okhttp3.MediaType.Companion.toMediaType",
    uses("MultipartBody") && "import okhttp3.MultipartBody",
    "import okhttp3.OkHttpClient",
    "import okhttp3.Request",
    uses(".asRequestBody(") && "import okhttp3.RequestBody.Companion.asRequestBody",
    (isEmpty || uses(".toRequestBody(")) && "import okhttp3.RequestBody.Companion.toRequestBody",
    uses("Headers.") && "import okhttp3.Headers",
    "",
    "fun main() {",
    "    val client = OkHttpClient()",
    body,
    "    val request = Request.Builder()",
    `        .url(${kotlin(request.url)})`,
    `        .method(${kotlin(request.method)}, ${body.length ? "body" : isEmpty ? `"".toRequestBody()` : "null"})`,
    headersWithout(request, body.length ? "content-type" : "").map(
      ([name, value]) => `        .addHeader(${kotlin(name)}, ${kotlin(value)})`,
    ),
    "        .build()",
    "",
    "    client.newCall(request).execute().use { response ->",
    "        println(response.body?.string())",
    "    }",
    "}",
  );
}

function bodyLines(request: HttpRequest): string[] {
  const form = formOf(request);
  if (form) {
    return [
      "    val body = MultipartBody.Builder()",
      "        .setType(MultipartBody.FORM)",
      ...form.parts.map(formPart).map(addPart),
      "        .build()",
    ];
  }

  const type = `${kotlin(headerOf(request, "Content-Type") ?? "application/octet-stream")}.toMediaType()`;
  if (request.body?.kind === "file")
    return [`    val body = File(${kotlin(request.body.file.name)}).asRequestBody(${type})`];
  const text = bodyText(request);

  // Converts the text to bytes, since a string would add a charset to the media type.
  return text === undefined ? [] : [`    val body = ${block(text)}.toByteArray().toRequestBody(${type})`];
}

function addPart({ name, type, headers, text, file }: FormPart): string {
  const body = file
    ? `File(${kotlin(file.name)}).asRequestBody(${type ? `${kotlin(type)}.toMediaType()` : ""})`
    : `${kotlin(text ?? "")}.toByteArray().toRequestBody(${type ? `${kotlin(type)}.toMediaType()` : ""})`;

  if (headers.length) {
    const filename = file ? `; filename=\\"${kotlin(file.name).slice(1, -1)}\\"` : "";
    const all = [
      `"Content-Disposition", "form-data; name=\\"${kotlin(name).slice(1, -1)}\\"${filename}"`,
      ...headers.map((pair) => pair.map(kotlin).join(", ")),
    ];
    return `        .addPart(Headers.headersOf(${all.join(", ")}), ${body})`;
  }

  if (file) return `        .addFormDataPart(${kotlin(name)}, ${kotlin(file.name)}, ${body})`;
  return type
    ? `        .addFormDataPart(${kotlin(name)}, null, ${body})`
    : `        .addFormDataPart(${kotlin(name)}, ${kotlin(text ?? "")})`;
}

/**
 * Writes a text with several lines as a raw string, unless it contains `$`, which raw strings interpret, or
 * quotes that end the string.
 */
function block(text: string): string {
  return isBlock(text) && !/"""|\$|"$/.test(text) ? `"""${text}"""` : kotlin(text);
}
