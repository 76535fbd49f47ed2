/** Generates code samples for C++ with cpr. */

import type { HttpRequest } from "../request/request-model.ts";
import { bodyText, formOf, formPart, headersWithout } from "./body-parts.ts";
import { cSample } from "./c.ts";
import { c, isBlock } from "./literals.ts";
import { code } from "./write-code.ts";

const functions = ["Get", "Post", "Put", "Delete", "Patch", "Head", "Options"];

export function cppSample(request: HttpRequest): string {
  const call = functions.find((name) => name.toUpperCase() === request.method);

  // cpr has no function for other methods. The C sample is also valid C++.
  if (!call) return cSample(request);
  const form = formOf(request)?.parts.map(formPart);
  const headers = headersWithout(request, form ? "content-type" : "");
  const text = form ? undefined : bodyText(request);
  const options = [
    `cpr::Url{${c(request.url)}}`,
    headers.length > 0 &&
      `cpr::Header{${headers.map(([name, value]) => `\n            {${c(name)}, ${c(value)}},`).join("")}\n        }`,
    form &&
      `cpr::Multipart{${form
        .map(({ name, type, text, file }) => {
          const value = file ? `cpr::File{${c(file.name)}}` : c(text ?? "");
          return `\n            {${[c(name), value, ...(type ? [c(type)] : [])].join(", ")}},`;
        })
        .join("")}\n        }`,
    request.body?.kind === "file" && `cpr::Body{cpr::File{${c(request.body.file.name)}}}`,
    text !== undefined && `cpr::Body{${block(text)}}`,
  ];

  return code(
    "#include <cpr/cpr.h>",
    "#include <iostream>",
    "",
    "int main() {",
    `    cpr::Response response = cpr::${call}(`,
    `        ${options.filter(Boolean).join(",\n        ")});`,
    "",
    "    std::cout << response.text << std::endl;",
    "}",
  );
}

function block(text: string): string {
  return isBlock(text) && !text.includes(')"') ? `R"(${text})"` : c(text);
}
