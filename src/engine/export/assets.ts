/** Styles and scripts of an export: named by their content, so that browsers may keep them for ever. */
import { readText } from "../../base/files.ts";
import { classNamesIn, utilitiesCss } from "../author/utilities.ts";
import { messagesOf } from "../i18n/locales.ts";
import { encodePath } from "../paths.ts";
import { insideCss } from "../render/external-content.ts";
import { type FontFace, type SiteLook, siteCss } from "../render/theme.ts";
import { diskStylesInit, featureInit, sidebarInit, themeInit } from "../render/theme-init.ts";
import type { Site } from "../site/build-site.ts";
import { hashOf } from "../site/page-cache.ts";
import { playgroundFiles } from "./api-data.ts";
import type { Audiences } from "./audiences.ts";
import { type ExportTarget, hasAnalytics, hasAssistant, type OutputFile, outsideContent, type ProductAssets } from "./export-target.ts";
import type { InlineParts } from "./inline-parts.ts";
import { integrationsScript } from "./integrations.ts";
import type { NavIcons } from "./nav-icons.ts";

/** Where each asset lies in the export. */
export interface AssetNames {
  css: string;
  siteCss: string;
  /** By style sheet: the same with its pictures inline, for pages from disk, where browsers load no picture as a mask. */
  onDisk: ReadonlyMap<string, string>;
  /** Scripts that stand inline elsewhere. */
  init?: { head: string; sidebar: string };
  utilities?: string;
  page: string;
  islands: string;
  mermaid: string;
  /** Script of reference pages; empty when there are none. */
  reference: string;
  playground?: { script: string; style: string; words: ReadonlyMap<string, string> };
  /** Search and assistant, which readers load when they first want them. `words` by language. */
  asking: { search: Loaded; assistant?: Loaded; words: ReadonlyMap<string, string> };
  integrations?: string;
  /** Script of our own counting. */
  analytics?: string;
  authorCss: string[];
  /** Style sheets with what they load from other hosts, which a bundle takes in their place where there is a network. */
  outsideCss: string[];
  authorScripts: string[];
}

export interface Loaded {
  script: string;
  style: string;
}

export interface AssetPlan {
  names: AssetNames;
  files: OutputFile[];
}

const encoder = new TextEncoder();

/** `site`: all that is exported. */
export async function planAssets(
  site: Site,
  audiences: Audiences,
  product: ProductAssets,
  navIcons: NavIcons,
  target: ExportTarget,
  inline?: InlineParts,
): Promise<AssetPlan> {
  const files: OutputFile[] = [];
  const onDisk = new Map<string, string>();
  const outsideCss: string[] = [];
  const addCss = (name: string, css: string): string => {
    const { inside, whole } = splitCss(css, target);
    if (whole) outsideCss.push(add(name, whole));
    return add(name, inside);
  };
  const add = (name: string, content: string | Uint8Array): string => {
    if (!inline || !name.endsWith(".css")) return addFile(name, content);
    const css = typeof content === "string" ? content : new TextDecoder().decode(content);
    const without = inline.css(css, "anyone");
    const path = addFile(name, without);
    if (without !== css && target.links === "html") onDisk.set(path, addFile(name, css));
    return path;
  };
  const addFile = (name: string, content: string | Uint8Array): string => {
    const bytes = typeof content === "string" ? encoder.encode(content) : content;
    const [stem, ending] = name.split(/\.(?=\w+$)/) as [string, string];
    const path = `_octavo/${stem}-${hashOf(bytes).slice(0, 10)}.${ending}`;
    files.push({ path, bytes, access: "anyone" });
    return path;
  };
  const pages = [...site.pages.values()];
  const scripts = [...site.islandScripts.values()];
  const utilities = await utilitiesCss([
    ...pages.flatMap((page) => page.summary.classNames),
    ...scripts.flatMap((script) => [...classNamesIn(script)]),
  ]);
  const served = [...site.addresses.served];
  const authorCss = served.filter((path) => path.endsWith(".css"));
  for (const path of authorCss) {
    const { whole } = splitCss(readText(site.files, path) ?? "", target);
    if (!whole) continue;
    const wholePath = path.replace(/css$/, "outside.css");
    outsideCss.push(wholePath);
    files.push({ path: wholePath, bytes: encoder.encode(whole), access: audiences.ofFile(path) });
  }
  const hasDiagrams = pages.some((page) => page.summary.hasDiagram);
  const integrations = integrationsScript(site.config.settings.integrations, target);
  const hasIslands = site.islandScripts.size > 0;
  if (hasDiagrams) files.push({ path: "_octavo/mermaid-elk.js", bytes: product.read("mermaid-elk.js"), access: "anyone" });
  for (const [id, script] of site.islandScripts) {
    const access = audiences.ofAll(pages.filter((page) => page.summary.islands.includes(id)));
    files.push({ path: `_octavo/islands/${id}.js`, bytes: encoder.encode(script), access });
  }
  return {
    names: {
      onDisk,
      ...(inline
        ? {
            init: {
              head: add("init.js", `${[themeInit, featureInit, diskStylesInit].join(";")}\n`),
              sidebar: add("sidebar-init.js", `${sidebarInit}\n`),
            },
          }
        : {}),
      css: add("octavo.css", product.read("octavo.css")),
      siteCss: addCss("site.css", siteCss({ ...lookOf(site, navIcons), ...addFonts(site, product, add) })),
      ...(utilities ? { utilities: addCss("utilities.css", utilities) } : {}),
      page: add("page.js", product.read("page.js")),
      islands: hasIslands ? add("islands.js", product.read("islands.js")) : "",
      reference: pages.some((page) => page.reference) ? add("reference.js", product.read("reference.js")) : "",
      ...(pages.some((page) => playgroundFiles(page, site, audiences)) ? { playground: playgroundAssets(site, product, add) } : {}),
      asking: askingAssets(site, product, target, add),
      mermaid: hasDiagrams ? add("mermaid.js", product.read("mermaid.js")) : "",
      ...(hasAnalytics(target, site.config.settings.integrations) ? { analytics: add("analytics.js", product.read("analytics.js")) } : {}),
      ...(integrations ? { integrations: add("integrations.js", integrations) } : {}),
      // Style sheets and scripts at hand in the folder belong to every page; those in _octavo are ours.
      authorCss,
      outsideCss,
      authorScripts: served.filter((path) => path.endsWith(".js")),
    },
    files,
  };
}

/** A bundle's style sheet loads nothing of other hosts; `whole` is what does, where it may. */
export function splitCss(css: string, target: ExportTarget): { inside: string; whole?: string } {
  const outside = outsideContent(target);
  if (outside === "shown") return { inside: css };
  const inside = insideCss(css);
  return inside === css || outside === "link" ? { inside } : { inside, whole: css };
}

function askingAssets(
  site: Site,
  product: ProductAssets,
  target: ExportTarget,
  add: (name: string, content: string | Uint8Array) => string,
): AssetNames["asking"] {
  const loaded = (name: string): Loaded => ({
    script: add(`${name}.js`, product.read(`${name}.js`)),
    style: add(`${name}.css`, product.read(`${name}.css`)),
  });
  const languages = new Set([...site.pages.keys(), "", "404"].map((route) => site.languageOf(route)));
  return {
    search: loaded("search"),
    ...(hasAssistant(target) ? { assistant: loaded("assistant") } : {}),
    words: new Map(
      [...languages]
        .sort()
        .map((language) => [language, add(`asking-${language}.js`, `octavoAskingWords=${JSON.stringify(messagesOf(language).asking)};\n`)]),
    ),
  };
}

function playgroundAssets(
  site: Site,
  product: ProductAssets,
  add: (name: string, content: string | Uint8Array) => string,
): NonNullable<AssetNames["playground"]> {
  const languages = new Set([...site.pages.values()].filter((page) => page.reference).map((page) => site.languageOf(page.route)));
  return {
    script: add("playground.js", product.read("playground.js")),
    style: add("playground.css", product.read("playground.css")),
    words: new Map(
      [...languages]
        .sort()
        .map((language) => [
          language,
          add(`playground-${language}.js`, `octavoWords(${JSON.stringify(messagesOf(language).playground)})\n`),
        ]),
    ),
  };
}

/** Fonts that come with the product are carried along; those of the folder lie there already. */
function addFonts({ fonts }: Site, product: ProductAssets, add: (name: string, content: Uint8Array) => string): Pick<SiteLook, "fonts"> {
  const named = [fonts.body, fonts.heading].filter((font) => font !== undefined);
  if (named.length === 0) return {};
  const faces = named.flatMap(({ family, file, format, weight }): FontFace[] => {
    if (!file) return [];
    const variable = file.kind === "product";
    const url =
      file.kind === "address"
        ? file.url
        : file.kind === "folder"
          ? fromStyles(file.path)
          : add(file.name, product.read(`fonts/${file.name}`)).slice("_octavo/".length);
    return [
      { family, url, ...(variable ? { weight: "100 900" } : weight ? { weight: String(weight) } : {}), ...(format ? { format } : {}) },
    ];
  });
  return { fonts: { ...(fonts.body ? { body: fonts.body } : {}), ...(fonts.heading ? { heading: fonts.heading } : {}), faces } };
}

function lookOf(site: Site, navIcons: NavIcons): SiteLook {
  const { theme, colors, background, styling } = site.config.settings;
  const image = typeof background?.image === "string" ? { light: background.image, dark: background.image } : background?.image;
  return {
    theme,
    colors,
    ...(background
      ? { background: { ...background, image: image && { light: fromStyles(image.light), dark: fromStyles(image.dark) } } }
      : {}),
    codeblocks: styling?.codeblocks === "dark" ? "dark" : "system",
    navIcons: navIcons.drawings,
  };
}

/** An address in the folder, as it is written in a style sheet below _octavo. */
function fromStyles(address: string): string {
  return /^(?:https?:)?\/\//.test(address) ? address : `../${encodePath(address.replace(/^\/+/, ""))}`;
}
