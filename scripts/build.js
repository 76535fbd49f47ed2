// Bundles the product into dist/: the executables for Node, and the styles and scripts of sites.
import { createHash } from "node:crypto";
import { copyFile, cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { browsers } from "./build/browsers.js";
import { writeClientTypes } from "./build/client-types.js";
import { databaseFiles } from "./build/database-files.js";
import { writeFonts } from "./build/fonts.js";
import { writeLibraryTypes } from "./build/library-types.js";
import { bundledPackages, licensesOf } from "./build/licenses.js";
import { writeMermaidChunks } from "./build/mermaid-chunks.js";
import { patternFiles } from "./build/patterns.js";
import { specificationSchemas } from "./build/specification-schemas.js";
import { buildWidget } from "./build/widget.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const from = (name) => path.join(root, name);

/**
 * Builds everything into the folder `out`, whose previous content is removed. `.packages.json` lists the
 * folders of the packages that are part of the bundles.
 */
export async function buildProduct({ out = from("dist") } = {}) {
  await rm(out, { recursive: true, force: true });
  await mkdir(path.join(out, "assets"), { recursive: true });
  const types = writeLibraryTypes(path.join(out, "types"));
  const assets = await buildAssets(path.join(out, "assets"));
  const widget = await buildWidget(path.join(out, "assets"));
  const dashboard = await buildDashboard(path.join(out, "dashboard"));
  const { programs, bundleServer } = await buildPrograms(out);
  await buildClient(out);
  const metafiles = [...programs, bundleServer, assets, widget, dashboard];
  await cp(from("src/io/migrations"), path.join(out, "migrations"), { recursive: true });
  await writeFonts(path.join(out, "assets/fonts"));
  await cp(await patternFiles(), path.join(out, "patterns"), { recursive: true });
  await cp(await databaseFiles(), path.join(out, "database"), { recursive: true });
  await writeFile(path.join(out, "licenses.txt"), await licensesOf(bundledPackages(metafiles)));
  await types;
  await writeClientTypes(path.join(out, "types"));
  const packages = { octavo: bundledPackages(metafiles), "octavo-bundle": bundledPackages([bundleServer]) };
  await writeFile(path.join(out, ".packages.json"), JSON.stringify(packages));
}

/** Builds the programs that run in Node. Resolves with esbuild's metafiles, like the functions below. */
async function buildPrograms(out) {
  const { dependencies } = JSON.parse(await readFile(from("package.json"), "utf8"));
  const options = {
    outdir: out,
    bundle: true,
    platform: "node",
    target: "node20",
    format: "esm",
    // All other packages are bundled, because the bundle is several times smaller and faster to load.
    external: Object.keys(dependencies).flatMap((name) => [name, `${name}/*`]),
    plugins: [specificationSchemas, lazyKatex],
    // acorn-jsx requires the CommonJS version, which would be bundled in addition to the ES module.
    alias: { acorn: from("node_modules/acorn/dist/acorn.mjs") },
    banner: {
      js: 'import { createRequire as octavoRequire } from "node:module"; const require = octavoRequire(import.meta.url);',
    },
    // Names stay, so that stack traces can be read.
    minifySyntax: true,
    minifyWhitespace: true,
    lineLimit: 160,
    legalComments: "none",
    jsx: "automatic",
    jsxImportSource: "preact",
    logLevel: "warning",
    define: { OCTAVO_GENERATOR: JSON.stringify(await sourceHash()) },
    metafile: true,
  };
  const shared = await build({
    ...options,
    entryPoints: {
      cli: from("src/main/cli.ts"),
      build: from("src/main/build-child.ts"),
      "build-thread": from("src/main/build-thread.ts"),
      gzip: from("src/main/gzip-worker.ts"),
      engine: from("src/main/engine.ts"),
    },
    splitting: true,
    chunkNames: "chunks/[name]-[hash]",
  });
  const database = await build({ ...options, entryPoints: { database: from("src/main/database-child.ts") } });
  const bundleServer = await build({
    ...options,
    external: [],
    entryPoints: { "bundle-server": from("src/main/bundle-server-program.ts") },
  });
  const { imports = [] } = shared.metafile.inputs["src/engine/html/formulas.ts"] ?? {};
  if (!imports.some(({ path }) => path.includes("node_modules/katex/")))
    throw new Error("formulas.ts doesn't bundle KaTeX. See lazyKatex.");
  return { programs: [shared.metafile, database.metafile], bundleServer: bundleServer.metafile };
}

/** Builds the client of the API, which runs in Node and browsers, and contains no packages. */
async function buildClient(out) {
  await build({
    entryPoints: [from("src/main/client.ts")],
    outdir: out,
    bundle: true,
    platform: "neutral",
    target: "es2022",
    format: "esm",
    legalComments: "none",
    logLevel: "warning",
  });
}

/** Bundles KaTeX without loading it at startup: esbuild only recognizes the global `require`. */
const lazyKatex = {
  name: "lazy-katex",
  setup(build) {
    build.onLoad({ filter: /[\\/]html[\\/]formulas\.ts$/ }, async ({ path }) => ({
      contents: (await readFile(path, "utf8")).replace("const require = createRequire(import.meta.url);", ""),
      loader: "ts",
    }));
  },
};

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
    "reader-text.ts",
    "code-feedback.ts",
    "mermaid-elk.ts",
  ];
  const built = await build({
    entryPoints: scripts.map((name) => from(`src/browser/${name}`)),
    outdir: out,
    bundle: true,
    minify: true,
    format: "iife",
    target: browsers,
    charset: "utf8",
    legalComments: "none",
    jsx: "automatic",
    jsxImportSource: "preact",
    plugins: [siteLanguage],
    logLevel: "warning",
    metafile: true,
  });
  await writeStemmers(path.join(out, "stemmers"));
  await writeMermaidChunks(from("src/browser/mermaid.ts"), path.join(out, "mermaid"));
  const themes = (await readdir(from("src/engine/frame/styles/themes"))).map((file) => path.parse(file).name);
  const { outputFiles } = await build({
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
    target: browsers,
    logLevel: "warning",
    write: false,
  });
  for (const { path: file, text } of outputFiles) {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, shortened(text));
  }
  return built.metafile;
}

/**
 * Shortens style sheets. In masks, only opacity matters, so a short color can replace black.
 * Removes the spaces before the values of custom properties and of conditions, which esbuild keeps.
 * Of the masks for old browsers, only those of icon elements stay. There, other icons are hidden, and edges
 * don't fade out.
 */
function shortened(css) {
  return css
    .replace(/%23000/g, "red")
    .replace(/([{;]--[\w-]+:|@supports [^{]*?:) +(?=[^\s;}])/g, "$1")
    .replace(/-webkit-mask[\w-]*:(?!var\(--[od]-i(?:con)?\))(?:"[^"]*"|[^;}"])+;/g, "");
}

/**
 * Leaves the stemmers and stop words out of scripts. A page loads those of its language from a separate
 * script.
 */
const siteLanguage = {
  name: "site-language",
  setup(build) {
    build.onLoad({ filter: /[/\\]search[/\\](?:stemmers|stop-words)\.ts$/ }, async ({ path: file }) => ({
      contents: await readFile(from(`src/browser/search/site-${path.basename(file)}`)),
      loader: "ts",
    }));
  },
};

/** Writes a script for each stemmer, such as `en.js`. */
async function writeStemmers(out) {
  const imports = (await readFile(from("src/engine/search/stemmers.ts"), "utf8")).matchAll(
    /import { stemmer as (\w+) } from "([^"]+)"/g,
  );
  for (const [, language, specifier] of imports)
    await build({
      stdin: {
        contents: `import { stemmer } from "${specifier}"; globalThis.octavoStemmers = { ${language}: stemmer };`,
        resolveDir: root,
      },
      outfile: path.join(out, `${language}.js`),
      bundle: true,
      minify: true,
      format: "iife",
      target: browsers,
      legalComments: "none",
      logLevel: "warning",
    });
}

/** Builds the styles and scripts of the dashboard, which aren't part of sites. */
async function buildDashboard(out) {
  const built = await build({
    entryPoints: [
      from("src/browser/dashboard.ts"),
      from("src/browser/dashboard/charts.ts"),
      from("src/service/ui/styles/dashboard.css"),
    ],
    outdir: out,
    entryNames: "[name]",
    assetNames: "[name]-[hash]",
    loader: { ".woff2": "file" },
    bundle: true,
    minify: true,
    format: "iife",
    target: browsers,
    legalComments: "none",
    logLevel: "warning",
    metafile: true,
  });
  await copyFile(from("docs/images/favicon.svg"), path.join(out, "favicon.svg"));
  return built.metafile;
}

/**
 * Hash of the sources. It identifies this build of the product, so that cached pages from other builds aren't
 * used.
 */
export async function sourceHash() {
  const hash = createHash("sha256");
  const walk = async (folder) => {
    for (const entry of (await readdir(folder, { withFileTypes: true })).sort((a, b) =>
      a.name < b.name ? -1 : 1,
    )) {
      const file = path.join(folder, entry.name);
      if (entry.isDirectory()) await walk(file);
      else hash.update(path.relative(root, file)).update(await readFile(file));
    }
  };
  for (const folder of ["src", "tools", "examples/plant-shop"]) await walk(from(folder));
  await walk(from("scripts/build"));
  hash.update(await readFile(from("scripts/build.js")));
  return hash
    .update(await readFile(from("package-lock.json")))
    .digest("hex")
    .slice(0, 16);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildProduct();
