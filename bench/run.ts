/**
 * npm run bench [-- --pages 1000] [--only Octavo,Hugo] [--rounds 3] Builds the same generated pages with
 * Octavo and other tools, cold and after one edit. The tools take turns. Prints the medians. npm run bench --
 * --versioned Builds a generated site of 24,640 pages (4 languages, 35 versions), cold and after one edit.
 * npm run bench -- --threads 2 [--rounds 3] Builds generated sites of several sizes with one thread, and with
 * this many. npm run bench -- --openapi [--only Octavo,Zudoku] Builds large OpenAPI descriptions with Octavo
 * and other tools. npm run bench -- --conversations [--rows 1000000] Response time of the conversation
 * export, compared with the plain SQL query. npm run bench -- --hosting [--seconds 30] Response time of a
 * hosted page at 1,000 requests per second, compared with the same bytes from a plain Node server. npm run
 * bench -- --serve [--rounds 3] CPU per request of a hosted site, compared with a plain Node server, Caddy, and
 * nginx. npm run
 * bench -- --bundle Time until a bundle server with a bundle of 50 MB is ready, compared with tar and
 * sha256sum. npm run bench -- --search [--pages 1000] Search on a large site: size of the index, and time
 * that a query takes in the engine and over HTTP. npm run bench -- --meaning FOLDER [--sections 10000] Cost
 * of search by meaning with the package octavo-semantic in this folder: per question, and for the vectors of
 * a site. npm run bench -- --traffic [--rows 1000000] Response time of the analytics API with this many page
 * views. npm run bench -- --dashboard [--rows 1000000] Response time of every dashboard page, for an
 * organization with this many conversations. npm run bench -- --export [--pages 1000] Time that a static
 * export through the API takes, and a second export after an edit, compared with packing alone. npm run bench
 * -- --service [--rows 100000] Memory of the service: idle, and while conversations are imported. npm run
 * bench -- --sites [--rows 100000] A web process with many sites: startup time, memory, first requests, the
 * time until a change is served, and the cost of 1,000 sites.
 */

import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { benchBundleServer } from "./bundle-server.ts";
import { benchConversations } from "./conversations.ts";
import { routeOf, versionedRoute, writeCorpus, writeVersionedCorpus } from "./corpus.ts";
import { benchDashboard } from "./dashboard.ts";
import { benchExport } from "./export.ts";
import { benchHosting } from "./hosting.ts";
import { benchManySites } from "./many-sites.ts";
import { benchMeaning } from "./meaning.ts";
import { type Cost, measure } from "./measure.ts";
import { benchOpenApi } from "./openapi.ts";
import { layOut, type Peer, peers } from "./peers.ts";
import { benchSearch } from "./search.ts";
import { benchServiceMemory } from "./service-memory.ts";
import { benchServing } from "./serving.ts";
import { benchThreads } from "./threads.ts";
import { benchTraffic } from "./traffic.ts";
import {
  discard,
  environment,
  install,
  median,
  newerNode,
  root,
  sizesBelow,
  sum,
  work,
} from "./workspace.ts";

interface Row {
  name: string;
  pages: number;
  cold: Cost;
  edited: Cost;
  html: { raw: number; gzip: number };
  total_mb: number;
}

const { values } = parseArgs({
  options: {
    pages: { type: "string", default: "1000" },
    only: { type: "string" },
    rounds: { type: "string", default: "3" },
    versioned: { type: "boolean" },
    threads: { type: "string" },
    openapi: { type: "boolean" },
    conversations: { type: "boolean" },
    rows: { type: "string" },
    dashboard: { type: "boolean" },
    hosting: { type: "boolean" },
    serve: { type: "boolean" },
    export: { type: "boolean" },
    service: { type: "boolean" },
    sites: { type: "boolean" },
    bundle: { type: "boolean" },
    search: { type: "boolean" },
    meaning: { type: "string" },
    sections: { type: "string", default: "10000" },
    traffic: { type: "boolean" },
    seconds: { type: "string", default: "30" },
  },
});
const pages = Number(values.pages);
const rowsOr = (normal: number) => Number(values.rows ?? normal);
const wanted = values.only?.toLowerCase().split(",");
const isWanted = (name: string) => !wanted || wanted.includes(name.toLowerCase());

mkdirSync(work, { recursive: true });
const rows: Row[] = [];
let node = process.execPath;
if (values.versioned) await benchVersioned();
else if (values.threads !== undefined) await benchThreads(Number(values.rounds), Number(values.threads));
else if (values.openapi) await benchOpenApi(isWanted);
else if (values.conversations) await benchConversations(rowsOr(1_000_000));
else if (values.traffic) await benchTraffic(rowsOr(1_000_000));
else if (values.dashboard) await benchDashboard(rowsOr(1_000_000));
else if (values.search) await benchSearch(Number(values.pages));
else if (values.meaning !== undefined) await benchMeaning(values.meaning, Number(values.sections));
else if (values.bundle) await benchBundleServer();
else if (values.service) await benchServiceMemory(rowsOr(100_000));
else if (values.sites) await benchManySites(rowsOr(100_000));
else if (values.export) await benchExport(Number(values.pages));
else if (values.hosting) await benchHosting(Number(values.seconds));
else if (values.serve) await benchServing(Number(values.rounds));
else await benchContent();

async function benchContent(): Promise<void> {
  if (peers.some((peer) => peer.packages.length && isWanted(peer.name))) node = newerNode();
  const rounds: Row[][] = [];
  for (let round = 0; round < Number(values.rounds); round++) {
    const measured: Row[] = [];
    if (isWanted("octavo")) {
      measured.push(await octavo(pages));
      if (pages < 5_000 && !values.only) measured.push(await octavo(pages * 5));
    }
    for (const peer of peers) if (isWanted(peer.name)) measured.push(...(await peerRow(peer)));
    rounds.push(measured);
  }
  rows.push(
    ...rounds[0]!.map((row, index) => ({
      ...row,
      ...medianCosts(rounds.map((measured) => measured[index]!)),
    })),
  );
  print();
}

function medianCosts(rounds: readonly Row[]): Pick<Row, "cold" | "edited"> {
  const middle = (costs: readonly Cost[]): Cost => ({
    ...costs[0]!,
    cpu_s: median(costs.map(({ cpu_s }) => cpu_s)),
    peak_mb: median(costs.map(({ peak_mb }) => peak_mb)),
  });
  return { cold: middle(rounds.map(({ cold }) => cold)), edited: middle(rounds.map(({ edited }) => edited)) };
}

/** Builds a site with the same shape as the largest public repository with a docs.json that we know of. */
async function benchVersioned(): Promise<void> {
  const shape = { languages: 4, versions: 35, pages: 176 };
  const folder = path.join(work, "octavo-versioned");
  const out = `${folder}-out`;
  for (const old of [folder, out]) discard(old);
  writeVersionedCorpus(folder, shape);
  const build = `"${process.execPath}" "${path.join(root, "bin/octavo.js")}" build . --out "${out}"`;
  const count = shape.languages * shape.versions * shape.pages;
  rows.push(
    await row(
      "Octavo",
      count,
      folder,
      build,
      path.join(folder, `${versionedRoute(0, 0, 7)}.mdx`),
      out,
      ".html",
    ),
  );
  print();
}

async function octavo(count: number): Promise<Row> {
  const folder = path.join(work, `octavo-${count}`);
  const out = path.join(work, `octavo-${count}-out`);
  for (const old of [folder, out]) discard(old);
  writeCorpus(folder, count, "octavo");
  const build = `"${process.execPath}" "${path.join(root, "bin/octavo.js")}" build . --out "${out}"`;
  return row("Octavo", count, folder, build, path.join(folder, `${routeOf(7)}.mdx`), out, ".html");
}

async function peerRow(peer: Peer): Promise<Row[]> {
  const folder = path.join(work, peer.name.toLowerCase());
  mkdirSync(folder, { recursive: true });
  if (peer.name === "Hugo" && spawnSync("hugo", ["version"]).status !== 0) {
    console.error("Hugo isn't installed, so it's left out. On Debian, install it with: apt-get install hugo");
    return [];
  }
  if (peer.packages.length) install(folder, peer.packages);
  discard(path.join(folder, peer.content));
  layOut(peer, folder, pages);
  for (const cache of peer.caches) discard(path.join(folder, cache));
  return [
    await row(
      peer.name,
      pages,
      folder,
      peer.build,
      path.join(folder, peer.content, `${routeOf(7)}.md`),
      path.join(folder, peer.output),
      peer.ending,
    ),
  ];
}

async function row(
  name: string,
  count: number,
  folder: string,
  build: string,
  edited: string,
  output: string,
  ending: string,
): Promise<Row> {
  console.error(`${name}, ${count} pages …`);
  const env = environment(node);
  const cold = await measure(build, { cwd: folder, env });
  appendFileSync(edited, "\nOne more sentence.\n");
  const warm = await measure(build, { cwd: folder, env });
  if (cold.code || warm.code) console.error(`${name}: exit codes ${cold.code} and ${warm.code}`);
  const sizes = Array.from({ length: count }, (_, index) => path.join(output, routeOf(index) + ending))
    .filter((file) => existsSync(file))
    .map((file) => readFileSync(file));
  return {
    name,
    pages: count,
    cold,
    edited: warm,
    html: {
      raw: median(sizes.map((bytes) => bytes.length)),
      gzip: median(sizes.slice(0, 200).map((bytes) => gzipSync(bytes).length)),
    },
    total_mb: sum(sizesBelow(output).values()) / 1e6,
  };
}

function print(): void {
  const own = rows.find((entry) => entry.name === "Octavo" && entry.pages === pages);
  const ratio = (value: number, base: number | undefined) => (base ? ` (${(value / base).toFixed(1)}×)` : "");
  console.log(
    `| Tool | Pages | Cold CPU s | Peak MB | One edit CPU s | Median HTML KB | gzip KB | Output MB |`,
  );
  console.log(`| --- | --- | --- | --- | --- | --- | --- | --- |`);
  for (const { name, pages: count, cold, edited, html, total_mb } of rows) {
    const compared = count === pages ? own : undefined;
    console.log(
      `| ${name} | ${count} | ${cold.cpu_s.toFixed(1)}${ratio(cold.cpu_s, compared?.cold.cpu_s)} | ${cold.peak_mb.toFixed(0)} | ${edited.cpu_s.toFixed(1)}${ratio(edited.cpu_s, compared?.edited.cpu_s)} | ${(html.raw / 1000).toFixed(1)} | ${(html.gzip / 1000).toFixed(1)} | ${total_mb.toFixed(0)} |`,
    );
  }
}
