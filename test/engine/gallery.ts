import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { renderNotFound, renderPage } from "../../src/engine/frame/render-page.tsx";
import { siteCss } from "../../src/engine/frame/site-css.ts";
import { themes } from "../../src/engine/frame/themes.ts";
import { galleryPages, notFoundView, restTree } from "./gallery-pages.ts";

const icon = (path: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="#000" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">${path}</svg>`;
const navIcons = new Map([
  ["o-i-book", icon('<path d="M4 5a2 2 0 0 1 2-2h14v16H6a2 2 0 0 0-2 2z"/>')],
  ["o-i-bolt", icon('<path d="M13 2 4 14h7l-1 8 9-12h-7z"/>')],
  ["o-i-people", icon('<circle cx="9" cy="8" r="4"/><path d="M2 21a7 7 0 0 1 14 0"/>')],
]);

async function themeCss(theme: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [`src/engine/frame/styles/themes/${theme}.css`],
    bundle: true,
    write: false,
  });
  return outputFiles[0]!.text;
}

/** Renders the pages of the gallery to a folder, for browsers. */
export async function writeGallery(folder: string): Promise<void> {
  mkdirSync(join(folder, "_octavo"), { recursive: true });
  await build({
    entryPoints: ["src/engine/frame/styles/main.css"],
    bundle: true,
    minify: true,
    outfile: join(folder, "_octavo/octavo.css"),
  });
  await build({
    entryPoints: ["src/browser/page.ts"],
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2022",
    outfile: join(folder, "_octavo/page.js"),
  });

  for (const theme of Object.keys(themes)) {
    const colors = { primary: "#0d7a5f", light: "#4ade9f", dark: "#0d7a5f" };
    writeFileSync(
      join(folder, `_octavo/site-${theme}.css`),
      (await themeCss(theme)) + siteCss({ colors, navIcons }),
    );
  }
  writeFileSync(
    join(folder, "_octavo/site-decorated.css"),
    siteCss({
      colors: { primary: "#7c3aed" },
      background: { decoration: "gradient", color: { light: "#fdfcff" } },
      codeblocks: "dark",
      navIcons,
    }),
  );
  writeFileSync(join(folder, "_octavo/nav.js"), `octavoNav(${JSON.stringify(restTree)})`);

  for (const view of galleryPages()) writeFileSync(join(folder, `${view.path}.html`), renderPage(view));
  for (const theme of Object.keys(themes)) {
    const [, guide] = galleryPages();
    if (!guide) continue;
    writeFileSync(
      join(folder, `theme-${theme}.html`),
      renderPage({ ...guide, theme, styles: ["_octavo/octavo.css", `_octavo/site-${theme}.css`] }),
    );
  }
  writeFileSync(join(folder, "404.html"), renderNotFound(notFoundView()));
}
