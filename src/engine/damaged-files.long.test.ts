/**
 * Tests that a site with damaged files is built: no exception, each damaged page is in the site or has a
 * problem, and the pages beside it stay the same. The files are pages, snippets, settings and OpenAPI
 * documents of real repositories.
 */

import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { buildSiteFrom, filesBelow, mainOf, root, type Sources, siteOf } from "../../test/engine/build.ts";
import { damaged } from "../../test/engine/mutate.ts";
import { corpusEntries, corpusOf } from "../../test/shared/corpus.ts";
import { numbers } from "../../test/shared/random.ts";

const filesPerSite = 20;
const repositories = [
  path.join(root, "docs"),
  ...[corpusOf.docs, corpusOf.moreDocs].flatMap((folder) =>
    corpusEntries(folder).map((name) => path.join(folder, name)),
  ),
];

/** Texts of files with one of the extensions and at most 60,000 characters. */
function textsOf(extensions: RegExp): string[] {
  return repositories.flatMap((folder) =>
    filesBelow(folder)
      .filter((file) => extensions.test(file))
      .slice(0, 60)
      .map((file) => readFileSync(path.join(folder, file), "utf8"))
      .filter((text) => text !== "" && text.length < 60_000),
  );
}

const pages = textsOf(/\.mdx?$/);
const settings = textsOf(/(?:^|\/)docs\.json$/);
const documents = textsOf(/(?:openapi|api|swagger)[^/]*\.(?:json|ya?ml)$/i);

const sound = {
  "sound/first.mdx": "---\ntitle: First\n---\n\nA sound page.\n\n## Section\n\n<Note>Text</Note>",
  "sound/second.mdx": "---\ntitle: Second\n---\n\n[First](/sound/first#section)",
};

interface Damaged {
  files: Sources;
  settings?: string;
}

/** Twenty damaged pages, snippets and OpenAPI documents. Each fifth site has damaged settings. */
function damagedSite(seed: number): Damaged {
  const random = numbers(seed);
  const one = (texts: string[]) => texts[random(texts.length)] ?? "{}";
  const files: Sources = { "index.mdx": "Home" };
  for (let index = 0; index < filesPerSite; index++) {
    const kind = random(10);
    const [file, texts] =
      kind === 0
        ? [`api-${index}.${random(2) ? "json" : "yaml"}`, documents]
        : [kind === 1 ? `snippets/part-${index}.mdx` : `page-${index}.mdx`, pages];
    files[file] = damaged(one(texts), one(texts), random);
    if (kind === 1) files[`user-${index}.mdx`] = `import Part from "/${file}";\n\n<Part />`;
  }
  return random(5) ? { files } : { files, settings: damaged(one(settings), one(settings), random) };
}

/** Builds a site and all its files. Returns what must not be. */
async function faultsOf({ files, settings: changed }: Damaged): Promise<string[]> {
  const sources = siteOf(
    { ...sound, ...files },
    {
      api: { openapi: Object.keys(files).filter((file) => file.startsWith("api-")) },
    },
  );
  const site = await buildSiteFrom(changed === undefined ? sources : { ...sources, "docs.json": changed });
  for (const file of site.paths) site.bytes(file);

  const found: string[] = [];
  for (const { code, message } of site.problems)
    if (!/^[^\n]{5,500}$/.test(message) || /went wrong|unexpected error/i.test(message))
      found.push(`${code}: ${message.slice(0, 300)}`);
  const reported = new Set(site.problems.map(({ file }) => file));
  for (const file of Object.keys(files).filter((name) => /^(?:page|user)-/.test(name))) {
    const page = file.replace(/\.mdx$/, "");
    if (!site.paths.includes(`${page}.html`) && !reported.has(file)) found.push(`${file} is lost`);
  }
  for (const [file, text] of Object.entries({ first: "A sound page.", second: "#section" }))
    if (changed === undefined && !mainOf(site.read(`sound/${file}.html`)).includes(text))
      found.push(`sound/${file} changed`);
  return found;
}

const seeds = Number(process.env.DAMAGED_SITES ?? 100);

describe.each(Array.from({ length: Math.ceil(seeds / 10) }, (_, index) => index * 10))("sites %i", (from) => {
  test(`${10 * filesPerSite} damaged files`, { timeout: 600_000 }, async () => {
    const wrong: Record<number, string[]> = {};
    for (let seed = from + 1; seed <= from + 10; seed++) {
      const found = await faultsOf(damagedSite(seed)).catch((error: Error) => [error.stack ?? error.message]);
      if (found.length) wrong[seed] = found.slice(0, 5);
    }
    expect(wrong).toEqual({});
  });
});
