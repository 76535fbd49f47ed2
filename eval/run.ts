/**
 * npm run eval -- retrieval | answerable | category | answer | own | readers | titles | quotes [--embedder
 * FOLDER | URL#NAME] Measures search and the assistant without a model, with 95 % confidence intervals, and
 * lists the questions whose result differs from the previous run. With `--embedder`, also compares meanings
 * (vectors.ts).
 */

import path from "node:path";
import { parseArgs } from "node:util";
import { evalAnswer } from "./answer.ts";
import { evalAnswerable } from "./answerable.ts";
import { evalCategory } from "./category.ts";
import { evalOwn, evalReaders } from "./own.ts";
import { evalQuotes } from "./quotes.ts";
import { printReports, type Report } from "./report.ts";
import { evalRetrieval } from "./retrieval.ts";
import { corpus, hasSets, root } from "./sets.ts";
import { evalTitles } from "./titles.ts";
import { useEmbedder } from "./vectors.ts";

const commands: Record<string, () => Promise<Report[]>> = {
  retrieval: evalRetrieval,
  answerable: evalAnswerable,
  category: evalCategory,
  answer: evalAnswer,
  own: evalOwn,
  readers: evalReaders,
  titles: evalTitles,
  quotes: evalQuotes,
};

const { positionals: wanted, values } = parseArgs({
  allowPositionals: true,
  options: { embedder: { type: "string" } },
});
const unknown = wanted.find((name) => !Object.hasOwn(commands, name));
if (wanted.length === 0 || unknown !== undefined) {
  console.error(`Usage: npm run eval -- ${Object.keys(commands).join(" | ")}`);
  process.exitCode = 2;
} else if (!hasSets()) {
  console.log(`The question sets are not here: they belong in ${path.relative(root, corpus)}.`);
} else {
  if (values.embedder !== undefined) await useEmbedder(values.embedder);
  for (const name of wanted)
    printReports(
      await commands[name]!(),
      path.join(root, ".octavo", values.embedder === undefined ? "eval" : "eval-meaning"),
    );
}
