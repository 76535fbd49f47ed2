/** Opens every page of our own documentation and of a real repository from disk. */

import { cpSync } from "node:fs";
import path from "node:path";
import { root, temporaryFolder } from "../engine/build.ts";
import { corpusOf, inCorpus } from "../shared/corpus.ts";
import { describePages } from "./every-page.ts";

const folder = temporaryFolder();

/** Copies a folder, since a build writes its cache to the documentation folder. */
function copy(from: string, name: string): string {
  cpSync(from, path.join(folder, name), { recursive: true });
  return path.join(folder, name);
}

describePages("our own documentation", {
  docs: copy(path.join(root, "docs"), "own"),
  looked: [
    "index.html",
    "how-it-works.html",
    "components/cards.html",
    "components/tabs.html",
    "reference/settings.html",
  ],
});

describePages("a real repository", {
  docs: inCorpus(corpusOf.docs) ? copy(path.join(corpusOf.docs, "x402"), "x402") : undefined,
  looked: ["introduction.html"],
  isTrimmed: true,
});
