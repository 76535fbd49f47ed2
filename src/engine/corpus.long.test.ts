/**
 * Tests that real documentation repositories, and our own documentation, build unchanged: no crash, no
 * missing page, only the expected errors, and every URL in the search index exists. The corpus is in a folder
 * next to this repository. Without the corpus, its tests are skipped.
 */

import { cpSync, existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import ignore from "ignore";
import { describe, expect, test } from "vitest";
import { filesBelow, root, runOctavo, temporaryFolder } from "../../test/engine/build.ts";
import { sectionsIn } from "../../test/engine/open-index.ts";
import { corpusOf, inCorpus } from "../../test/shared/corpus.ts";

/** Expected error codes of each repository, with the mistake in the repository that causes the error. */
const realMistakes: Record<string, Record<string, string>> = {
  docs: {},
  dify: {},
  fastmcp: {
    "mdx-syntax": "python-sdk/fastmcp-cli-client.mdx shows a dictionary in braces, outside of code",
  },
  mintlify: {
    "missing-import": "pages import .jsx files, which the corpus leaves out",
    "component-failed": "a component that stands beside such an import",
    "openapi-operation-missing": "translated pages name a translated document that lacks the operation",
  },
  spree: {
    "openapi-dead-ref": "api-reference/store.yaml refers to a schema AdminUser, which it does not hold",
  },
  turso: {},
  x402: {},
};

interface Found {
  code: string;
  severity: string;
  message: string;
  file: string;
  line: number | null;
}

describe.each(Object.keys(realMistakes))("%s", (name) => {
  const source = name === "docs" ? path.join(root, "docs") : path.join(corpusOf.docs, name);
  const folder = temporaryFolder();
  const docs = path.join(folder, "docs");
  const out = path.join(folder, "site");
  const isHere = name === "docs" || inCorpus(corpusOf.docs);

  test.skipIf(!isHere)(
    "check and build end by themselves, and no page is lost",
    { timeout: 900_000 },
    async () => {
      cpSync(source, docs, { recursive: true });
      const checked = await runOctavo(["check", docs, "--json"], { atMost_ms: 400_000 });
      const built = await runOctavo(["build", docs, "--out", out, "--json"], { atMost_ms: 400_000 });
      expect([0, 1], checked.err).toContain(checked.code);
      expect([0, 1], built.err).toContain(built.code);
      const { pages, problems } = JSON.parse(checked.out) as { pages: number; problems: Found[] };
      const figures = JSON.parse(built.out);

      const files = new Set(filesBelow(out));
      const listed = entriesOf(readJson(docs, "docs.json")).map(routeOf);
      const documents = pagesOf(docs);
      const found = listed.filter((route) => documents.has(route));
      const counts = {
        pages,
        listed: listed.length,
        found: found.length,
        megabytes: Math.round(figures.bytes / 1e5) / 10,
        seconds: figures.seconds,
        ...figures.problems,
      };
      console.log(
        `${name}: ${Object.entries(counts)
          .map(([word, value]) => `${value} ${word}`)
          .join(", ")}\n  ${tally(problems)}`,
      );

      expect(found.length).toBeGreaterThan(0);
      expect(
        found.filter((route) => !files.has(htmlOf(route))),
        "entries of the navigation without their page",
      ).toEqual([]);
      expect(
        [...documents].filter((route) => !files.has(htmlOf(route))),
        "documents without their page",
      ).toEqual([]);
      expect(problems.filter(({ code }) => code === "page-crashed")).toEqual([]);
      const errors = problems.filter(
        ({ severity, code }) => severity === "error" && !Object.hasOwn(realMistakes[name]!, code),
      );
      expect(errors.map(({ code, file, line, message }) => `${code} ${file}:${line} ${message}`)).toEqual([]);
    },
  );

  test.skipIf(!isHere)("every section that search can find has its anchor on the page", () => {
    const site = {
      paths: filesBelow(out),
      read: (file: string) => readFileSync(path.join(out, file), "utf8"),
    };
    const languages = readdirSync(path.join(out, "_octavo/search"));
    const idsOf = new Map<string, Set<string>>();
    let sections = 0;
    const dead = languages.flatMap((language) =>
      sectionsIn(site, language).flatMap(({ route, anchor }) => {
        sections++;
        let ids = idsOf.get(route);
        if (!ids) {
          const html = site.read(`${route || "index"}.html`);
          idsOf.set(
            route,
            (ids = new Set([...html.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => decoded(id!)))),
          );
        }
        return anchor === "" || ids.has(anchor) ? [] : [`${route}#${anchor}`];
      }),
    );
    expect(sections).toBeGreaterThan(50);
    expect(dead).toEqual([]);
  });
});

function decoded(text: string): string {
  return text
    .replaceAll("&quot;", '"')
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");
}

/** Counts problems by severity and code: `error mdx-syntax 3, warning dead-link 20`. */
function tally(problems: readonly Found[]): string {
  const counts = new Map<string, number>();
  for (const { severity, code } of problems)
    counts.set(`${severity} ${code}`, (counts.get(`${severity} ${code}`) ?? 0) + 1);
  return [...counts].map(([what, count]) => `${what} ${count}`).join(", ");
}

function readJson(docs: string, file: string): unknown {
  return follow(JSON.parse(readFileSync(path.join(docs, file), "utf8")), docs, path.posix.dirname(file));
}

/** Replaces each `$ref` with the content of its file. */
function follow(value: unknown, docs: string, folder: string): unknown {
  if (Array.isArray(value)) return value.map((item) => follow(item, docs, folder));
  if (typeof value !== "object" || value === null) return value;
  const { $ref, ...rest } = value as Record<string, unknown>;
  const own = Object.fromEntries(
    Object.entries(rest).map(([key, item]) => [key, follow(item, docs, folder)]),
  );
  if (typeof $ref !== "string") return own;
  const target = readJson(docs, path.posix.join(folder, $ref));
  return typeof target === "object" && !Array.isArray(target) ? { ...target, ...own } : target;
}

/** All page entries of a navigation. */
function entriesOf(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => {
    if (key === "root" && typeof item === "string") return [item];
    if (key === "pages" && Array.isArray(item))
      return item.flatMap((entry) => (typeof entry === "string" ? [entry] : entriesOf(entry)));
    return entriesOf(item);
  });
}

function routeOf(entry: string): string {
  return entry
    .trim()
    .replace(/^(?:\.?\/)+|\/+$/g, "")
    .replace(/\.mdx?$/, "")
    .replace(/(?:^|\/)index$/, "");
}

function htmlOf(route: string): string {
  return `${route || "index"}.html`;
}

/** Routes of all pages: `.md` and `.mdx` files that are not snippets and not excluded by an ignore file. */
function pagesOf(docs: string): Set<string> {
  const files = filesBelow(docs).filter(
    (file) => /\.mdx?$/.test(file) && !/(?:^|\/)(?:\.|_?snippets\/)/.test(file),
  );
  // Files about the repository are pages only if the navigation lists them.
  const about = ["readme", "license", "contributing", "contribute", "code_of_conduct", "agents", "claude"];
  const rules = ignore().add([
    "/CHANGELOG.md",
    ...about.flatMap((name) => [`${name}.md`, `${name}.mdx`]),
    "skill.md",
  ]);
  if (existsSync(path.join(docs, ".mintignore")))
    rules.add(readFileSync(path.join(docs, ".mintignore"), "utf8"));
  const imported = new Set(
    filesBelow(docs)
      .filter((file) => /\.mdx?$/.test(file))
      .flatMap((file) =>
        [
          ...readFileSync(path.join(docs, file), "utf8").matchAll(
            /^import\s.*?from\s+["']([^"']+\.mdx?)["']/gm,
          ),
        ].map(([, target]) =>
          path.posix
            .join(target!.startsWith("/") ? "" : path.posix.dirname(file), target!)
            .replace(/^\//, ""),
        ),
      ),
  );
  return new Set(files.filter((file) => !rules.ignores(file) && !imported.has(file)).map(routeOf));
}
