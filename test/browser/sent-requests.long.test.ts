/**
 * For all operations of documents, the server receives the shown request byte for byte, from the playground
 * and from cURL samples.
 */

import { execFile, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { load } from "js-yaml";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Raw } from "../../src/engine/openapi/nodes/refs.ts";
import { readProxyOrigins } from "../../src/host/playground-proxy.ts";
import { buildSiteFrom, temporaryFolder, writeFiles } from "../engine/build.ts";
import { corpusOf, inCorpus } from "../shared/corpus.ts";
import { useChromium } from "./chromium.ts";
import { type Recorded, type Recorder, serveSite, startRecorder } from "./playground-fixture.ts";

const corpus = corpusOf.openapi;
const fieldCases = path.join(corpusOf.fieldCases, "openapi");
/** Whether a document is published as it's written, with only the URL of its server replaced. */
const isVerbatim = (file: string) => file.startsWith(fieldCases);

/** OpenAPI documents with their number of operations. */
const documents: [name: string, file: string, operations: number][] = [
  ["every-kind", path.join(import.meta.dirname, "sent-requests.yaml"), 9],
  ...(inCorpus(corpus)
    ? ([
        ["style", path.join(corpus, "parameters-style-3.1.json"), 25],
        ["serialization", path.join(corpus, "param-serialization-3.0.yaml"), 13],
        ["multipart", path.join(corpus, "multipart-encoding-3.1.yaml"), 4],
        ["files", path.join(corpus, "file-uploads-3.0.json"), 3],
        ["security", path.join(corpus, "security-3.1.json"), 15],
      ] as [string, string, number][])
    : []),
  ...(inCorpus(fieldCases)
    ? (
        [
          ["read-only-in-examples", 2],
          ["form-examples-as-json", 2],
          ["greedy-path", 1],
          ["choose-response-type", 2],
          ["discriminator-aliases", 1],
          ["mapping-only-playground", 1],
          ["merge-keys", 2],
          ["unquoted-scalars", 1],
        ] as [string, number][]
      ).map(([name, operations]): [string, string, number] => [
        name,
        path.join(fieldCases, name, "docs/openapi.yaml"),
        operations,
      ])
    : []),
];

const folder = temporaryFolder();
const { open } = useChromium();
let api: Recorder;
let sites: Record<"direct" | "proxy", { url: string; close(): void }>;
/** Paths of the operations' pages, by document. */
const pages = new Map<string, string[]>();

beforeAll(async () => {
  api = await startRecorder();
  const sources: Record<string, string> = { "index.mdx": "---\ntitle: Home\n---\nHome" };
  for (const [name, file] of documents) {
    const text = readFileSync(file, "utf8").replaceAll("RECORDER", api.url);
    if (isVerbatim(file)) {
      sources[`${name}.yaml`] = text.replaceAll("http://127.0.0.1:4101", api.url);
      continue;
    }
    const document = load(text) as Raw;
    sources[`${name}.json`] = JSON.stringify(
      file.startsWith(corpus) ? { ...document, servers: [{ url: api.url }] } : document,
    );
  }
  const built = await buildSiteFrom({
    ...sources,
    "docs.json": JSON.stringify({
      theme: "mint",
      name: "Acme",
      colors: { primary: "#0D9373" },
      navigation: {
        tabs: [
          { tab: "Home", pages: ["index"] },
          ...documents.map(([name, file]) => ({
            tab: name,
            openapi: { source: `${name}.${isVerbatim(file) ? "yaml" : "json"}`, directory: name },
          })),
        ],
      },
      api: { examples: { prefill: true, languages: ["bash", "python"] } },
    }),
  });
  for (const file of built.paths)
    if (/\.(?:html|js|css|json|svg|woff2)$/.test(file)) writeFiles(folder, { [file]: built.bytes(file) });
  for (const [name] of documents)
    pages.set(
      name,
      built.paths.filter(
        (file) =>
          file.startsWith(`${name}/`) && file.endsWith(".html") && built.read(file).includes("o-try-it"),
      ),
    );
  for (const { name, buffer } of Object.values(files)) writeFileSync(path.join(folder, name), buffer);
  const origins = readProxyOrigins(readFileSync(path.join(folder, "_octavo/proxy.json")));
  sites = { direct: await serveSite(folder), proxy: await serveSite(folder, origins) };
});
afterAll(() => {
  api.close();
  sites.direct.close();
  sites.proxy.close();
});

/** Texts with special characters. Each field starts with a different one. */
const hostile = [
  " ",
  '"',
  "'",
  "#x",
  "?",
  "/",
  "%",
  "&a",
  "=",
  "+",
  ",",
  ";",
  "ü",
  "😀",
  "\\",
  "|",
  "{y}",
  "[",
  "]",
  "<",
  ">",
  "$",
  "`",
  ":",
  "@",
];

type Round = "needed" | "hostile";

const files: Record<Round, { name: string; mimeType: string; buffer: Buffer }> = {
  needed: {
    name: "photo.png",
    mimeType: "image/png",
    buffer: Buffer.from([137, 80, 78, 71, 13, 10, 26, 10, 0, 255]),
  },
  // Contains the boundary that the request would use otherwise, and text like the placeholder of a file.
  hostile: {
    name: 'ü "1" %41;\'.bin',
    mimeType: "",
    buffer: Buffer.concat([
      Buffer.from([0, 255, 13]),
      Buffer.from("\r\n------octavo-boundary--\r\n‹photo.png, 10 B›\n"),
    ]),
  },
};

interface Control {
  id: string;
  tag: "input" | "textarea" | "select";
  type: string;
  mode: string;
  value: string;
  options: string[];
}

/**
 * Fills in the form as a reader would: opens lists and objects, and adds an item to each. Returns the typed
 * texts by field. Inputs and clicks are sent to the page as scripts, which wait until the page has rendered
 * each change. Separate calls would take minutes.
 */
async function fillForm(page: Page, round: Round): Promise<Map<string, string>> {
  const typed = new Map<string, string>();
  const seen = new Set<string>();
  for (;;) {
    const controls =
      (await page.evaluate(`[...document.querySelectorAll(".o-pg-form :is(input, textarea, select)[id]")]
      .filter((e) => !e.disabled && !e.readOnly && !e.closest(".o-pg-sign-in") && !/^o-pg-(?:server|contentType|alternative)/.test(e.id))
      .map((e) => ({ id: e.id, tag: e.localName, type: e.type, mode: e.inputMode, value: e.value,
        options: [...(e.options ?? [])].map((o) => o.value) }))`)) as Control[];
    const fresh = controls.filter(({ id }) => !seen.has(id));
    const texts: [id: string, text: string][] = [];
    for (const { id, tag, type, mode, value, options } of fresh) {
      seen.add(id);
      const field = page.locator(`[id=${JSON.stringify(id)}]`);
      if (type === "file") {
        await field.setInputFiles(files[round]);
        await page.waitForFunction(`((frame) => frame.querySelector("textarea")?.value === ${JSON.stringify(files[round].buffer.toString("base64"))} ||
          [...frame.querySelectorAll("strong")].some(({ textContent }) => textContent === ${JSON.stringify(files[round].name)}))(document.getElementById(${JSON.stringify(id)}).closest(".o-pg-field"))`);
      } else if (tag === "select") {
        if (value === "-1" || round === "hostile") await field.selectOption(options.at(-1)!);
      } else if (id.endsWith("-new")) {
        if (round === "needed") continue;
        await field.fill('kéy & "1"=');
        await field.press("Enter");
      } else if (round === "hostile" || value === "") {
        const turn = seen.size % hostile.length;
        const strange = `${[...hostile.slice(turn), ...hostile.slice(0, turn)].join("")}${tag === "textarea" ? "\nline 2\n\tü" : ""}`;
        const text =
          type === "date" ? "2025-01-31" : round === "hostile" ? strange : mode ? "7" : `v${seen.size}`;
        texts.push([id, text]);
        typed.set(id.replace("o-pg-", ""), text);
      }
    }
    const clicks = (await page.evaluate(`(async () => {
      const drawn = () => new Promise((done) => setTimeout(done));
      for (const [id, text] of ${JSON.stringify(texts)}) {
        const field = document.getElementById(id);
        field.focus();
        field.value = text;
        field.dispatchEvent(new Event("input", { bubbles: true }));
        await drawn();
      }
      const clicked = [];
      for (const button of document.querySelectorAll('.o-pg-form :is(.o-pg-disclosure[aria-expanded="false"], button[aria-label^="Add item"])')) {
        const name = button.id || button.ariaLabel;
        if (button.disabled || ${JSON.stringify([...seen])}.includes(name)) continue;
        button.click();
        clicked.push(name);
        await drawn();
      }
      return clicked;
    })()`)) as string[];
    for (const name of clicks) seen.add(name);
    if (fresh.length === 0 && clicks.length === 0) return typed;
  }
}

interface Shown {
  method: string;
  url: string;
  headers: { name: string; value: string; notSent: boolean }[];
  body: { text: string; notSent: boolean } | undefined;
}

/** Reads the request that the page shows. */
async function readShown(page: Page): Promise<Shown> {
  const reveal = page.locator('.o-pg-reveal[aria-pressed="false"]');
  if (await reveal.count()) await reveal.click();
  const lines =
    (await page.evaluate(`[...document.querySelectorAll(".o-pg-result .o-pg-code .o-pg-line")].map((line) => {
    const copy = line.cloneNode(true);
    copy.querySelector("em")?.remove();
    return { kind: /o-pg-line-(\\w+)/.exec(line.className)[1], text: copy.textContent.replace(/\\n$/, ""), notSent: "notSent" in line.dataset };
  })`)) as { kind: string; text: string; notSent: boolean }[];
  const [method = "", url = ""] = lines[0]!.text.split(" ");
  const headers = lines
    .filter(({ kind }) => kind === "header")
    .map(({ text, notSent }) => ({
      name: text.slice(0, text.indexOf(": ")),
      value: text.slice(text.indexOf(": ") + 2),
      notSent,
    }));
  return { method, url, headers, body: lines.filter(({ kind }) => kind === "body")[1] };
}

function boundaryOf(headers: [string, string][]): string | undefined {
  return /;\s*boundary=(.*)$/.exec(
    headers.find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? "",
  )?.[1];
}

/** The shown body as bytes: placeholders replaced by files, and CRLF in multipart bodies. */
function bytesOf({ body, headers }: Shown): Buffer {
  if (!body || body.notSent) return Buffer.alloc(0);
  const boundary = boundaryOf(headers.map(({ name, value }) => [name, value]));
  const text =
    boundary === undefined
      ? body.text
      : body.text
          .split(`--${boundary}`)
          .map((piece) =>
            piece.replace(/^\n((?:[^\n]+\n)*)\n([\s\S]*)\n$|^--\n$/, (_, head?: string, content?: string) =>
              content === undefined ? "--\r\n" : `\r\n${head!.replaceAll("\n", "\r\n")}\r\n${content}\r\n`,
            ),
          )
          .join(`--${boundary}`);
  const pieces = text.split(/‹(.+?), \d+ B›/);
  return Buffer.concat(
    pieces.map((piece, i) =>
      i % 2 ? Object.values(files).find(({ name }) => name === piece)!.buffer : Buffer.from(piece),
    ),
  );
}

/** Matches the names of headers that the browser or the connection adds. */
const own =
  /^(?:host|connection|user-agent|accept-encoding|accept-language|origin|referer|sec-.*|content-length|dnt|cache-control|pragma|priority)$/i;

/** Lists differences between the received and the shown request. */
function differences(shown: Shown, arrived: Recorded): string[] {
  const found: string[] = [];
  const say = (what: string, was: unknown, came: unknown) => {
    if (was !== came) found.push(`${what}: shown ${JSON.stringify(was)}, arrived ${JSON.stringify(came)}`);
  };
  say("method", shown.method, arrived.method);
  say("url", shown.url, api.url + arrived.url);
  const sent = shown.headers.filter(({ notSent }) => !notSent);
  for (const { name, value } of sent) {
    const came = arrived.lines
      .filter(([other]) => other.toLowerCase() === name.toLowerCase())
      .map(([, text]) => text);
    say(name, value, came.join(" and again "));
  }
  for (const [name, value] of arrived.lines)
    if (!own.test(name) && !sent.some((header) => header.name.toLowerCase() === name.toLowerCase()))
      say(name, undefined, value);
  // The content must not contain the boundary.
  const boundary = boundaryOf(arrived.lines);
  const parts = (text = "") => text.split(`--${boundary}`).length;
  if (boundary !== undefined && bytesOf(shown).length)
    say("parts", parts(shown.body?.text), parts(arrived.body.toString("latin1")));
  const bytes = bytesOf(shown);
  if (!bytes.equals(arrived.body)) say("body", bytes.toString(), arrived.body.toString());
  return found;
}

/** Presses "Send" and waits until the response is shown. */
async function send(page: Page): Promise<Recorded | undefined> {
  const before = api.requests.length;
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await page.waitForFunction(
    `document.querySelector(".o-pg-send")?.textContent === "Send" && document.querySelector(".o-pg-response :is(.o-pg-status, .o-pg-failure)")`,
  );
  expect(api.requests.length - before).toBeLessThanOrEqual(1);
  return api.requests[before];
}

const hasCurl = spawnSync("curl", ["--version"]).status === 0;
if (!hasCurl) console.warn("There is no curl, so the samples for it are not run.");

/**
 * Runs the panel's cURL sample in the folder of the selected files. Replaces curl's multipart boundary with
 * the shown one.
 */
async function runSample(page: Page, shown: Shown): Promise<string[]> {
  await page.locator("#o-pg-language").selectOption("bash");
  const sample = (await page.locator(".o-pg-sample").textContent()) ?? "";
  await page.locator("#o-pg-language").selectOption("http");
  const found = sample.replaceAll("'\\''", "'").includes(shown.url)
    ? []
    : [`the sample does not hold ${shown.url}: ${sample}`];
  if (!hasCurl) return found;
  const before = api.requests.length;
  const ended = await promisify(execFile)("bash", ["-c", `${sample} --silent --show-error`], {
    cwd: folder,
    timeout: 10_000,
  }).catch(String);
  const arrived = api.requests[before];
  if (!arrived) return [...found, `nothing arrived: ${JSON.stringify(ended)}\n${sample}`];
  const boundary = boundaryOf(arrived.lines);
  const wanted = boundaryOf(shown.headers.map(({ name, value }) => [name, value]));
  if (boundary !== undefined && wanted !== undefined) {
    const body = arrived.body.toString("latin1").replaceAll(`--${boundary}`, `--${wanted}`);
    arrived.body = Buffer.from(body, "latin1");
    arrived.lines = arrived.lines.map(([name, value]) => [
      name,
      value.replace(`boundary=${boundary}`, `boundary=${wanted}`),
    ]);
  }
  // curl also sends headers that browsers don't.
  const all = shown.headers.map((header) => ({ ...header, notSent: false }));
  return [
    ...found,
    ...differences(
      { ...shown, headers: all, body: shown.body && { ...shown.body, notSent: false } },
      arrived,
    ),
  ];
}

const options = async (page: Page, id: string): Promise<string[]> =>
  page.evaluate(`[...(document.getElementById(${JSON.stringify(id)})?.options ?? [])].map((o) => o.value)`);

/**
 * Fills in the form for all media types, alternatives for credentials, and rounds. Calls `look` after each.
 */
async function everyRequest(
  page: Page,
  rounds: readonly Round[],
  look: (title: string, typed: Map<string, string>) => Promise<void>,
): Promise<void> {
  const types = await options(page, "o-pg-contentType");
  const alternatives = await options(page, "o-pg-alternative");
  for (let i = 0; i < Math.max(types.length, alternatives.length, 1); i++) {
    const [type, alternative] = [types[i % types.length], alternatives[i % alternatives.length]];
    if (type !== undefined) await page.locator("#o-pg-contentType").selectOption(type);
    if (alternative !== undefined) await page.locator("#o-pg-alternative").selectOption(alternative);
    for (const round of rounds) {
      const typed = await fillForm(page, round);
      await look([type, alternative, round].filter(Boolean).join(" "), typed);
    }
    const nulls = page.getByRole("checkbox", { name: /: Send null$/ });
    if ((await nulls.count()) === 0) continue;
    for (const box of await nulls.all()) await box.check();
    await look([type, "null"].join(" "), new Map());
  }
}

/** Returns the path and query fields whose typed text is missing in the URL. */
function missingIn(url: string, typed: Map<string, string>): string[] {
  const read = decodeURIComponent(url);
  return [...typed]
    .filter(([place, text]) => /^(?:path|query)\.[\w-]+$/.test(place) && !read.includes(text))
    .map(([place]) => place);
}

describe.each(documents)("%s", (name, _, count) => {
  // Each action has a time limit, and the number of operations varies.
  test.each(["direct", "proxy"] as const)(`%s: ${count} operations`, { timeout: 600_000 }, async (way) => {
    const mismatches: string[] = [];
    const operations = new Set<string>();
    await open(`${sites[way].url}/index.html`, async (page, complaints) => {
      page.setDefaultTimeout(20_000);
      for (const file of pages.get(name)!) {
        await page.goto(`${sites[way].url}/${file}`);
        await page.getByRole("button", { name: "Try it" }).first().click();
        await page.locator(`.o-pg-foot[data-route="${way === "proxy" ? "proxy" : "browser"}"]`).waitFor();
        await everyRequest(
          page,
          way === "proxy" ? ["hostile"] : ["needed", "hostile"],
          async (title, typed) => {
            const shown = await readShown(page);
            const arrived = await send(page);
            const found = arrived
              ? differences(shown, arrived)
              : [`nothing arrived: ${await page.locator(".o-pg-response").innerText()}`];
            for (const place of missingIn(shown.url, typed)) found.push(`${place} is not in ${shown.url}`);
            if (way === "direct") found.push(...(await runSample(page, shown)).map((one) => `curl: ${one}`));
            mismatches.push(...found.map((one) => `${shown.method} ${file} (${title}) ${one}`));
            operations.add(`${shown.method} ${await page.locator("#o-pg-title code").textContent()}`);
          },
        );
      }
      // Ignores the request for the missing proxy.
      complaints.list = complaints.list.filter((one) => way === "proxy" || !/404/.test(one));
    });
    expect(mismatches).toEqual([]);
    expect([pages.get(name)!.length, operations.size]).toEqual([count, count]);
  });
});
