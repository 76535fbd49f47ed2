/**
 * Properties of every output: reproducible, incremental, no external resources, readable without JavaScript.
 */

import { existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { describe, expect, test } from "vitest";
import {
  filesBelow,
  mainOf,
  type RunOptions,
  readFiles,
  root,
  runOctavo,
  type Sources,
  siteOf,
  temporaryFolder,
  writeFiles,
} from "../../test/engine/build.ts";
import { findAll, parseHtml, textOf } from "../../test/engine/outline.ts";
import { runCli } from "../../test/engine/run-cli.ts";
import { corpusOf, inCorpus } from "../../test/shared/corpus.ts";

const folder = temporaryFolder();
const at = (name: string) => path.join(folder, name);

/**
 * A site with every feature whose output could be nondeterministic: islands, icons, formulas, diagrams,
 * utilities, feeds.
 */
const everything: Sources = siteOf(
  {
    "index.mdx": `---
title: Home
icon: house
---

import { Counter } from "/counter.jsx";

<Counter start={3} />

<Card title="Next" icon="rocket" href="/guides/next" />

<p className="mt-4 text-red-500">Utility</p>

$a^2$ costs {1 + 1}.

\`\`\`mermaid
graph LR; A-->B
\`\`\`

\`\`\`ts a.ts {1}
const a: number = 1;
\`\`\`
`,
    "guides/next.mdx": '---\ntitle: Next\nrss: true\n---\n\n<Update label="June">Text.</Update>\n',
    "counter.jsx":
      "export const Counter = ({ start }) => { const [n, set] = useState(start); return <button onClick={() => set(n + 1)}>{new Date(0).toLocaleString()} {n}</button>; };",
    "own.css": "p { color: teal }",
    "own.js": "window.own = 1;",
    "image.png": Uint8Array.from([137, 80, 78, 71]),
  },
  {
    styling: { codeblocks: "github-light" },
    background: { decoration: "gradient" },
    banner: { content: "Hi", dismissible: true },
    contextual: { options: ["copy", "view"] },
  },
);

/** Replaces the pages in `guides` and the navigation. */
function changePages(docs: string, names: readonly string[]): void {
  rmSync(path.join(docs, "guides"), { recursive: true });
  writeFiles(docs, Object.fromEntries(names.map((name) => [`guides/${name}.mdx`, `Text of ${name}.`])));
  const settings = JSON.parse(readFileSync(path.join(docs, "docs.json"), "utf8"));
  writeFiles(docs, {
    "docs.json": JSON.stringify({
      ...settings,
      navigation: { pages: ["index", ...names.map((name) => `guides/${name}`)] },
    }),
  });
}

/** Builds a site in this process or, if there are `options`, in one that is started with them. */
async function buildTo(
  out: string,
  docs: string,
  args: string[] = [],
  options?: RunOptions,
): Promise<string> {
  const command = ["build", docs, "--out", out, "--url", "https://docs.example.com", ...args];
  const { code, err } = await (options ? runOctavo(command, options) : runCli(command));
  expect(code, err).toBe(0);
  return out;
}

/** The content of a folder's files by path, as text for readable diffs. */
function tree(out: string): Record<string, string> {
  return Object.fromEntries(
    filesBelow(out).map((file) => [file, readFileSync(path.join(out, file)).toString("latin1")]),
  );
}

test("a file can replace a folder of an earlier build, and the other way around", async () => {
  const out = at("replaced-site");
  const page = { "index.mdx": "Text." };
  for (const name of ["a.txt/b.txt", "a.txt", "a.txt/b.txt/c.txt", "a.txt/b.txt"]) {
    const docs = at("replaced");
    rmSync(docs, { recursive: true, force: true });
    await buildTo(out, writeFiles(docs, siteOf({ ...page, [name]: name })));
    expect(readFileSync(path.join(out, name), "utf8")).toBe(name);
  }
});

describe("builds of the same input are identical", () => {
  test("in two folders, without a cache, and with a filled cache", async () => {
    const first = writeFiles(at("one"), everything);
    const second = writeFiles(at("two/deeper"), Object.fromEntries(Object.entries(everything).reverse()));
    const expected = tree(await buildTo(at("one-site"), first));
    expect(Object.keys(expected).length).toBeGreaterThan(15);
    // The first build ran in this process, and this one runs in a process of its own.
    expect(tree(await buildTo(at("two-site"), second, [], {}))).toEqual(expected);
    expect(tree(await buildTo(at("cold-site"), first, ["--no-cache"]))).toEqual(expected);
    expect(tree(await buildTo(at("warm-site"), first))).toEqual(expected);
  });

  test("with other file dates, another time zone and another language", async () => {
    const docs = writeFiles(at("zone"), everything);
    const expected = tree(await buildTo(at("zone-site"), docs, ["--no-cache"]));
    for (const file of filesBelow(docs)) utimesSync(path.join(docs, file), 1, 1);
    const env = { ...process.env, TZ: "Pacific/Auckland", LANG: "tr_TR.UTF-8", LC_ALL: "tr_TR.UTF-8" };
    expect(tree(await buildTo(at("zone-site-2"), docs, ["--no-cache"], { env }))).toEqual(expected);
  });

  test.each(["site.tar.gz", "site.zip"])("as an archive: %s", async (name) => {
    const docs = writeFiles(at("archive"), everything);
    for (const round of ["a", "b"]) {
      mkdirSync(at(round), { recursive: true });
      await runCli(["export", docs, "--output", at(`${round}/${name}`), "--no-cache"]);
    }
    expect(readFileSync(at(`a/${name}`)).equals(readFileSync(at(`b/${name}`)))).toBe(true);
  });

  test.each<[string, (docs: string, archive: string) => void]>([
    ["an edited page", (docs) => writeFiles(docs, { "guides/p3.mdx": "Other text." })],
    [
      "a new page, a removed page, and moved pages",
      (docs) => changePages(docs, ["p9", "p7", "p1", "new", "p2"]),
    ],
    ["an archive that another program replaced", (_, archive) => writeFileSync(archive, "other")],
    ["a missing archive", (_, archive) => rmSync(archive)],
  ])("as an archive after an earlier export, with %s", async (name, change) => {
    const docs = at(`earlier ${name}`);
    const pages = Object.fromEntries(
      Array.from({ length: 10 }, (_, number) => [`guides/p${number}.mdx`, `Text of page ${number}.`]),
    );
    writeFiles(docs, { ...everything, ...pages });
    const archive = at(`earlier ${name}.tar.gz`);
    const exported = async (file: string, ...args: string[]) => {
      const { code, err } = await runCli(["export", docs, "--output", file, ...args]);
      expect(code, err).toBe(0);
      return readFileSync(file);
    };
    await exported(archive);
    change(docs, archive);
    expect(
      (await exported(archive)).equals(
        await exported(at(`earlier ${name}, without a cache.tar.gz`), "--no-cache"),
      ),
    ).toBe(true);
  });

  const other = otherNode();
  if (!other)
    console.warn(
      "No other Node is here (OCTAVO_OTHER_NODE, or the npm package `node`), so the same bytes on two versions are not compared.",
    );
  test.skipIf(!other)("on another version of Node", async () => {
    const docs = writeFiles(at("node"), everything);
    const expected = tree(await buildTo(at("node-site"), docs, ["--no-cache"]));
    expect(tree(await buildTo(at("node-site-2"), docs, ["--no-cache"], { node: other }))).toEqual(expected);
  });
});

/**
 * Path of another Node executable, from the environment or the npm package `node`. Undefined if there is
 * none.
 */
function otherNode(): string | undefined {
  const named = process.env.OCTAVO_OTHER_NODE;
  if (named && existsSync(named)) return named;
  try {
    const bin = path.join(
      path.dirname(createRequire(path.join(root, "package.json")).resolve("node/package.json")),
      "bin/node",
    );
    return existsSync(bin) ? bin : undefined;
  } catch {
    return undefined;
  }
}

describe.each([
  ["a site with every feature", everything],
  ["a real repository", inCorpus(corpusOf.docs) ? readFiles(path.join(corpusOf.docs, "x402")) : undefined],
])("%s", (name, files) => {
  const out = at(`plain-${name}`);
  const pages = () => filesBelow(out).filter((file) => file.endsWith(".html"));

  test.skipIf(!files)("loads no external and no missing files", async () => {
    await runCli(["build", writeFiles(at(`docs-${name}`), files!), "--out", out]);
    const known = new Set(filesBelow(out));
    for (const file of pages()) {
      const html = readFileSync(path.join(out, file), "utf8");
      const loaded = findAll(
        parseHtml(html),
        ({ tag, attributes }) =>
          ["script", "img", "source", "video", "iframe"].includes(tag) ||
          (tag === "link" && /stylesheet|icon|preload|manifest/.test(attributes.rel ?? "")),
      );
      for (const { tag, attributes } of loaded) {
        const address = attributes.src ?? (tag === "link" ? attributes.href : undefined);
        if (address === undefined || address.startsWith("data:")) continue;
        if (
          tag === "img" &&
          /OMITTED|\.(?:png|jpe?g|gif|webp)$/.test(address) &&
          name === "a real repository"
        )
          continue;
        // "Page not found" is served at any depth, so its URLs start at the root.
        expect(address, `${file}: no absolute or foreign address`).not.toMatch(
          file === "404.html" ? /^(?:[a-z]+:|\/\/)/i : /^(?:[a-z]+:|\/)/i,
        );
        expect(known, `${file}: ${address}`).toContain(
          path.posix.join(path.posix.dirname(file), decodeURIComponent(address)).replace(/^\//, ""),
        );
      }
      expect(html).not.toMatch(/<script[^>]*type="module"/);
    }
    for (const file of filesBelow(out).filter((file) => /^_octavo\/.*\.css$/.test(file))) {
      for (const [, address] of readFileSync(path.join(out, file), "utf8").matchAll(/url\(["']?([^"')]+)/g))
        expect(address, file).toMatch(/^(?:data:|\.\.\/|[\w-]+\.woff2$|%23|#)/);
    }
  });

  test.skipIf(!files)("is readable without JavaScript", () => {
    for (const file of pages().filter((file) => !/^404|^_octavo\//.test(file))) {
      const html = readFileSync(path.join(out, file), "utf8");
      if (/http-equiv="refresh"/.test(html)) continue;
      const page = parseHtml(html);
      const words = textOf(parseHtml(mainOf(html))).replace(/\s+/g, " ");
      const source = readFileSync(path.join(out, file.replace(/\.html$/, ".md")), "utf8");
      const sentences = source.match(/^[A-Z][A-Za-z ,']{30,}\./gm) ?? [];
      for (const sentence of sentences)
        expect(words.replaceAll("’", "'"), file).toContain(sentence.replaceAll("’", "'"));
      const [sidebar] = findAll(page, ({ attributes }) => attributes.id === "sidebar");
      for (const link of findAll(sidebar!, ({ tag }) => tag === "a"))
        expect(link.attributes.href, `${file}: ${textOf(link)}`).toMatch(/./);
      expect(findAll(page, ({ attributes }) => attributes.id === "content-area")).toHaveLength(1);
    }
  });

  test.skipIf(!files)("every link in the page layout has a target", () => {
    const known = new Set(filesBelow(out));
    for (const file of pages()) {
      const page = parseHtml(readFileSync(path.join(out, file), "utf8"));
      const frame = findAll(page, ({ attributes }) =>
        ["sidebar", "navbar", "pagination", "footer"].includes(attributes.id ?? ""),
      );
      for (const link of frame.flatMap((part) => findAll(part, ({ tag }) => tag === "a"))) {
        const href = link.attributes.href ?? "";
        if (/^(?:https?:|mailto:|#)/.test(href)) continue;
        expect(known, `${file}: ${href}`).toContain(
          path.posix
            .join(path.posix.dirname(file), decodeURIComponent(href.replace(/[?#].*$/s, "")))
            .replace(/^\//, "") || "index.html",
        );
      }
    }
  });
});
