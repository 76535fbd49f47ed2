// Builds the assistant's widget, which other websites include: a small script, and the panel that it loads.
import { readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { browsers } from "./browsers.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const from = (name) => path.join(root, name);
const styles = "src/engine/frame/styles";

/** Writes `widget.js` and `widget-panel.js` into the folder `out`. Resolves with esbuild's metafile. */
export async function buildWidget(out) {
  const options = { bundle: true, minify: true, target: browsers, logLevel: "warning" };
  const { outputFiles } = await build({
    ...options,
    entryPoints: [from(`${styles}/widget.css`)],
    outdir: out,
    write: false,
  });
  const { metafile } = await build({
    ...options,
    entryPoints: [from("src/browser/widget.ts"), from("src/browser/widget-panel.tsx")],
    outdir: out,
    format: "iife",
    charset: "utf8",
    legalComments: "none",
    jsx: "automatic",
    jsxImportSource: "preact",
    define: {
      octavoWidgetCss: JSON.stringify(inShadowTree(outputFiles[0].text)),
      octavoWidgetIcons: JSON.stringify(await icons()),
    },
    plugins: [otherWebsite],
    metafile: true,
  });
  return metafile;
}

/** Replaces the modules that read the current page of a documentation site, or its storage. */
const otherWebsite = {
  name: "other-website",
  setup({ onResolve }) {
    onResolve(
      { filter: /\/(?:post-json|reader-storage|site-urls|starter-questions)\.ts$/ },
      ({ path: name, importer }) =>
        importer.includes(`${path.sep}widget${path.sep}`)
          ? undefined
          : { path: from(`src/browser/widget/${path.basename(name)}`) },
    );
  },
};

/**
 * Adapts a style sheet to a shadow tree on a page with any font size and any policy: custom properties and
 * modes belong to the host element, lengths are in pixels, and there are no images.
 */
function inShadowTree(css) {
  return css
    .replace(/--o-[ic][\w-]*:\s*url\((?:"[^"]*"|[^)]*)\);?/g, "")
    .replace(/:root/g, ":host")
    .replace(/\[dir=(?:"?)rtl(?:"?)\](?=[ .])/g, ":host([dir=rtl])")
    .replace(/(^|[},{])\.dark(?=[ {,])/g, "$1:host(.dark)")
    .replace(/(\d*\.?\d+)rem\b/g, (_, number) => `${Number((number * 16).toFixed(2))}px`);
}

/** Reads the icons from the style sheets of sites: their elements, by name. */
async function icons() {
  const found = {};
  for (const file of ["icons.css", "assistant.css"]) {
    const css = await readFile(from(`${styles}/${file}`), "utf8");
    const drawings = css.matchAll(
      /(?:--o-c-(\w+)|\.o-c-(\w+) \{\s*--o-i): url\("data:image\/svg\+xml,([^"]*)"\)/g,
    );
    for (const [, name, ownName, svg] of drawings)
      found[name ?? ownName] = [
        ...decodeURIComponent(svg).matchAll(/<(path|rect|circle)((?: [\w-]+='[^']*')*)\/>/g),
      ].map(([, element, attributes]) => [
        element,
        Object.fromEntries(
          [...attributes.matchAll(/ ([\w-]+)='([^']*)'/g)].map(([, key, value]) => [
            key,
            value === "#000" ? "currentColor" : value,
          ]),
        ),
      ]);
  }
  return found;
}
