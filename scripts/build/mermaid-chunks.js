// Splits the script that draws diagrams into chunks, so that a site contains only those that its diagrams
// need.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { build, transform } from "esbuild";
import { browsers } from "./browsers.js";

/** Loads a chunk. A chunk that no diagram of the site needs is missing, and has no exports. */
const loader =
  'const loaded={};function load(name){name=name.replace("./","");if(!loaded[name]){const module=loaded[name]={exports:{}};octavoChunks[name]?.(load,module,module.exports)}return loaded[name].exports}';

/** Leaves out messages below errors, for developers of Mermaid, which it doesn't print at its default log level. */
const withoutDebugMessages = {
  name: "without-debug-messages",
  setup(build) {
    build.onLoad({ filter: /[/\\]mermaid[/\\]dist[/\\].*\.mjs$/ }, async ({ path: file }) => ({
      contents: (await readFile(file, "utf8")).replace(
        /^\s*log\.(?:trace|debug|info|warn)\((?:.*\);$|\n[\s\S]*?^\s*\);$)/gm,
        ";",
      ),
    }));
  },
};

/**
 * Writes the chunks of the script `entry` to the folder `out`, as classic scripts, because pages that are
 * opened from disk can't import modules. Also writes `chunks.json`: the chunks of each part, with those that
 * it depends on. `core` is needed for all diagrams, and its last chunk draws them. The other parts are
 * `yaml`, `katex`, types of diagrams such as `flowchart-v2`, and layouts such as `layout:dagre`.
 */
export async function writeMermaidChunks(entry, out) {
  const { outputFiles, metafile } = await build({
    entryPoints: [entry],
    outdir: out,
    bundle: true,
    splitting: true,
    minify: true,
    write: false,
    metafile: true,
    format: "esm",
    target: browsers,
    legalComments: "none",
    chunkNames: "[name]-[hash]",
    plugins: [withoutDebugMessages],
    logLevel: "warning",
  });
  await mkdir(out, { recursive: true });
  const start = `${path.parse(entry).name}.js`;
  for (const { path: file, text } of outputFiles) {
    const name = path.basename(file);
    const { code } = await transform(text, {
      format: "cjs",
      minify: true,
      target: browsers,
      supported: { "dynamic-import": false },
    });
    const chunk = `(globalThis.octavoChunks??={})["${name}"]=(require,module,exports)=>{${code.trim()}};`;
    await writeFile(
      path.join(out, name),
      `${chunk}${name === start ? `(()=>{${loader}load("${name}")})();` : ""}\n`,
    );
  }
  await writeFile(path.join(out, "chunks.json"), JSON.stringify(await partsOf(metafile, start)));
}

async function partsOf(metafile, start) {
  const chunks = new Map(
    Object.entries(metafile.outputs).map(([file, output]) => [path.basename(file), output]),
  );
  const imported = (name, kind) =>
    chunks.get(name).imports.flatMap((found) => (found.kind === kind ? [path.basename(found.path)] : []));
  const sources = await Promise.all(
    Object.keys(metafile.inputs)
      .filter((file) => file.includes("/mermaid/dist/"))
      .map(async (file) => ({ file, text: await readFile(file, "utf8") })),
  );
  /** The chunk that contains a file of Mermaid. */
  const chunkWith = (fileName) => {
    const found = [...chunks].filter(([, { inputs }]) =>
      Object.keys(inputs).some((file) => path.basename(file) === fileName),
    );
    if (found.length !== 1)
      throw new Error(
        `${found.length} chunks contain Mermaid's ${fileName}. Adapt scripts/build/mermaid-chunks.js.`,
      );
    return found[0][0];
  };
  /** Adds chunks and those that they import, except those in `without`. */
  const add = (found, names, without) => {
    for (const name of names)
      if (!found.has(name) && !without.has(name))
        add(found.add(name), imported(name, "import-statement"), without);
    return found;
  };
  const yaml = chunkWith(
    path.basename(sources.find(({ text }) => text.includes("/node_modules/js-yaml/")).file),
  );
  const core = add(
    new Set(),
    [start, ...[...chunks.keys()].filter((name) => name.startsWith("sizeCapture-"))],
    new Set([yaml]),
  );
  const without = new Set([...core, yaml]);
  /** The chunks outside of the core that a file of Mermaid needs, including those that it loads on demand. */
  const chunksFor = (fileName) => {
    const found = add(new Set(), [chunkWith(fileName)], without);
    for (const name of found) add(found, imported(name, "dynamic-import"), without);
    return found;
  };
  const parts = { yaml: [yaml], katex: [...chunksFor("katex.mjs")] };
  const matches = (pattern) => sources.flatMap(({ text }) => [...text.matchAll(pattern)]);
  const layouts = new Map(
    matches(/name: "([\w-]+)",\s+loader: .*import\("\.\/([\w-]+\.mjs)"\)/g).map(([, name, fileName]) => [
      name,
      chunksFor(fileName),
    ]),
  );
  for (const [name, found] of layouts) parts[`layout:${name}`] = [...found];
  const layoutRegistry = chunkWith(
    path.basename(sources.find(({ text }) => text.includes("registerDefaultLayoutLoaders()")).file),
  );
  const { text: types } = sources.find(({ file }) => path.basename(file) === "mermaid.core.mjs");
  const loaders = [
    ...types.matchAll(/import\("\.\/chunks\/mermaid\.core\/([\w-]+\.mjs)"\);\s+return { (?:id: )?(id\d*), /g),
  ];
  const ids = new Map(
    [...types.matchAll(/^var (id\d*) = "([\w-]+)";$/gm)].map(([, variable, id]) => [variable, id]),
  );
  for (const [, fileName, variable] of loaders) {
    const found = chunksFor(fileName);
    const usesLayout = [...found].some((name) => imported(name, "import-statement").includes(layoutRegistry));
    const own = sources.find(({ file }) => path.basename(file) === fileName).text;
    // A type of diagram names its own layout. Dagre replaces unknown layouts.
    for (const [name, chunksOfLayout] of layouts)
      if (usesLayout && (name === "dagre" || own.includes(`"${name}"`)))
        for (const chunk of chunksOfLayout) found.add(chunk);
    parts[ids.get(variable)] = [...found];
  }
  if (loaders.length !== types.split("import(").length - 1 || layouts.size < 3 || parts.undefined)
    throw new Error("Mermaid's lazy imports have changed. Adapt scripts/build/mermaid-chunks.js.");
  // The start chunk runs when all others are registered.
  parts.core = [...[...core].filter((name) => name !== start), start];
  return parts;
}
