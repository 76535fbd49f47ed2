/** Checks the layering rules of the source tree. ARCHITECTURE.md describes the layers. */

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { growth, recorded_lines } from "./source-size.ts";

const root = path.resolve(import.meta.dirname, "..");

type Floors = readonly (readonly string[])[];

/** Layers of top-level folders, lowest first. A file may import from its own folder and from lower layers. */
const floors: Floors = [
  ["base"],
  ["layout"],
  ["engine", "io"],
  ["host", "browser"],
  ["bundle"],
  ["builder"],
  ["service", "tools", "examples"],
  ["cli"],
  ["main"],
];

/** Layers of the engine's folders, lowest first. "." means the files directly in `engine/`. */
const engineFloors: Floors = [
  ["."],
  ["i18n", "incremental"],
  ["config", "author", "openapi", "search", "highlight"],
  ["html", "answer"],
  ["components"],
  ["page"],
  ["frame"],
  ["reference"],
  ["site"],
  ["plan"],
  ["view"],
  ["export"],
];

/** Folders of the service that are below all features, lowest first. */
const belowFeatures = ["core", "jobs", "storage", "http", "ui"];
const aboveFeatures = ["site-endpoints", "app"];

type Role = "contract" | "model" | "entry";
const roles: Role[] = ["contract", "model", "entry"];

/** Role of a feature's file, by its name. */
function roleOf(file: string): Role {
  const name = path.posix.basename(file);
  if (/^(?:[\w-]+-)?contract\.ts$/.test(name)) return "contract";
  if (/^(?:[\w-]+-)?(?:api\.ts|routes\.tsx|view\.tsx)$/.test(name)) return "entry";
  return "model";
}

/** Files of the service that commands and browser scripts may import: the description of its HTTP API. */
const publicOfService =
  /^service\/(?:[\w-]+\/(?:[\w-]+-)?contract\.ts|core\/(?:endpoint|parameters)\.ts|app\/(?:endpoints|client)\.ts)$/;

/**
 * Files that no other file needs to import: executables, scripts that are bundled, and the source of
 * generated docs.
 */
const entries =
  /^(?:main\/|tools\/vscode\/extension\.ts$|engine\/config\/reference-pages\.ts$|browser\/(?:page|suggest-pages|analytics|dashboard|reference|oauth|islands|reader-text|code-feedback|mermaid|mermaid-elk|widget)\.ts$|browser\/dashboard\/charts\.ts$|browser\/widget\/(?:post-json|site-urls|starter-questions)\.ts$|browser\/search\/site-(?:stemmers|stop-words)\.ts$|browser\/(?:playground|search|assistant|widget-panel)\.tsx$)/;

const maxLines = 600;

/** Number of lines that aren't blank. */
const countLines = (text: string) => text.split("\n").filter((line) => line.trim() !== "").length;

/** Paths of the files in the product, without `src/`. */
const files = ["src", "tools", "examples"]
  .flatMap((folder) =>
    (readdirSync(path.join(root, folder), { recursive: true }) as string[]).map((file) =>
      path.posix.join(folder, file),
    ),
  )
  .filter((file) => /\.tsx?$/.test(file) && !/\.(?:test|fixture)\.tsx?$/.test(file))
  .map((file) => file.replace(/^src\//, ""))
  .sort();
const inRepository = (file: string) => (/^(?:tools|examples)\//.test(file) ? file : `src/${file}`);
const texts = new Map(files.map((file) => [file, readFileSync(path.join(root, inRepository(file)), "utf8")]));
const imports = new Map(
  files.map((file) => {
    const found = [...texts.get(file)!.matchAll(/(?:from|import)\s*\(?["'](\.[^"']+)["']/g)].map((match) =>
      path.posix.join(path.posix.dirname(inRepository(file)), match[1]!).replace(/^src\//, ""),
    );
    return [file, found] as const;
  }),
);

interface Edge {
  from: string;
  to: string;
}
const edges: Edge[] = [...imports].flatMap(([from, targets]) => targets.map((to) => ({ from, to })));
const written = (found: readonly Edge[]) => found.map(({ from, to }) => `${from} → ${to}`);

const top = (file: string) => file.split("/")[0]!;
/** The folder inside the engine or the service. "." for files directly in it. */
const second = (file: string) => (file.split("/").length > 2 ? file.split("/")[1]! : ".");
/** The folder of a file in the graph that is checked for import cycles. */
const folderOf = (file: string) =>
  ["engine", "service"].includes(top(file)) ? `${top(file)}/${second(file)}` : top(file);
const isIn = (folder: string) => (edge: Edge) => top(edge.from) === folder && top(edge.to) === folder;
const isFeature = (folder: string) => !belowFeatures.includes(folder) && !aboveFeatures.includes(folder);
const floorIn = (plan: Floors, folder: string) => plan.findIndex((floor) => floor.includes(folder));
const containing = (pattern: RegExp, where: (file: string) => boolean) =>
  files.filter((file) => where(file) && pattern.test(texts.get(file)!));

/** Cycles in a graph, each as its nodes in order. */
function circles(graph: ReadonlyMap<string, Iterable<string>>): string[] {
  const found: string[] = [];
  const state = new Map<string, "open" | "done">();
  const visit = (node: string, trail: string[]) => {
    if (state.get(node) === "done") return;
    if (state.get(node) === "open") {
      found.push([...trail.slice(trail.indexOf(node)), node].join(" → "));
      return;
    }
    state.set(node, "open");
    for (const next of graph.get(node) ?? []) visit(next, [...trail, node]);
    state.set(node, "done");
  };
  for (const node of graph.keys()) visit(node, []);
  return found;
}

/** Values that occur more than once, with the places where they occur. */
function repeated(pairs: Iterable<readonly [string, string]>): [string, string[]][] {
  const places = new Map<string, string[]>();
  for (const [name, file] of pairs) places.set(name, [...(places.get(name) ?? []), file]);
  return [...places].filter(([, found]) => found.length > 1);
}

describe("layers", () => {
  test("every file is in a known folder", () => {
    expect(files.filter((file) => floorIn(floors, top(file)) < 0)).toEqual([]);
    expect(files.filter((file) => top(file) === "engine" && floorIn(engineFloors, second(file)) < 0)).toEqual(
      [],
    );
  });

  test("imports go to lower floors", () => {
    const isAllowed = ({ from, to }: Edge) =>
      top(from) === top(to) ||
      floorIn(floors, top(to)) < floorIn(floors, top(from)) ||
      (top(from) === "browser" && publicOfService.test(to));
    expect(written(edges.filter((edge) => !isAllowed(edge)))).toEqual([]);
  });

  test("imports inside the engine go to lower floors", () => {
    const isAllowed = ({ from, to }: Edge) =>
      second(from) === second(to) || floorIn(engineFloors, second(to)) < floorIn(engineFloors, second(from));
    expect(written(edges.filter(isIn("engine")).filter((edge) => !isAllowed(edge)))).toEqual([]);
  });

  test("inside the service: core < jobs < storage < http < ui < features < site-endpoints < app", () => {
    const place = (file: string) => {
      const folder = second(file);
      const above = aboveFeatures.indexOf(folder);
      if (above >= 0) return belowFeatures.length + 1 + above;
      return isFeature(folder) ? belowFeatures.length : belowFeatures.indexOf(folder);
    };
    const wrong = edges.filter(isIn("service")).filter(({ from, to }) => place(to) > place(from));
    expect(written(wrong)).toEqual([]);
  });

  test("a feature imports another one's contract or model only", () => {
    const wrong = edges
      .filter(isIn("service"))
      .filter(
        ({ from, to }) =>
          isFeature(second(from)) &&
          isFeature(second(to)) &&
          second(from) !== second(to) &&
          roleOf(to) === "entry",
      );
    expect(written(wrong)).toEqual([]);
  });

  test("inside a feature: contract < model < API, routes and views", () => {
    const wrong = edges
      .filter(isIn("service"))
      .filter(
        ({ from, to }) =>
          isFeature(second(from)) &&
          second(from) === second(to) &&
          roles.indexOf(roleOf(to)) > roles.indexOf(roleOf(from)),
      );
    expect(written(wrong)).toEqual([]);
  });

  test("commands and browser scripts see the service's HTTP API only", () => {
    const wrong = edges.filter(
      ({ from, to }) =>
        /^(?:cli|browser)$/.test(top(from)) && top(to) === "service" && !publicOfService.test(to),
    );
    expect(written(wrong)).toEqual([]);
  });

  test("no circles between files, types included", () => {
    expect(circles(imports)).toEqual([]);
  });

  test("no circles between folders, types included", () => {
    const graph = new Map<string, Set<string>>(files.map((file) => [folderOf(file), new Set()]));
    for (const { from, to } of edges)
      if (folderOf(from) !== folderOf(to)) graph.get(folderOf(from))!.add(folderOf(to));
    expect(circles(graph)).toEqual([]);
  });

  test("no file that nothing imports", () => {
    const imported = new Set([...imports.values()].flat());
    expect(files.filter((file) => !imported.has(file) && !entries.test(file))).toEqual([]);
  });
});

describe("names", () => {
  test("no file or folder without a subject", () => {
    expect(
      files.filter((file) => /(?:^|\/)(?:index|utils|helpers|types|common|misc)(?:\.tsx?$|\/)/.test(file)),
    ).toEqual([]);
  });

  test("an exported type has a name of its own", () => {
    const types = [...texts].flatMap(([file, text]) =>
      [...text.matchAll(/^export (?:abstract )?(?:interface|type|class|enum) (\w+)/gm)].map(
        (match) => [match[1]!, file] as const,
      ),
    );
    expect(repeated(types)).toEqual([]);
  });

  test("only these files create folders without private-folder.ts", () => {
    const creators = files.filter((file) => /\bmkdir(?:Sync)?\(/.test(texts.get(file)!));
    expect(creators.filter((file) => !/^(?:tools|examples)\//.test(file))).toEqual([
      // Output that the command line names, and folders inside of private or temporary ones.
      "builder/output-folder.ts",
      "bundle/apply-delta.ts",
      "bundle/bundle-store.ts",
      "bundle/compress-bundle.ts",
      "bundle/write-bundle.ts",
      "cli/commands/init.ts",
      "cli/feed/feed-folder.ts",
      "io/check-repository.ts",
      "io/checkout-git.ts",
      "io/database-template.ts",
      "io/folder-objects.ts",
      "io/git-process.ts",
      "io/plain-folder.ts",
      "io/private-folder.ts",
      "io/read-git-branch.ts",
      "main/clear-scratch.ts",
      "service/deployments/deploy-job.ts",
      "service/deployments/embed-job.ts",
      "service/deployments/embed-passages.ts",
      "service/deployments/sources.ts",
      "service/deployments/upload.ts",
      "service/static-export/run-export.ts",
    ]);
  });

  test("no comment has a line of more than 110 characters", () => {
    const isLong = (line: string) => line.length > 110 && /^\s*(?:\/\*\*|\*|\/\/) /.test(line);
    expect(files.filter((file) => texts.get(file)!.split("\n").some(isLong))).toEqual([
      // A table.
      "bundle/bundle-store.ts",
      // The text of a script.
      "engine/author/sandbox-runtime.ts",
      // The text of a generated file.
      "engine/export/operator-file.ts",
    ]);
  });

  test(`no file has more than ${maxLines} lines`, () => {
    expect(files.filter((file) => countLines(texts.get(file)!) > maxLines)).toEqual([]);
  });
});

describe("size", () => {
  test("`src` is at most 1 % larger than recorded in source-size.ts", () => {
    const byFolder = new Map<string, number>();
    for (const [file, text] of texts)
      if (inRepository(file).startsWith("src/"))
        byFolder.set(folderOf(file), (byFolder.get(folderOf(file)) ?? 0) + countLines(text));
    const total = [...byFolder.values()].reduce((sum, lines) => sum + lines, 0);
    const recorded = growth.reduce((sum, [lines]) => sum + lines, recorded_lines);
    const rows = [...byFolder].sort(([, a], [, b]) => b - a).map(([folder, lines]) => `${folder} ${lines}`);
    console.log(`${total} lines, ${recorded} recorded: ${rows.join(", ")}`);
    expect(total, "Add a row to test/source-size.ts").toBeLessThanOrEqual(Math.floor(recorded * 1.01));
  });
});

describe("what code may touch", () => {
  test("no state is read from texts that people read", () => {
    const reading =
      /\b(?:message|summary|reason|hint)\)?[!?]?\.(?:startsWith|endsWith|includes|replace|match|search)\(|\.(?:test|exec)\((?:\w+\.)*(?:message|summary|reason|hint)[,)]/;
    expect(
      containing(reading, (file) => ["base", "service", "host", "bundle", "builder"].includes(top(file))),
    ).toEqual([
      // Problems are compared without their line numbers.
      "base/new-problems.ts",
      // The end of a sentence in a longer one.
      "bundle/updater.ts",
      // Problems have no field for the target of a link.
      "service/deployments/broken-links.ts",
    ]);
  });

  test("only executables read the environment", () => {
    // `transpile.ts` replaces it in authors' code.
    expect(
      containing(
        /process\.env\b|import\.meta\.env/,
        (file) => top(file) !== "main" && file !== "engine/author/transpile.ts",
      ),
    ).toEqual([]);
  });

  test("the engine uses no clock, timers, random numbers, disk or network", () => {
    const banned =
      /new Date\(\)|Date\.now\(|\bperformance\.|Math\.random\(|\bcrypto\.(?:random|getRandom)|\b(?:randomUUID|randomBytes|getRandomValues)\(|\b(?:setTimeout|setInterval|setImmediate)\(|process\.(?:hrtime|cpuUsage)|from "node:(?:fs|net|http|https|child_process|os|timers|perf_hooks)/;
    // Text of a script for browsers.
    const withoutScripts = (text: string) => text.replaceAll('"gtm.start":Date.now()', "");
    expect(
      files.filter((file) => top(file) === "engine" && banned.test(withoutScripts(texts.get(file)!))),
    ).toEqual([]);
  });

  test("outbound requests are sent by io/outbound.ts, with its checks and limits", () => {
    const opening = [
      /import (?!type )[^;]*\b(?:request|get|Agent|globalAgent)\b[^;]* from "node:https?"/,
      /import (?!type )[^;]*\b(?:connect|createConnection|Socket)\b[^;]* from "node:(?:net|tls)"/,
      /from "(?:node:(?:http2|https|dgram)|https?|net|tls|undici|ws|axios|got|node-fetch)"|import \* as \w+ from "node:(?:http|net|tls)"/,
      /import\("node:(?:https?|http2|net|tls|dgram)"\)|\brequire\(/,
      /(?<![.\w`]|private async |const )fetch(?=\()|\bglobalThis\.fetch\b|= fetch\b|new (?:WebSocket|EventSource|XMLHttpRequest)\(/,
      /(?:from|import\() ?"(?:pg|nodemailer|@aws-sdk\/[\w-]+|openid-client|ai|@ai-sdk\/[\w-]+)"/,
    ];
    const code = (text: string) => text.replace(/^import type .*$|^\s*(?:\*|\/\/|\/\*\*).*$/gm, "");
    const isOnServer = (file: string) => !/^(?:browser|engine)$/.test(top(file));
    expect(
      files.filter((file) => isOnServer(file) && opening.some((one) => one.test(code(texts.get(file)!)))),
    ).toEqual([
      // Text of scripts for browsers.
      "cli/preview-overlay.ts",
      "host/pending-page.ts",
      // The client of a library gets a function of outbound-fetch.ts.
      "host/sign-in/open-id.ts",
      "io/language-model.ts",
      // Servers that only the operator names.
      "io/mailer.ts",
      "io/outbound.ts",
      "io/postgres.ts",
      "io/s3-objects.ts",
      // The library for other programs.
      "main/client.ts",
      // The client for the command line.
      "service/app/client.ts",
      // Uses a connection of io/postgres.ts.
      "service/core/vacuum.ts",
    ]);
  });

  test("servers remove folders with removeFolder, which doesn't block the main thread", () => {
    // The command line and build processes do nothing else meanwhile, and the folder of the embedded database
    // has few files.
    const isServer = (file: string) =>
      /^(?:bundle|host|io|main|service)$/.test(top(file)) && file !== "io/database-template.ts";
    expect(containing(/\brm(?:Sync)?\([^;]*recursive: true/, isServer)).toEqual([]);
  });

  test("SQL is written in models, never in an API, a route or a view", () => {
    const banned = /from "kysely"|\.(?:selectFrom|insertInto|updateTable|deleteFrom)\(/;
    expect(containing(banned, (file) => top(file) === "service" && roleOf(file) === "entry")).toEqual([]);
  });
});
