/** Generates code samples for Go with its standard library, formatted like gofmt. */

import type { HttpRequest, MultipartBody } from "../request/request-model.ts";
import { bodyText, formOf, formPart, headersWithout } from "./body-parts.ts";
import { go, isBlock } from "./literals.ts";
import { code } from "./write-code.ts";

const check = ["\tif err != nil {", "\t\tpanic(err)", "\t}"];

export function goSample(request: HttpRequest): string {
  const form = formOf(request);
  const body = bodyLines(request, form);
  const imports = ["fmt", "io", "net/http", ...body.imports].sort();
  return code(
    "package main",
    "",
    "import (",
    imports.map((name) => `\t"${name}"`),
    ")",
    "",
    "func main() {",
    body.lines,
    `\trequest, err := http.NewRequest(${go(request.method)}, ${go(request.url)}, ${body.name})`,
    check,
    headersWithout(request, form ? "content-type" : "").map(
      ([name, value]) => `\trequest.Header.Set(${go(name)}, ${go(value)})`,
    ),
    form && `\trequest.Header.Set("Content-Type", form.FormDataContentType())`,
    "",
    "\tresponse, err := http.DefaultClient.Do(request)",
    check,
    "\tdefer response.Body.Close()",
    "",
    "\ttext, err := io.ReadAll(response.Body)",
    check,
    "\tfmt.Println(string(text))",
    "}",
  );
}

function bodyLines(
  request: HttpRequest,
  form: MultipartBody | undefined,
): { name: string; imports: string[]; lines: string[] } {
  if (request.body?.kind === "file") {
    const lines = [
      `\tbody, err := os.Open(${go(request.body.file.name)})`,
      ...check,
      "\tdefer body.Close()",
      "",
    ];
    return { name: "body", imports: ["os"], lines };
  }

  if (form) return formLines(form);
  const text = bodyText(request);
  if (text === undefined) return { name: "nil", imports: [], lines: [] };

  const literal = isBlock(text) && !text.includes("`") ? `\`${text}\`` : go(text);
  return { name: "body", imports: ["strings"], lines: [`\tbody := strings.NewReader(${literal})`, ""] };
}

function formLines(form: MultipartBody): { name: string; imports: string[]; lines: string[] } {
  const parts = form.parts.map(formPart);
  const lines = ["\tvar body bytes.Buffer", "\tform := multipart.NewWriter(&body)"];
  const imports = ["bytes", "mime/multipart"];
  let isDeclared = false;
  parts.forEach(({ name, type, headers: more, text, file }, index) => {
    lines.push("");

    // WriteField escapes these names differently.
    if (!file && !type && !more.length && !/["\\\r\n]|%22|%0/.test(name)) {
      lines.push(
        `\tif err := form.WriteField(${go(name)}, ${go(text ?? "")}); err != nil {`,
        "\t\tpanic(err)",
        "\t}",
      );
      return;
    }

    const headers = form.parts[index]!.headers;

    // gofmt aligns the values in a composite literal.
    const width = Math.max(...headers.map(([key]) => go(key).length));
    lines.push(
      `\tpart, err ${isDeclared ? "" : ":"}= form.CreatePart(textproto.MIMEHeader{`,
      ...headers.map(
        ([key, value]) => `\t\t${go(key)}:${" ".repeat(width - go(key).length + 1)}{${go(value)}},`,
      ),
      "\t})",
      ...check,
    );

    isDeclared = true;
    imports.push("net/textproto");

    if (file) {
      imports.push("os");
      lines.push(
        `\tif data, err := os.ReadFile(${go(file.name)}); err != nil {`,
        "\t\tpanic(err)",
        "\t} else {",
        "\t\tpart.Write(data)",
        "\t}",
      );
    } else {
      lines.push(`\tio.WriteString(part, ${go(text ?? "")})`);
    }
  });

  lines.push("\tform.Close()", "");
  return { name: "&body", imports: [...new Set(imports)], lines };
}
