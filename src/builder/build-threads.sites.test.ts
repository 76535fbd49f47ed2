/** The output of a build doesn't depend on the number of its threads, nor on what happens to them. */

import { existsSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import {
  readFiles,
  root,
  type Sources,
  siteOf,
  temporaryFolder,
  writeFiles,
} from "../../test/engine/build.ts";
import { testRunner } from "../../test/engine/test-runner.ts";
import { versionsFile } from "../io/git-versions.ts";
import type { BuildMessage } from "./build-protocol.ts";
import { usePatterns } from "./use-patterns.ts";

usePatterns(new URL("../../dist/patterns/", import.meta.url));

const folder = temporaryFolder();
const product = path.join(root, "dist/build-thread.js");
let builds_count = 0;

interface Build {
  threads?: number;
  /**
   * Code of the threads. `sent()` must be called when the main thread may compile its first page. Default:
   * the product's.
   */
  code?: string;
  cacheFolder?: string;
}

/**
 * Code of a thread that runs the product, after `change`. The main thread waits until a page has been sent.
 */
const running = (change = "") => `const post = parentPort.postMessage.bind(parentPort);
  parentPort.postMessage = (message, list) => { ${change}; post(message, list); sent(); };
  await import(${JSON.stringify(product)});`;

/** Code after which a thread can't write files of the output. */
const withoutWriting = `const fs = (await import("node:fs")).default;
  const write = fs.writeFileSync;
  fs.writeFileSync = (file, ...others) => {
    if (file.includes("-out")) throw new Error("Full");
    write(file, ...others);
  };
  (await import("node:module")).syncBuiltinESMExports()`;

/**
 * Builds the site in a folder. Resolves with its files and problems, and the names of the pages that the main
 * thread compiled.
 */
async function built(docs: string, { threads = 1, code = running(), cacheFolder }: Build = {}) {
  const at = path.join(folder, `build-${++builds_count}`);
  const mark = `${at}-sent`;
  writeFiles(folder, {
    [`build-${builds_count}-thread.mjs`]: `import { writeFileSync } from "node:fs";
      import { parentPort, workerData } from "node:worker_threads";
      const sent = () => writeFileSync(${JSON.stringify(mark)}, "");
      ${code}`,
  });
  const messages: BuildMessage[] = [];
  const compiled: string[] = [];
  const runner = testRunner({
    threadModule: `${at}-thread.mjs`,
    threadPages_count: 1,
    send(message) {
      messages.push(message);
      if (message.event !== "page") return;
      // The threads start while this one is busy.
      const deadline_ms = Date.now() + 60_000;
      while (threads > 1 && !existsSync(mark))
        if (Date.now() > deadline_ms) throw new Error("No thread has sent a page");
      compiled.push(message.file);
    },
  });
  const output = {
    kind: "folder",
    path: `${at}-out`,
    target: { kind: "client-hosted", links: "html" },
  } as const;
  await runner.answer({
    id: 1,
    do: "build",
    job: { folder: docs, crashed: [], threads, output, ...(cacheFolder ? { cacheFolder } : {}) },
  });
  const last = messages.at(-1)!;
  if (last.event !== "built") throw new Error(JSON.stringify(last));
  return { site: { files: readFiles(`${at}-out`), problems: last.result.problems }, compiled };
}

const operation = (summary: string) => ({
  summary,
  responses: {
    200: {
      description: "OK",
      content: { "application/json": { schema: { $ref: "#/components/schemas/Plant" } } },
    },
  },
});

/** Pages with all kinds of dependencies, with problems, and with content for some readers. */
const pages: Sources = {
  ...Object.fromEntries(
    Array.from({ length: 12 }, (_, page) => [
      `page-${page}.mdx`,
      `---\ntitle: Page ${page}\n---\n\nSee [the next](/page-${page + 1}).\n\n\`\`\`ts\nconst page: number = ${page};\n\`\`\`\n`,
    ]),
  ),
  "index.mdx":
    'import Note from "/snippets/note.mdx";\nimport { Counter } from "/counter.jsx";\n\n<Note />\n\n<Counter start={3} />\n',
  "readers.mdx": '<Visibility groups={["staff"]}>For the staff.</Visibility>\n\n![Missing](/missing.png)\n',
  "broken.mdx": "Text with {an error\n",
  "snippets/note.mdx": "A note.\n",
  "counter.jsx":
    "export const Counter = ({ start }) => { const [n, set] = useState(start); return <button onClick={() => set(n + 1)}>{n}</button>; };",
  "api.json": JSON.stringify({
    openapi: "3.1.0",
    info: { title: "Shop", version: "1" },
    paths: {
      "/plants": { get: operation("List plants"), post: operation("Add a plant") },
      "/pots": { get: operation("List pots") },
    },
    components: {
      schemas: {
        Plant: {
          type: "object",
          properties: { name: { type: "string" }, pot: { $ref: "#/components/schemas/Pot" } },
        },
        Pot: { type: "object", properties: { color: { enum: ["red", "green"] } } },
      },
    },
  }),
};
/** An earlier version of the API, in which it had no pots. */
const earlier = {
  openapi: "3.1.0",
  info: { title: "Shop", version: "1" },
  paths: { "/plants": { get: operation("List plants"), post: operation("Add a plant") } },
  components: { schemas: { Plant: { type: "object", properties: { name: { type: "string" } } } } },
};
const versions = {
  history: "complete",
  versions: [
    { label: "v1", date: "2026-01-01", objects: { "api.json": "first" } },
    { label: "v2", date: "2026-02-01", objects: { "api.json": "second" } },
  ],
  texts: { first: JSON.stringify(earlier), second: pages["api.json"] },
};
const guides = Object.keys(pages).flatMap((file) =>
  /^[\w-]+\.mdx$/.test(file) ? [file.replace(".mdx", "")] : [],
);
const groups = [
  { group: "Guides", pages: guides },
  { group: "API", openapi: "api.json" },
];
const shop = {
  ...siteOf(pages, { navigation: { groups }, api: { changes: {} } }),
  [versionsFile]: JSON.stringify(versions),
};
const docs = writeFiles(path.join(folder, "shop"), shop);
const expected = await built(docs);

test("with one thread, the main thread compiles all pages", () => {
  expect(expected.compiled).toHaveLength(19);
  expect(expected.site.problems).not.toEqual([]);
  expect(expected.site.files["api-changes.md"]).toContain("GET /pots");
  expect(expected.site.files["api-reference/list-pots.html"]).toContain("Added in v2");
});

test.each([2, 3, 8])("%s threads", async (threads) => {
  const { site, compiled } = await built(docs, { threads });
  expect(site).toEqual(expected.site);
  expect(compiled.length).toBeLessThan(19);
});

test("the pages of other threads are in the cache", async () => {
  const cacheFolder = path.join(folder, "cache");
  const { site, compiled } = await built(docs, { threads: 2, cacheFolder });
  expect(site).toEqual(expected.site);
  expect(compiled.length).toBeLessThan(19);
  expect(await built(docs, { cacheFolder })).toEqual({ site: expected.site, compiled: [] });
});

test.each(["ref-splitting", "languages", "odd-pages"])("the test site %s", async (name) => {
  const input = path.join(root, "test/sites", name, "input");
  expect((await built(input, { threads: 2 })).site).toEqual((await built(input)).site);
});

test.each([
  ["throws", 'sent(); throw new Error("Defect");'],
  [
    "claims all pages and ends",
    "parentPort.on('message', ({ table }) => { table.fill(2); sent(); process.exit(1); });",
  ],
  ["ends while it compiles shared schemas", running('if ("fragments" in message) process.exit(1)')],
  ["sends no shared schemas", running('if ("fragments" in message) message.fragments = []')],
  ["ends while it indexes pages", running('if ("run" in message) process.exit(1)')],
  ["ends while it writes files", running('if ("isWritten" in message) process.exit(1)')],
  ["can't write files", `${withoutWriting}; ${running()}`],
  ["sends no values", running("message.values = []")],
  [
    "sends values of a different version of the site",
    running('for (const value of message.values) value[1] = "old"'),
  ],
  [
    "reads files that have changed",
    `workerData.folder = ${JSON.stringify(writeFiles(path.join(folder, "changed"), { ...shop, "snippets/note.mdx": "Changed.\n" }))}; ${running()}`,
  ],
])("a thread that %s", async (_, code) => {
  expect(
    (await built(docs, { threads: 2, code, cacheFolder: path.join(folder, `cache-of-${builds_count}`) }))
      .site,
  ).toEqual(expected.site);
});
