/** Generates code samples for Java 17 with its HttpClient. */

import type { HttpRequest } from "../request/request-model.ts";
import { segmentsOf } from "./body-parts.ts";
import { isBlock, java } from "./literals.ts";
import { code, indented } from "./write-code.ts";

export function javaSample(request: HttpRequest): string {
  const publisher = bodyPublisher(request);
  const hasFile = publisher.includes("Path.of(");
  return code(
    "import java.net.URI;",
    "import java.net.http.HttpClient;",
    "import java.net.http.HttpRequest;",
    "import java.net.http.HttpResponse;",
    hasFile && "import java.nio.file.Path;",
    "",
    "public class Main {",
    "    public static void main(String[] args) throws Exception {",
    "        HttpRequest request = HttpRequest.newBuilder()",
    `            .uri(URI.create(${java(request.url)}))`,
    request.headers.map(([name, value]) => `            .header(${java(name)}, ${java(value)})`),
    `            .method(${java(request.method)}, ${publisher})`,
    "            .build();",
    "",
    "        HttpResponse<String> response = HttpClient.newHttpClient()",
    "            .send(request, HttpResponse.BodyHandlers.ofString());",
    "",
    "        System.out.println(response.body());",
    "    }",
    "}",
  );
}

function bodyPublisher({ body }: HttpRequest): string {
  const publishers = "HttpRequest.BodyPublishers";
  if (!body) return `${publishers}.noBody()`;
  const file = (name: string) => `${publishers}.ofFile(Path.of(${java(name)}))`;
  if (body.kind === "file") return file(body.file.name);
  if (body.kind === "text") return `${publishers}.ofString(${textBlock(body.text)})`;

  const pieces = segmentsOf(body).map((piece) =>
    "file" in piece ? file(piece.file.name) : java(piece.text),
  );

  // Joins text lines between files.
  const texts = pieces.reduce<string[]>((all, piece) => {
    const last = all.at(-1);
    if (piece.startsWith('"') && last?.startsWith('"'))
      all[all.length - 1] = `${last}\n                    + ${piece}`;
    else all.push(piece);
    return all;
  }, []);

  const parts = texts.map((text) => (text.startsWith('"') ? `${publishers}.ofString(${text})` : text));
  return `${publishers}.concat(\n                ${parts.join(",\n                ")})`;
}

/**
 * Writes a text with several lines as a text block, where Java interprets escapes. Uses a string literal for
 * other text, and if Java would remove spaces from the text.
 */
function textBlock(text: string): string {
  if (!isBlock(text) || /[ \t]$/m.test(text) || !/^\S/m.test(text)) return java(text);
  const escaped = text.replaceAll("\\", "\\\\").replaceAll('"""', '\\"\\"\\"').replace(/"$/, '\\"');
  const margin = "                ";
  return `"""\n${indented(escaped, margin)}${text.endsWith("\n") ? margin : ""}"""`;
}
