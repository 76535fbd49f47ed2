// Bundles the product into dist/: the executables for Node, and the styles and scripts of sites.
import { createHash } from "node:crypto";
import { copyFile, cp, mkdir, readdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { databaseTemplate } from "./build/database-template.js";
import { writeFonts } from "./build/fonts.js";
import { patternFiles } from "./build/patterns.js";
import { specificationSchemas } from "./build/specification-schemas.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const from = (name) => path.join(root, name);

/** Builds everything into the folder `out`, whose previous content is removed. */
export async function buildProduct({ out = from("dist") } = {}) {
  await rm(out, { recursive: true, force: true });
  await mkdir(path.join(out, "assets"), { recursive: true });
  await buildAssets(path.join(out, "assets"));
  await buildDashboard(path.join(out, "dashboard"));
  await cp(from("src/io/migrations"), path.join(out, "migrations"), { recursive: true });
  await writeFonts(path.join(out, "assets/fonts"));
  await cp(await patternFiles(), path.join(out, "patterns"), { recursive: true });
  await copyFile(await databaseTemplate(), path.join(out, "postgres.tar.gz"));
  await build({
    entryPoints: {
      cli: from("src/main/cli.ts"),
      build: from("src/main/build-child.ts"),
      gzip: from("src/main/gzip-worker.ts"),
      database: from("src/main/database-child.ts"),
    },
    outdir: out,
    bundle: true,
    splitting: true,
    platform: "node",
    target: "node20",
    format: "esm",
    // Bundled packages load several times faster. Packages that contain binaries or are loaded on demand aren't bundled.
    external: [
      "@electric-sql/pglite",
      "pg",
      "ai",
      "@ai-sdk/*",
      "@aws-sdk/*",
      "satteri",
      "esbuild",
      "quickjs-emscripten",
      "shiki/langs",
      "shiki/themes",
      "@iconify-json/*",
    ],
    plugins: [specificationSchemas],
    // acorn-jsx requires the CommonJS version, which would be bundled in addition to the ES module.
    alias: { acorn: from("node_modules/acorn/dist/acorn.mjs") },
    banner: { js: 'import { createRequire as octavoRequire } from "node:module"; const require = octavoRequire(import.meta.url);' },
    legalComments: "none",
    jsx: "automatic",
    jsxImportSource: "preact",
    chunkNames: "chunks/[name]-[hash]",
    logLevel: "warning",
    define: { OCTAVO_GENERATOR: JSON.stringify(await sourceHash()) },
  });
}

/** Builds the styles and the classic scripts of sites. */
export async function buildAssets(out) {
  const scripts = [
    "page.ts",
    "suggest-pages.ts",
    "analytics.ts",
    "search.tsx",
    "assistant.tsx",
    "reference.ts",
    "playground.tsx",
    "oauth.ts",
    "islands.ts",
    "mermaid.ts",
    "mermaid-elk.ts",
  ];
  await build({
    entryPoints: scripts.map((name) => from(`src/browser/${name}`)),
    outdir: out,
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2022",
    legalComments: "none",
    jsx: "automatic",
    jsxImportSource: "preact",
    logLevel: "warning",
  });
  const themes = (await readdir(from("src/engine/frame/styles/themes"))).map((file) => path.parse(file).name);
  await build({
    entryPoints: Object.fromEntries(
      [
        ["octavo", "main"],
        ["reference", "reference/all"],
        ["search", "search"],
        ["assistant", "assistant"],
        ["playground", "playground"],
        ...themes.map((theme) => [`themes/${theme}`, `themes/${theme}`]),
      ].map(([name, file]) => [name, from(`src/engine/frame/styles/${file}.css`)]),
    ),
    outdir: out,
    bundle: true,
    minify: true,
    target: "es2022",
    logLevel: "warning",
  });
}

/** Builds the styles and scripts of the dashboard, which aren't part of sites. */
async function buildDashboard(out) {
  await build({
    entryPoints: [from("src/browser/dashboard.ts"), from("src/browser/dashboard/charts.ts"), from("src/service/ui/styles/dashboard.css")],
    outdir: out,
    entryNames: "[name]",
    assetNames: "[name]-[hash]",
    loader: { ".woff2": "file" },
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2022",
    legalComments: "none",
    logLevel: "warning",
  });
  await copyFile(from("docs/images/favicon.svg"), path.join(out, "favicon.svg"));
}

/** Hash of the sources. It identifies this build of the product, so that cached pages from other builds aren't used. */
export async function sourceHash() {
  const hash = createHash("sha256");
  const walk = async (folder) => {
    for (const entry of (await readdir(folder, { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const file = path.join(folder, entry.name);
      if (entry.isDirectory()) await walk(file);
      else hash.update(path.relative(root, file)).update(await readFile(file));
    }
  };
  await walk(from("src"));
  return hash
    .update(await readFile(from("package-lock.json")))
    .digest("hex")
    .slice(0, 16);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildProduct();
