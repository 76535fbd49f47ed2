/**
 * Runs the code samples of most languages against a local server, which must receive the request, and
 * compiles or only generates those of other languages. If a language's tools are not installed, its tests are
 * skipped and a warning is logged.
 */

import { execFile, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { root, temporaryFolder } from "../../../../test/engine/build.ts";
import { operationOf } from "../../../../test/engine/operation.ts";
import { buildRequest } from "../request/request.ts";
import { requestBytes } from "../request/request-bytes.ts";
import { type HttpRequest, isFileValue } from "../request/request-model.ts";
import { literalOf } from "./body-parts.ts";
import { csharp, dart, kotlin, powershell, swift } from "./literals.ts";
import { languageKeyOf, languageOf, sampleLanguages } from "./sample-languages.ts";

const hostile = [
  "it's",
  'say "hi"',
  "back\\slash\\",
  "cr\r\nlf",
  "\ttab ",
  "$HOME ${HOME} $(id) `id` $0",
  "#{1+1} #$0 #@x",
  "%s %d %20 100%",
  "é ☃ 😀",
  "</script><!-- ]]>",
  "'''\"\"\"",
  "EOF\nBODY\n'@",
  "\\u0041 \\n \\x41",
  "\u2028\u0085\ufeff\u202e",
  "\x01\x1b[31m\x7f",
  "!history ^a^b",
  "??/ ??=",
  "@file",
  "<file",
  "a;type=text/x-evil",
  '\\(1+1) "#',
  '{{a}} {0} )"',
  "  indented\n    more",
];

const photo = {
  name: "a b's (1).png",
  type: "image/png",
  bytes: new Blob([new Uint8Array([137, 80, 0, 255, 13, 10])]),
};
const form = {
  plain: "text",
  tags: ["x", "y"],
  meta: { deep: ["é", null] },
  photo: { file: photo },
  ...Object.fromEntries(hostile.map((value, index) => [`h${index}`, value])),
};

/** Requests under test: method, headers, media type and body. */
const cases: [method: string, headers: Record<string, unknown>, type?: string, value?: unknown][] = [
  ["get", { "X-Quotes": 'it\'s "q" \\ $HOME ${x} `id` %s #{1} !x', "X-Empty": "", "X-Line": "a\nb é" }],
  ["head", { Cookie: "a=b; c=d" }],
  ["delete", {}],
  ["patch", {}],
  ["options", {}],
  [
    "post",
    {},
    "application/json",
    { hostile, 0: [1.5, -2, 1e-7, true, false, null], empty: {}, none: [], 'it\'s "$key" #{1}': { "": "x" } },
  ],
  ["put", {}, "application/json", [{ 0: "zero", 1: "one" }]],
  ["post", {}, "application/json", { big: 12345678901234567890n, small: 1 }],
  ["post", {}, "application/json", "text"],
  [
    "post",
    {},
    "application/x-www-form-urlencoded",
    Object.fromEntries(hostile.map((value, index) => [`h${index}'`, value])),
  ],
  ["put", {}, "image/png", { file: photo }],
  ["post", {}, "multipart/form-data", form],
  ["post", {}, "multipart/form-data", { "a=b": "1", 'c"d': "2", "e é": "3" }],
  ["post", {}, "multipart/mixed", [{ a: 1 }, ...hostile]],
  ...hostile.flatMap((value): [string, Record<string, unknown>, string, string][] => [
    ["post", {}, "text/plain", value],
    ["post", {}, "text/plain", `first\n${value}\nlast\n`],
  ]),
];

const requests: HttpRequest[] = [];
interface Received {
  method: string;
  url: string;
  headers: IncomingMessage["headers"];
  body: Buffer;
}
const received = new Map<string, Received>();
const server = createServer((incoming, outgoing) => {
  const chunks: Buffer[] = [];
  incoming.on("data", (chunk) => chunks.push(chunk));
  incoming.on("end", () => {
    received.set(incoming.url!.split("?")[0]!, {
      method: incoming.method!,
      url: incoming.url!,
      headers: incoming.headers,
      body: Buffer.concat(chunks),
    });
    outgoing.end("ok");
  });
});
const folder = temporaryFolder();
let origin = "";

beforeAll(async () => {
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  cases.forEach(([method, headers, type, value], index) => {
    const parameters = [
      ...Object.keys(headers).map((name) => ({ name, in: "header", schema: {} })),
      { name: "it's", in: "query", schema: {} },
      { name: "id", in: "path", required: true, schema: {} },
    ];
    const { operation, refs } = operationOf(
      {
        parameters,
        responses: { 200: { content: { "application/json": {} } } },
        ...(type && { requestBody: { content: { [type]: {} } } }),
      },
      { method, path: "/case/{id}" },
    );
    const values = {
      "path.id": index,
      "query.it's": hostile,
      ...Object.fromEntries(Object.entries(headers).map(([name, item]) => [`header.${name}`, item])),
    };
    const body = type
      ? { mediaType: type, content: type === "text/plain" ? { text: value as string } : { value } }
      : undefined;
    requests.push(
      buildRequest(
        operation,
        { server: origin, parameters: values, credentials: [], ...(body && { body }) },
        refs,
      ),
    );
  });
  writeFileSync(path.join(folder, photo.name), new Uint8Array(await photo.bytes.arrayBuffer()));
});
afterAll(() => server.close());

/** Whether a tool is installed. Logs a warning if it is not. */
function has(tool: string, ...args: string[]): boolean {
  const found = spawnSync(tool, args.length ? args : ["--version"], { stdio: "ignore" }).status === 0;
  if (!found)
    console.warn(
      `There is no ${tool} ${args.join(" ")} on this machine, so the samples that need it are not run.`,
    );
  return found;
}

/** Runs a tool and returns its output. If the tool fails, rejects with an error that contains the output. */
function run(
  tool: string,
  args: string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<string> {
  return new Promise((done, fail) => {
    execFile(
      tool,
      args,
      { cwd: folder, timeout: 300_000, maxBuffer: 1 << 26, ...options },
      (error, out, err) =>
        error ? fail(new Error(`${error.message}\n${out}\n${err}`.slice(0, 4000))) : done(out + err),
    );
  });
}

/** Writes the sample of each request to a file. */
function write(
  language: string,
  fileName: (index: number) => string,
  change: (text: string, index: number) => string = (text) => text,
): string[] {
  return requests.map((request, index) => {
    const file = path.join(folder, language, fileName(index));
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, `${change(languageOf(language)!.sample(request), index)}\n`);
    return file;
  });
}

/** Headers that HTTP clients add. */
const clientHeaders =
  /^(?:host|user-agent|accept|accept-encoding|accept-language|connection|content-length|content-type|transfer-encoding|sec-fetch-mode|expect|upgrade|http2-settings|keep-alive|cache-control|pragma)$/;

async function expectReceived(
  language: string,
  skip: (request: HttpRequest) => boolean = () => false,
): Promise<void> {
  const wrong: string[] = [];
  for (const [index, request] of requests.entries()) {
    if (skip(request)) continue;
    const got = received.get(`/case/${index}`);
    const say = (what: string, found: unknown, wanted: unknown) => {
      if (JSON.stringify(found) !== JSON.stringify(wanted))
        wrong.push(`case ${index} ${what}: ${JSON.stringify(found)} for ${JSON.stringify(wanted)}`);
    };
    if (!got) {
      wrong.push(`case ${index} was not sent`);
      continue;
    }
    say("method", got.method, request.method);
    say("url", origin + got.url, request.url);
    const isForm =
      request.body?.kind === "multipart" &&
      request.headers.some(([, value]) => value.startsWith("multipart/form-data"));
    for (const [name, value] of request.headers) {
      if (isForm && name === "Content-Type") continue;
      if (language === "javascript" && name === "Cookie") continue;
      say(name, got.headers[name.toLowerCase()], value);
    }
    const more = Object.keys(got.headers).filter(
      (name) => !clientHeaders.test(name) && !request.headers.some(([other]) => other.toLowerCase() === name),
    );
    say("more headers", more, []);
    if (isForm) say("form", await partsOf(got), await expectedParts(request, language));
    else if (literalOf(request))
      say("JSON", JSON.parse(got.body.toString()), JSON.parse((request.body as { text: string }).text));
    else
      say(
        "body",
        got.body.toString("latin1"),
        Buffer.from((await requestBytes(request)) ?? []).toString("latin1"),
      );
  }
  received.clear();
  expect(wrong).toEqual([]);
}

type Part = [name: string, value: string, filename?: string, type?: string];

async function partsOf({ headers, body }: Received): Promise<Part[]> {
  const data = await new Response(new Uint8Array(body), {
    headers: { "Content-Type": headers["content-type"]! },
  }).formData();
  return Promise.all(
    [...data].map(async ([name, value]): Promise<Part> => {
      if (typeof value === "string") return [name, value];
      return [name, Buffer.from(await value.arrayBuffer()).toString("latin1"), value.name, value.type];
    }),
  );
}

async function expectedParts(request: HttpRequest, language: string): Promise<Part[]> {
  if (request.body?.kind !== "multipart") return [];
  const { headers } = request;
  const bytes = await requestBytes(request);
  const type = headers.find(([name]) => name === "Content-Type")![1];
  const parts = await partsOf({
    method: "",
    url: "",
    headers: { "content-type": type },
    body: Buffer.from(bytes!),
  });
  // `FormData` sets a media type only for files, and normalizes line breaks.
  const isFetch = ["javascript", "node", "typescript"].includes(language);
  return request.body.parts.map(({ headers, content }, index) => {
    const declared = headers.find(([name]) => name === "Content-Type")?.[1];
    const [name, value, ...rest] = parts[index]!;
    if (!isFetch || isFileValue(content)) return [name, value, ...rest];
    return declared
      ? [name, Buffer.from(value).toString("latin1"), "blob", declared]
      : [name, value.replace(/\r?\n/g, "\r\n")];
  });
}

describe("samples send the request", () => {
  test.skipIf(!has("bash") || !has("curl"))("bash", { timeout: 300_000 }, async () => {
    const files = write("bash", (index) => `${index}.sh`);
    await run("bash", [
      "-c",
      'for file in "$@"; do bash -n "$file" && bash "$file" --silent || exit 1; done',
      "bash",
      ...files,
    ]);
    await expectReceived("bash");
  });

  test.skipIf(!has("python3", "-c", "import requests"))("python", async () => {
    const files = write("python", (index) => `${index}.py`);
    await run("python3", [
      "-c",
      "import runpy, sys\nfor file in sys.argv[1:]: runpy.run_path(file)",
      ...files,
    ]);
    await expectReceived("python");
  });

  test.each(["node", "javascript"])("%s", async (language) => {
    const files = write(language, (index) => `${index}.mjs`);
    const driver = path.join(folder, language, "driver.mjs");
    writeFileSync(
      driver,
      `import { openAsBlob } from "node:fs";
const file = await openAsBlob(${JSON.stringify(photo.name)});
globalThis.document = { querySelector: () => ({ files: [file] }) };
for (const name of process.argv.slice(2)) await import(name);`,
    );
    await run("node", [driver, ...files]);
    await expectReceived(language);
  });

  test.skipIf(!has("php", "-r", "exit(extension_loaded('curl') ? 0 : 1);"))("php", async () => {
    const files = write("php", (index) => `${index}.php`);
    await run("php", ["-r", "foreach (array_slice($argv, 1) as $file) include $file;", "--", ...files]);
    await expectReceived("php");
  });

  test.skipIf(!has("ruby"))("ruby", async () => {
    const files = write("ruby", (index) => `${index}.rb`);
    await run("ruby", ["-W0", "-e", "ARGV.each { |file| load file }", ...files], {
      env: { ...process.env, LANG: "C.UTF-8" },
    });
    await expectReceived("ruby");
  });

  test.skipIf(!has("go", "version"))("go", { timeout: 400_000 }, async () => {
    const files = write("go", (index) => `plain/${index}.go`);
    expect(await run("gofmt", ["-l", ...files]), "not formatted as gofmt does").toBe("");
    write(
      "go",
      (index) => `c${index}/main.go`,
      (text, index) =>
        text.replace("package main", `package c${index}`).replace("func main()", "func Main()"),
    );
    const all = requests.map((_, index) => index);
    writeFileSync(path.join(folder, "go/go.mod"), "module samples\n");
    writeFileSync(
      path.join(folder, "go/main.go"),
      `package main\nimport (\n${all.map((index) => `"samples/c${index}"\n`).join("")})\nfunc main() {\n${all.map((index) => `c${index}.Main()\n`).join("")}}\n`,
    );
    const env = {
      ...process.env,
      GOFLAGS: "-mod=mod",
      GOPROXY: "off",
      GOCACHE: process.env["GOCACHE"] ?? path.join(folder, "go-cache"),
    };
    await run("go", ["build", "-o", path.join(folder, "go-samples"), "."], {
      cwd: path.join(folder, "go"),
      env,
    });
    await run(path.join(folder, "go-samples"), []);
    await expectReceived("go");
  });

  test.skipIf(!has("javac", "-version"))("java", { timeout: 400_000 }, async () => {
    const files = write(
      "java",
      (index) => `c${index}/Main.java`,
      (text, index) => `package c${index};\n${text}`,
    );
    const driver = path.join(folder, "java/All.java");
    writeFileSync(
      driver,
      `public class All { public static void main(String[] args) throws Exception { ${requests.map((_, index) => `c${index}.Main.main(args);`).join(" ")} } }`,
    );
    await run("javac", ["-encoding", "UTF-8", "-d", path.join(folder, "java/out"), driver, ...files]);
    await run("java", ["-cp", path.join(folder, "java/out"), "All"]);
    await expectReceived("java");
  });

  const libcurl = has("gcc") && has("sh", "-c", "echo '#include <curl/curl.h>' | gcc -fsyntax-only -xc -");
  test.skipIf(!libcurl)("c", { timeout: 300_000 }, async () => {
    const files = write(
      "c",
      (index) => `${index}.c`,
      (text, index) => text.replace("int main(void)", `int case_${index}(void)`),
    );
    const names = requests.map((_, index) => `case_${index}`);
    const driver = path.join(folder, "c/all.c");
    writeFileSync(
      driver,
      `${names.map((name) => `int ${name}(void);`).join("\n")}\nint main(void) { return ${names.map((name) => `${name}()`).join(" + ")}; }\n`,
    );
    await run("gcc", ["-Wall", "-Werror", "-o", path.join(folder, "c-samples"), driver, ...files, "-lcurl"]);
    await run(path.join(folder, "c-samples"), []);
    await expectReceived("c");
  });
});

describe("samples that are not run against the server", () => {
  test("typescript", { timeout: 120_000 }, async () => {
    write("typescript", (index) => `${index}.mts`);
    writeFileSync(
      path.join(folder, "typescript/tsconfig.json"),
      JSON.stringify({
        compilerOptions: {
          target: "ES2022",
          module: "NodeNext",
          strict: true,
          noEmit: true,
          skipLibCheck: true,
          types: ["node"],
          typeRoots: [path.join(root, "node_modules/@types")],
        },
      }),
    );
    await run(path.join(root, "node_modules/.bin/tsc"), ["-p", path.join(folder, "typescript")]);
  });

  test.skipIf(!has("g++"))("c++", { timeout: 120_000 }, async () => {
    // A fake cpr library, which writes its arguments as hexadecimal text.
    const library = `#include <initializer_list>
#include <iostream>
#include <string>
namespace cpr {
void hex(const char *kind, const std::string &text) {
  std::cout << kind;
  for (unsigned char byte : text) std::cout << "0123456789abcdef"[byte >> 4] << "0123456789abcdef"[byte & 15];
  std::cout << ' ';
}
struct Response { std::string text; };
struct File { std::string name; };
struct Url { Url(const char *text) { hex("u", text); } };
struct Body { Body(const char *text) { hex("b", text); } Body(File file) { hex("f", file.name); } };
struct Pair { Pair(const char *name, const char *value) { hex("h", std::string(name) + ": " + value); } };
struct Header { Header(std::initializer_list<Pair>) {} };
struct Part {
  Part(const char *name, const char *value, const char * = "") { hex("p", std::string(name) + "=" + value); }
  Part(const char *name, File file, const char * = "") { hex("p", std::string(name) + "@" + file.name); }
};
struct Multipart { Multipart(std::initializer_list<Part>) {} };
${["Get", "Post", "Put", "Delete", "Patch", "Head", "Options"].map((name) => `template <class... T> Response ${name}(T...) { return {}; }`).join("\n")}
}
`;
    const casesText = requests.map((request, index) =>
      languageOf("c++")!
        .sample(request)
        .replace(/^#include .*\n/gm, "")
        .replace("int main()", `void case_${index}()`),
    );
    const file = path.join(folder, "all.cpp");
    writeFileSync(
      file,
      `${library}${casesText.join("\n")}\nint main() {\n${requests.map((_, index) => `case_${index}();`).join("\n")}\n}\n`,
    );
    await run("g++", ["-std=c++17", "-o", path.join(folder, "cpp-samples"), file]);
    const outputLines = (await run(path.join(folder, "cpp-samples"), [])).split("\n");
    const hex = (text: string) => Buffer.from(text).toString("hex");
    for (const [index, request] of requests.entries()) {
      const words = outputLines[index]!.trim().split(" ");
      expect(words, `case ${index}`).toContain(`u${hex(request.url)}`);
      if (request.body?.kind === "text")
        expect(words, `case ${index}`).toContain(`b${hex(request.body.text)}`);
      const parts = request.body?.kind === "multipart" ? request.body.parts : [];
      if (!languageOf("c++")!.sample(request).includes("cpr::Multipart")) continue;
      for (const { name, content } of parts) {
        expect(words).toContain(
          `p${hex(isFileValue(content) ? `${name}@${content.file.name}` : `${name}=${content.text}`)}`,
        );
      }
    }
  });

  test.skipIf(!has("rustfmt"))("rust", async () => {
    const files = write("rust", (index) => `${index}.rs`);
    await run("rustfmt", ["--edition", "2021", ...files]);
  });

  // The libraries of these languages are rarely installed, so their samples are not run.
  for (const language of ["csharp", "dotnet", "kotlin", "swift", "dart", "powershell"]) {
    test(`${language}: samples contain the URL`, () => {
      for (const request of requests) expect(languageOf(language)!.sample(request)).toContain("/case/");
    });
  }
});

test.each<[(text: string) => string, string, string]>([
  [kotlin, 'a "$b" ${c}\\', '"a \\"\\$b\\" \\${c}\\\\"'],
  [kotlin, "\x01\u2028", '"\\u0001\\u2028"'],
  [csharp, '{0} "é"\n\u0085', '"{0} \\"é\\"\\n\\u0085"'],
  [swift, '\\(1) "\u202e"', '"\\\\(1) \\"\\u{202e}\\""'],
  [dart, "it's $a ${b}\r", "'it\\'s \\$a \\${b}\\r'"],
  [powershell, "it's $a \u2019", "'it''s $a \u2019\u2019'"],
  [powershell, '\r$a`"\u201d', '"$([char]0xd)`$a```"`\u201d"'],
])("a literal of %o: %j", (literal, text, wanted) => {
  expect(literal(text)).toBe(wanted);
});

test("languages are found by their keys and aliases", () => {
  expect(sampleLanguages.map(({ key }) => languageKeyOf(key))).toEqual(sampleLanguages.map(({ key }) => key));
  expect(
    [
      "cURL",
      "sh",
      "shell",
      "py",
      "js",
      "Node.js",
      "golang",
      "rb",
      "C#",
      ".NET",
      "dot-net",
      "ts",
      "cpp",
      "kt",
      "rs",
      "flutter",
      "cobol",
    ].map(languageKeyOf),
  ).toEqual([
    "bash",
    "bash",
    "bash",
    "python",
    "javascript",
    "node",
    "go",
    "ruby",
    "csharp",
    "dotnet",
    "dotnet",
    "typescript",
    "c++",
    "kotlin",
    "rust",
    "dart",
    undefined,
  ]);
});
