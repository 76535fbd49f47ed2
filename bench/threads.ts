/** Builds generated sites with one and with several threads, in turns. */

import path from "node:path";
import { writeCorpus } from "./corpus.ts";
import { type Cost, measure } from "./measure.ts";
import { discard, environment, median, root, work } from "./workspace.ts";

/** Numbers of pages. With fewer than 200, a build uses one thread. */
const sizes = [100, 200, 400, 1_000];

export async function benchThreads(rounds_count: number, threads_count: number): Promise<void> {
  console.log("| Pages | Threads | Wall time s | CPU s | Peak MB |\n| --- | --- | --- | --- | --- |");
  for (const pages of sizes) {
    const folder = path.join(work, `threads-${pages}`);
    discard(folder);
    writeCorpus(folder, pages, "octavo");
    const counts = [1, threads_count];
    const costs = counts.map((): Cost[] => []);
    for (let round = 0; round < rounds_count; round++)
      for (const [index, count] of counts.entries()) costs[index]!.push(await build(folder, count));
    for (const [index, count] of counts.entries()) {
      const middle = (key: "wall_s" | "cpu_s" | "peak_mb") => median(costs[index]!.map((cost) => cost[key]));
      console.log(
        `| ${pages} | ${count} | ${middle("wall_s").toFixed(2)} | ${middle("cpu_s").toFixed(2)} | ${middle("peak_mb").toFixed(0)} |`,
      );
    }
  }
}

async function build(folder: string, threads: number): Promise<Cost> {
  const out = `${folder}-out`;
  discard(out);
  const command = `"${process.execPath}" "${path.join(root, "bin/octavo.js")}" build . --out "${out}" --no-cache --threads ${threads}`;
  const cost = await measure(command, { cwd: folder, env: environment(process.execPath) });
  if (cost.code) console.error(`Exit code ${cost.code}`);
  return cost;
}
