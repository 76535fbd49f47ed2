/**
 * Searches real documentation sites for the title of each of their pages. The page must be found first; pages
 * with the same title count as one.
 */

import { readdirSync } from "node:fs";
import path from "node:path";
import type { Head, PageRecord } from "../src/engine/search/index-format.ts";
import { normalizedName } from "../src/engine/search/terms.ts";
import { searchFilePath } from "../src/layout/site-layout.ts";
import { bootstrap, mean } from "./measures.ts";
import type { CaseResult, Report } from "./report.ts";
import { corpus } from "./sets.ts";
import { buildDocs, openSiteIndex, readIndexFile } from "./sites.ts";

interface TitleCase {
  language: string;
  route: string;
  title: string;
  /** The first page that is found. */
  first: { route: string; title: string } | undefined;
  isFirst: boolean;
}

const docs = path.resolve(corpus, "../docs");

export async function evalTitles(): Promise<Report[]> {
  const reports: Report[] = [];
  for (const name of readdirSync(docs).sort()) {
    const cases = await titleCases(buildDocs(`titles-${name}`, path.join(docs, name)));
    reports.push({
      title: `Titles as queries on ${name}, ${cases.length} pages`,
      figures: [
        {
          name: "first page",
          value: bootstrap(cases, (drawn) => mean(drawn.map(({ isFirst }) => Number(isFirst)))),
        },
      ],
      cases: cases.map(({ language, route, title, first, isFirst }): CaseResult => {
        const result = isFirst ? "first" : `after "${first?.title}" (${first?.route})`;
        return { id: `${language} ${route}`, question: title, result, value: Number(isFirst) };
      }),
    });
  }
  return reports;
}

async function titleCases(site: string): Promise<TitleCase[]> {
  const languages = readdirSync(path.join(site, path.dirname(searchFilePath("head", { language: "." }))));
  const cases: TitleCase[] = [];
  for (const language of languages) {
    const index = await openSiteIndex(site, language);
    const { sections } = JSON.parse(readIndexFile(site, language, "head") as string) as Head;
    for (let part = 0; part < sections.length; part++)
      for (const [route, title] of JSON.parse(
        readIndexFile(site, language, `d${part}`) as string,
      ) as PageRecord[]) {
        const { hits } = await index.search({ text: title, limit: 1 });
        const isFirst = hits[0] !== undefined && normalizedName(hits[0].title) === normalizedName(title);
        cases.push({ language, route, title, first: hits[0], isFirst });
      }
  }
  return cases;
}
