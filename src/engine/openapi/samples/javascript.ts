/** Generates code samples for JavaScript with fetch: for browsers, for Node.js, and as TypeScript. */

import type { HttpRequest } from "../request/request-model.ts";
import { bodyText, type FormPart, formOf, formPart, headersWithout, literalOf } from "./body-parts.ts";
import { isBlock, javascript } from "./literals.ts";
import { code, type LiteralStyle, writeLiteral } from "./write-code.ts";

const style: LiteralStyle = {
  text: javascript,
  key,
  null: "null",
  true: "true",
  false: "false",
  list: ["[", "]"],
  object: () => ["{", ": ", "}"],
  indent: "  ",
};

/** The parts of a sample that differ between browsers and Node.js. */
interface Platform {
  top: string[];
  file: (name: string, index: number) => string;
  /** Whether scripts can set the Cookie header. False in browsers. */
  hasCookies: boolean;
  response: string;
}

const browser: Platform = {
  top: [`const { files } = document.querySelector('input[type="file"]');`, ""],
  file: (_, index) => `files[${index}]`,
  hasCookies: false,
  response: "const response",
};

const node: Platform = {
  top: [`import { readFile } from ${javascript("node:fs/promises")};`, ""],
  file: (name) => `await readFile(${javascript(name)})`,
  hasCookies: true,
  response: "const response",
};

export const javascriptSample = (request: HttpRequest) => fetchSample(request, browser);
export const nodeSample = (request: HttpRequest) => fetchSample(request, node);
export const typescriptSample = (request: HttpRequest) =>
  fetchSample(request, { ...node, response: "const response: Response" });

function fetchSample(request: HttpRequest, platform: Platform): string {
  const form = formOf(request)?.parts.map(formPart);
  const hasFile = request.body?.kind === "file" || form?.some(({ file }) => file);
  const headers = headersWithout(request, form ? "content-type" : "", platform.hasCookies ? "" : "cookie");
  const includesCookies =
    !platform.hasCookies && request.headers.some(([name]) => name.toLowerCase() === "cookie");
  const body = form ? "form" : bodyExpression(request, platform);
  return code(
    hasFile && platform.top,
    form && ["const form = new FormData();", ...appends(form, platform), ""],
    `${platform.response} = await fetch(${javascript(request.url)}, {`,
    `  method: ${javascript(request.method)},`,
    headers.length > 0 && [
      "  headers: {",
      ...headers.map(([name, value]) => `    ${key(name)}: ${javascript(value)},`),
      "  },",
    ],
    includesCookies && `  credentials: "include",`,
    body && `  body: ${body},`,
    "});",
    "",
    "console.log(await response.text());",
  );
}

function bodyExpression(request: HttpRequest, platform: Platform): string | undefined {
  if (request.body?.kind === "file") return platform.file(request.body.file.name, 0);
  const literal = literalOf(request);
  if (literal) return `JSON.stringify(${writeLiteral(literal.value, style, "  ")})`;
  const text = bodyText(request);
  if (text === undefined) return undefined;
  return isBlock(text) ? `\`${text.replace(/[`\\]|\$(?=\{)/g, "\\$&")}\`` : javascript(text);
}

function appends(form: readonly FormPart[], platform: Platform): string[] {
  let fileIndex = 0;
  return form.map(({ name, type, text, file }) => {
    const options = type ? `, { type: ${javascript(type)} }` : "";
    if (file) {
      const fileObject = `new File([${platform.file(file.name, fileIndex++)}], ${javascript(file.name)}${options})`;
      return `form.append(${javascript(name)}, ${fileObject});`;
    }
    // A text part with a media type must be a Blob.
    const value = options ? `new Blob([${javascript(text ?? "")}]${options})` : javascript(text ?? "");
    return `form.append(${javascript(name)}, ${value});`;
  });
}

function key(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : javascript(name);
}
