/**
 * npm run bench -- --meaning FOLDER [--sections 10000] Cost of search by meaning with the package
 * octavo-semantic in this folder: time that a question takes in the engine, with and without it, and time and
 * size of the vectors of a site with this many sections. The vectors of a sample are computed.
 */

import { availableParallelism } from "node:os";
import { setImmediate } from "node:timers/promises";
import { embeddedTexts } from "../src/engine/search/embedded-text.ts";
import type { IndexedPage } from "../src/engine/search/index-segment.ts";
import { similarPassages } from "../src/engine/search/meaning.ts";
import {
  PassageVectors,
  quantized,
  type VectorRow,
  writeParts,
} from "../src/engine/search/passage-vectors.ts";
import { SearchIndex } from "../src/engine/search/search-index.ts";
import { openLocalEmbedder } from "../src/io/local-embedder.ts";
import { buildIndex } from "../test/engine/build-index.ts";
import { page } from "./corpus.ts";
import { median } from "./workspace.ts";

const questions = [
  "how to fetch the worker queue",
  "enable gateway filter for webhook",
  "why does my deployment fail to load the schema report",
  "what is an umbra lattice",
  "send the customer an invoice again",
];
/** Number of passages whose vectors are computed. The other passages get the same vectors. */
const sample_count = 300;
const sectionsOfPage_count = 10;
const rounds = 20;

export async function benchMeaning(folder: string, sections_count: number): Promise<void> {
  const embedder = await openLocalEmbedder(folder);
  const parts = buildIndex(pagesWith(sections_count), "en");
  const load = async (name: string) => parts.get(name)!;
  const passages: { number: number; text: string }[] = [];
  for await (const passage of embeddedTexts(load)) passages.push(passage);
  console.log(
    `Node ${process.versions.node}, ${availableParallelism()} cores; ${sections_count} sections, ${passages.length} passages\n`,
  );

  const loading = performance.now();
  await embedder.embedQuestion("first");
  console.log(`Loading the model: ${((performance.now() - loading) / 1_000).toFixed(1)} s`);
  const start = performance.now();
  const sample = await embedder.embedPassages(passages.slice(0, sample_count).map(({ text }) => text));
  const passage_ms = (performance.now() - start) / sample.length;
  const cold_min = (passage_ms * passages.length) / 60_000;
  console.log(
    `Vectors: ${passage_ms.toFixed(1)} ms per passage, ${cold_min.toFixed(1)} minutes for the whole site`,
  );
  const rows = new Map<number, VectorRow>();
  for (const [place, { number }] of passages.entries())
    rows.set(number, {
      hash: (place + 1).toString(16).padStart(16, "0"),
      vector: quantized(sample[place % sample.length]!),
    });
  const written = writeParts({ model: embedder.model, dimensions: sample[0]!.length }, rows);
  console.log(
    `Stored vectors: ${(written.reduce((sum, { length }) => sum + length, 0) / 1e6).toFixed(1)} MB in ${written.length} files\n`,
  );

  const vectors = new PassageVectors(written);
  const index = await SearchIndex.open(load);
  const steps = {
    "by words": async (text: string) => void (await index.search({ text, limit: 12 })),
    "vector of the question": async (text: string) => void (await embedder.embedQuestion(text)),
    "by words and meaning": async (text: string) => {
      const [similar] = await similarPassages([vectors], await embedder.embedQuestion(text), setImmediate);
      await index.search({ text, limit: 12, similar });
    },
  };
  console.log("| median time of a question | ms |\n| --- | --- |");
  for (const [name, step] of Object.entries(steps)) {
    const times: number[] = [];
    for (let round = 0; round < rounds; round++)
      for (const text of questions) {
        const begin = performance.now();
        await step(text);
        times.push(performance.now() - begin);
      }
    console.log(`| ${name} | ${median(times).toFixed(1)} |`);
  }
}

function pagesWith(sections_count: number): IndexedPage[] {
  const pages_count = Math.ceil(sections_count / sectionsOfPage_count);
  return Array.from({ length: pages_count }, (_, number) => {
    const words = page(number, pages_count, "octavo")
      .replace(/[#`|<>]/g, " ")
      .split(/\s+/);
    const size = Math.ceil(words.length / sectionsOfPage_count);
    const sections = Array.from({ length: sectionsOfPage_count }, (_, place) => ({
      anchor: `section-${place}`,
      headings: [`${words[place * size]} ${words[place * size + 1]}`],
      text: words.slice(place * size, (place + 1) * size).join(" "),
    }));
    return {
      route: `page-${number}`,
      title: `Page ${number}`,
      breadcrumbs: [],
      keywords: [],
      boost: 1,
      sections,
    };
  });
}
