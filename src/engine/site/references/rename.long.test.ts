/** After a rename, real sites have the same problems as before, and only the places that must change do. */

import path from "node:path";
import { describe, expect, test } from "vitest";
import { readFiles } from "../../../../test/engine/build.ts";
import { corpusEntries, corpusOf } from "../../../../test/shared/corpus.ts";
import { numbers } from "../../../../test/shared/random.ts";
import { filesFrom } from "../../../base/files.ts";
import type { Problem } from "../../../base/problem.ts";
import { answerQuestion, type EditorQuestion } from "../../../builder/editor-answers.ts";
import { UnsavedStore } from "../../../builder/unsaved-texts.ts";
import { codeLinesOf } from "../../page/prepare-mdx.ts";
import { routeOfFile } from "../../paths.ts";
import { buildSite, type SiteBuild } from "../build-site.ts";
import { headingTextIn } from "./rename-heading.ts";
import type { SourceEdit } from "./source-edit.ts";

type Texts = Record<string, string>;

/** Number of pages and of headings that are renamed in each site, `OCTAVO_RENAMES`. Of a small number, all are. */
const sample_count = Number(process.env["OCTAVO_RENAMES"] ?? 3);
const small_count = 20;

const sites = ["x402", "turso", "fastmcp", "spree", "mintlify", "dify"]
  .map((name) => path.join(corpusOf.docs, name))
  .concat(["hanko", "kernel", "octo"].map((name) => path.join(corpusOf.moreDocs, name)));

class RenamedSite {
  readonly texts: Texts;
  private readonly store = new UnsavedStore(undefined);
  private before: SiteBuild | undefined;

  constructor(texts: Texts) {
    this.texts = texts;
  }

  async build(texts: Texts): Promise<SiteBuild> {
    return await buildSite(filesFrom(texts), { generator: "test", clock: Date.now, store: this.store });
  }

  async first(): Promise<SiteBuild> {
    return (this.before ??= await this.build(this.texts));
  }

  async answer(question: EditorQuestion): Promise<SourceEdit[]> {
    const { edits, refusal } = await answerQuestion(
      question,
      filesFrom(this.texts),
      await this.first(),
      async (files) =>
        (await buildSite(files, { generator: "test", clock: Date.now, store: this.store })).site.pages,
    );
    expect(refusal).toBeUndefined();
    return edits!;
  }
}

/** Applies edits, which must not overlap. */
function applied(texts: Texts, edits: readonly SourceEdit[]): Texts {
  const next = { ...texts };
  for (const file of new Set(edits.map((edit) => edit.file))) {
    const starts = [0];
    const text = next[file]!;
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
    const offset = (line: number, column: number) => starts[line - 1]! + column - 1;
    const ranges = edits
      .filter((edit) => edit.file === file)
      .map((edit) => ({
        ...edit,
        start: offset(edit.line, edit.column),
        end: offset(edit.endLine, edit.endColumn),
      }))
      .sort((a, b) => b.start - a.start || b.end - a.end);
    let changed = text;
    let last = Number.POSITIVE_INFINITY;
    for (const { start, end, text: own } of ranges) {
      expect(end, `${file} ${own}`).toBeLessThanOrEqual(last);
      changed = changed.slice(0, start) + own + changed.slice(end);
      last = start;
    }
    next[file] = changed;
  }
  return next;
}

function moved(texts: Texts, moves: readonly (readonly [string, string])[]): Texts {
  const to = new Map(moves);
  return Object.fromEntries(Object.entries(texts).map(([file, text]) => [to.get(file) ?? file, text]));
}

/** The problems with the texts of their lines, so that lines that move don't matter. */
function problemsOf(problems: readonly Problem[], texts: Texts, rename: (text: string) => string): string[] {
  return problems
    .map(({ file, line, code, message }) => {
      const text = line === undefined ? "" : (texts[file]?.split("\n")[line - 1] ?? "");
      return rename(`${code} ${file}: ${message}: ${text}`);
    })
    .sort();
}

/**
 * Whether the pages have the URL that a problem names. Others are composed by code. Entries in parts of
 * docs.json that have no effect don't change.
 */
function isWritten({ message }: Problem, texts: Texts): boolean {
  const url = / not found(?: on \S+)?: (?:\/|#)?([^\s,#]*)/.exec(message)?.[1];
  return (
    url === undefined ||
    Object.entries(texts).some(([file, text]) => file !== "docs.json" && text.includes(url))
  );
}

describe.each(sites.map((folder) => [path.basename(folder), folder]))("%s", (_, folder) => {
  const isMissing = !corpusEntries(folder).includes("docs.json");
  const texts = Object.fromEntries(
    Object.entries(isMissing ? {} : readFiles(folder)).map(([file, text]) => [
      file,
      text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n"),
    ]),
  );
  const site = new RenamedSite(texts);
  const pageFiles = async () =>
    [...(await site.first()).site.pages.values()]
      .filter((page) => page.storedName === page.file)
      .map(({ file }) => file);

  test.skipIf(isMissing)("keeps its problems when pages move", { timeout: 900_000 }, async () => {
    const { problems } = await site.first();
    for (const [index, file] of sampled(await pageFiles(), 1).entries()) {
      const to = newPath(file, index);
      const edits = await site.answer({ ask: "move", moves: [[file, to]] });
      const shown = `${file} -> ${to}\n${JSON.stringify(edits, null, 1)}`;
      const rename = renamer(file, to);
      const expected = problemsOf(problems, texts, rename);
      const problemsWith = async (some: readonly SourceEdit[]) => {
        const after = moved(applied(texts, some), [[file, to]]);
        const { problems: found } = await site.build(after);
        const written = found.filter((problem) => isWritten(problem, after));
        return {
          all: problemsOf(found, after, rename),
          written: problemsOf(written, after, rename),
        };
      };
      expect((await problemsWith(edits)).all, shown).toEqual(expected);

      // The redirect is only needed for URLs that code composes, and every other edit is needed.
      const own = edits.filter(({ text }) => !text.includes('"source":'));
      const before = problems.filter((problem) => isWritten(problem, texts));
      expect((await problemsWith(own)).written, `without redirect: ${shown}`).toEqual(
        problemsOf(before, texts, rename),
      );
      for (const left of sampled(own, 3).slice(0, 2))
        expect(
          (await problemsWith(own.filter((edit) => edit !== left))).all,
          `without ${JSON.stringify(left)}: ${shown}`,
        ).not.toEqual(expected);
    }
  });

  test.skipIf(isMissing)("keeps its problems when headings change", { timeout: 900_000 }, async () => {
    const { problems } = await site.first();
    const headings = (await pageFiles()).flatMap((file) => {
      const lines = texts[file]!.split("\n");
      const code = codeLinesOf(lines);
      return lines.flatMap((line, index) =>
        /^#{2,4} /.test(line) && headingTextIn(line) && !code.has(index + 1) ? [{ file, line: index }] : [],
      );
    });
    for (const { file, line } of sampled(headings, 2)) {
      const edits = await site.answer({ ask: "heading", file, line, title: "Zz another heading" });
      const after = applied(texts, edits);
      const [own, now] = [texts, after].map((all) => all[file]!.split("\n")[line]!);
      const rename = (text: string) =>
        text
          .replaceAll(own!, "§")
          .replaceAll(now!, "§")
          .replace(/#[^\s)"',]+/g, "#");
      const { problems: found } = await site.build(after);
      expect(problemsOf(found, after, rename), `${file}:${line + 1}\n${JSON.stringify(edits)}`).toEqual(
        problemsOf(problems, texts, rename),
      );
    }
  });
});

/** Moves pages down, up, and within their folder. */
function newPath(file: string, index: number): string {
  const folder = file.slice(0, file.lastIndexOf("/") + 1);
  const name = file.slice(folder.length).replace(/^index\./, "start.");
  return `${["zz-renamed/deeper/", "zz-renamed/", folder][index % 3]!}zz-${name}`;
}

/** Returns a function that removes the names of a page from a text. */
function renamer(from: string, to: string): (text: string) => string {
  const names = [to, from]
    .flatMap((file) => [file.replace(/\.mdx?$/, ""), routeOfFile(file)])
    .filter((name) => name !== "");
  return (text) =>
    names.reduce((all, name) => all.replaceAll(name, "§"), text).replace(/(?:\.\.?\/)*[\w./-]*§/g, "§");
}

function sampled<Item>(items: readonly Item[], seed: number): Item[] {
  const random = numbers(seed);
  const left = [...items];
  return Array.from(
    { length: left.length <= small_count ? left.length : sample_count },
    () => left.splice(random(left.length), 1)[0]!,
  );
}
