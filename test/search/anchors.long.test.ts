/** h (assistant-retrieval.md): every address that the search or the assistant can give leads to a place on its page. */
import { readdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { buildSiteFrom, readFiles, root } from "../build.ts";
import { corpusOf, inCorpus } from "../shared/corpus.ts";
import { sectionsIn } from "./open-index.ts";

const sites = [
  path.join(root, "docs"),
  ...(inCorpus(corpusOf.docs) ? readdirSync(corpusOf.docs).map((name) => path.join(corpusOf.docs, name)) : []),
];

describe.each(sites)("%s", async (folder) => {
  test("every section that can be found has its place on the page", async () => {
    const site = await buildSiteFrom(readFiles(folder));
    const languages = new Set(site.paths.flatMap((at) => /^_octavo\/search\/([\w-]+)\/head\.js$/.exec(at)?.[1] ?? []));
    const dead: string[] = [];
    let sections = 0;
    for (const language of languages) {
      const ids = new Map<string, Set<string>>();
      for (const { route, anchor } of sectionsIn(site, language)) {
        sections++;
        let known = ids.get(route);
        if (!known) {
          const html = site.read(`${route || "index"}.html`);
          ids.set(route, (known = new Set([...html.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => plain(id!)))));
        }
        if (anchor !== "" && !known.has(anchor)) dead.push(`${route}#${anchor}`);
      }
    }
    expect(sections).toBeGreaterThan(50);
    expect(dead).toEqual([]);
  }, 300_000);
});

function plain(text: string): string {
  return text.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&#39;", "'").replaceAll("&amp;", "&");
}
