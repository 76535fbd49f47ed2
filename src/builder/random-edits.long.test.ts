/**
 * After random edits and killed builds, a build with a cache has the same files and problems as a build
 * without.
 */

import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import {
  filesBelow,
  readFiles,
  root,
  type Sources,
  siteOf,
  temporaryFolder,
  writeFiles,
} from "../../test/engine/build.ts";
import { testRunner } from "../../test/engine/test-runner.ts";
import { corpusOf, inCorpus } from "../../test/shared/corpus.ts";
import { numbers } from "../../test/shared/random.ts";
import type { BuildMessage } from "./build-protocol.ts";

const folder = temporaryFolder();
const at = (...names: string[]) => path.join(folder, ...names);

/** Builds a site. Resolves with its files and problems. */
async function built(docs: string, out: string, cacheFolder?: string): Promise<unknown> {
  const messages: BuildMessage[] = [];
  const runner = testRunner({ send: (message) => messages.push(message) });
  const output = { kind: "folder", path: out, target: { kind: "client-hosted", links: "html" } } as const;
  await runner.answer({
    id: 1,
    do: "build",
    job: { folder: docs, crashed: [], output, ...(cacheFolder ? { cacheFolder } : {}) },
  });
  const last = messages.at(-1)!;
  if (last.event !== "built") throw new Error(JSON.stringify(last));
  return { files: readFiles(out), problems: last.result.problems };
}

type Edit = (text: string, next: (below: number) => number) => string;

const lineEdit =
  (change: (lines: string[], at: number, next: (below: number) => number) => void): Edit =>
  (text, next) => {
    const lines = text.split("\n");
    change(lines, next(lines.length), next);
    return lines.join("\n");
  };

const edits: Edit[] = [
  lineEdit((lines, at) => lines.splice(at, 1)),
  lineEdit((lines, at) => lines.splice(at, 0, lines[at]!)),
  lineEdit((lines, at, next) => lines.splice(at, 0, lines[next(lines.length)]!)),
  lineEdit((lines, at) =>
    lines.splice(at, 0, "", `## Heading ${at}`, "", "A sentence with [a link](/index).", ""),
  ),
  (text) => text.replace(/title: .*/, (title) => `${title}, renamed`),
  (text, next) => {
    const words = text.match(/\w+/g) ?? ["x"];
    return text.replace(words[next(words.length)]!, words[next(words.length)]!);
  },
];

const shop = siteOf(
  {
    ...Object.fromEntries(
      Array.from({ length: 15 }, (_, page) => [
        `page-${page}.mdx`,
        `---\ntitle: Page ${page}\n---\n\n## Part\n\nText of page ${page}, see [the next](/page-${page + 1}#part).\n\n\`\`\`js\nconst page = ${page};\n\`\`\`\n`,
      ]),
    ),
    "index.mdx":
      'import Note from "/snippets/note.mdx";\n\n<Note />\n\n<Tabs>\n<Tab title="A">One</Tab>\n<Tab title="B">Two</Tab>\n</Tabs>\n',
    "snippets/note.mdx": "A note.\n",
    "api.yaml": `openapi: 3.1.0
info: { title: Shop, version: "1" }
paths:
  /plants:
    get:
      operationId: listPlants
      summary: List plants
      responses:
        "200":
          description: Plants
          content:
            application/json:
              schema: { $ref: "#/components/schemas/Plant" }
  /plants/{id}:
    get:
      operationId: getPlant
      description: See [the list](#operation/listPlants).
      parameters:
        - { name: id, in: path, required: true, schema: { type: string } }
      responses:
        "200":
          description: One plant
          content:
            application/json:
              schema: { $ref: "#/components/schemas/Plant" }
components:
  schemas:
    Plant:
      type: object
      properties:
        name: { type: string }
        pot: { $ref: "#/components/schemas/Pot" }
    Pot:
      type: object
      properties:
        color: { type: string, enum: [red, green] }
`,
  },
  { api: { openapi: "api.yaml" } },
);

const sites: [name: string, files: Sources | undefined, edits_count: number][] = [
  ["guides and an API", shop, 120],
  [
    "a real repository",
    inCorpus(corpusOf.docs) ? readFiles(path.join(corpusOf.docs, "x402")) : undefined,
    50,
  ],
  [
    "a real API description",
    inCorpus(corpusOf.openapi)
      ? siteOf(
          { "index.mdx": "Text.", ...pick(readFiles(corpusOf.openapi), "redoc-demo-3.1.yaml") },
          { api: { openapi: "redoc-demo-3.1.yaml" } },
        )
      : undefined,
    30,
  ],
];

function pick(files: Sources, name: string): Sources {
  return { [name]: files[name]! };
}

describe.each(sites)("%s", (name, first, edits_count) => {
  test.skipIf(!first)(`${edits_count} random edits`, async () => {
    const [docs, out, cache, fresh] = ["docs", "out", "cache", "fresh"].map((part) => at(name, part)) as [
      string,
      string,
      string,
      string,
    ];
    const next = numbers(edits_count);
    const files: Sources = { ...first! };
    const earlier: [file: string, content: Sources[string]][] = [];
    const texts = Object.keys(files).filter((file) => /\.(?:mdx?|ya?ml)$/.test(file));
    writeFiles(docs, files);
    await built(docs, out, cache);
    for (let round = 0; round < edits_count; round++) {
      const undone = next(5) === 0 ? earlier[next(earlier.length || 1)] : undefined;
      const file = undone?.[0] ?? texts[next(texts.length)]!;
      const before = files[file]!;
      files[file] = undone?.[1] ?? edits[next(edits.length)]!(Buffer.from(before).toString(), next);
      earlier.push([file, before]);
      writeFiles(docs, { [file]: files[file]! });
      const incremental = await built(docs, out, cache);
      rmSync(fresh, { recursive: true, force: true });
      expect(incremental, `edit ${round} of ${file}`).toEqual(await built(docs, fresh));
    }
  });
});

test("50 builds that are killed", async () => {
  const [docs, out] = [at("killed", "docs"), at("killed", "out")];
  const next = numbers(50);
  writeFiles(docs, shop);
  /** Resolves when the build has ended, or when all of its processes have been killed after `most_ms`. */
  const killed = async (most_ms: number) => {
    const child = spawn(
      process.execPath,
      [path.join(root, "bin/octavo.js"), "build", docs, "--output", out],
      {
        detached: true,
        stdio: "ignore",
      },
    );
    const timer = setTimeout(() => process.kill(-child.pid!, "SIGKILL"), most_ms);
    await new Promise((resolve) => child.on("close", resolve));
    clearTimeout(timer);
  };
  const start = performance.now();
  await killed(60_000);
  const whole_ms = Math.ceil(performance.now() - start);
  for (let round = 0; round < 50; round++) {
    const file = `page-${next(15)}.mdx`;
    writeFiles(docs, { [file]: `---\ntitle: Round ${round}\n---\n\nText ${next(1000)}.\n` });
    await killed(next(whole_ms));
  }
  const incremental = await built(docs, out, path.join(docs, ".octavo/cache"));
  expect(incremental).toEqual(await built(docs, at("killed", "fresh")));
  expect(filesBelow(out).length).toBeGreaterThan(20);
});
