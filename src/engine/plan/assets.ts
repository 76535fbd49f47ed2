/**
 * Plans the style sheets, scripts and fonts of an export. Most file names contain a hash of the content, so
 * that browsers can cache the files.
 */

import type { Access } from "../../base/access.ts";
import { basePathOf } from "../../base/base-path.ts";
import { readText } from "../../base/files.ts";
import { assetPath, diagramLayoutPath, islandPath } from "../../layout/site-layout.ts";
import { classNamesIn, utilitiesCss } from "../author/utility-classes.ts";
import { hasFrameId, withFrameIds } from "../frame/frame-ids.ts";
import { diskStylesInit, featureInit, sidebarInit, themeInit } from "../frame/init-scripts.ts";
import { namedColors } from "../frame/palette.ts";
import { type SiteAppearance, siteCss } from "../frame/site-css.ts";
import { themeOf } from "../frame/themes.ts";
import { hashOf } from "../hash-of.ts";
import { messagesOf } from "../i18n/locales.ts";
import { encodePath } from "../paths.ts";
import { stemmerOf } from "../search/stemmers.ts";
import { stopWords } from "../search/stop-words.ts";
import { shortLanguage } from "../search/terms.ts";
import type { Site } from "../site/build-site.ts";
import { withoutSkills } from "../site/sources/skills.ts";
import type { Audiences } from "./audiences.ts";
import { authorCss as adaptedCss } from "./author-css.ts";
import { type DiagramScripts, planDiagrams } from "./diagram-files.ts";
import {
  type ExportTarget,
  hasAnalytics,
  hasAssistant,
  type OutputFile,
  type ProductAssets,
} from "./export-target.ts";
import { type PreloadedFonts, planFonts } from "./font-files.ts";
import type { InlineParts } from "./inline-parts.ts";
import { integrationsScript } from "./integrations.ts";
import type { NavIcons } from "./nav-icons.ts";
import type { Playgrounds } from "./playgrounds.ts";
import { splitCss } from "./split-css.ts";

/** Paths of the assets of an export. */
export interface AssetNames {
  css: string;
  /**
   * Style sheets for pages whose parts have other ids (`frame-ids.ts`), by the path of the usual style sheet.
   */
  renamedCss: ReadonlyMap<string, string>;
  /** The theme, and the site's colors, fonts and icons. */
  siteCss: string;
  fonts: PreloadedFonts;
  /**
   * Path of a style sheet → path of its variant with inline images. Pages opened from disk use the variant,
   * because browsers don't load mask images from disk.
   */
  onDisk: ReadonlyMap<string, string>;
  /**
   * Paths of the initialization scripts. Absent in exports that allow inline scripts, where these scripts are
   * inline.
   */
  init?: { head: string; sidebar: string };
  utilities?: string;
  page: string;
  /** Script of interactive components; empty if there are none. */
  islands: string;
  /** Script that fills in values of `user`. Empty if no page shows them. */
  readerText: string;
  diagrams: DiagramScripts;
  /** Script and style sheet of reference pages. Undefined if there are none. */
  reference?: AssetPair;
  playground?: { script: string; style: string; messages: ReadonlyMap<string, string> };
  /**
   * Search and assistant, loaded at first use. `messages`: path of the script with the interface messages, by
   * language.
   */
  dialogs: { search: AssetPair; assistant?: AssetPair; messages: ReadonlyMap<string, string> };
  integrations?: string;
  /** Path of the script for feedback on code blocks. Absent if there is none. */
  codeFeedback?: string;
  /** Path of Octavo's analytics script. Absent if the site has no analytics. */
  analytics?: string;
  authorCss: string[];
  /**
   * Style sheets that load files from other hosts. The page's script adds them if external content is
   * allowed.
   */
  outsideCss: string[];
  authorScripts: string[];
}

interface AssetPair {
  script: string;
  style: string;
}

export interface AssetPlan {
  names: AssetNames;
  files: OutputFile[];
}

const encoder = new TextEncoder();

/** Collects the asset files of an export. */
class AssetFiles {
  readonly files: OutputFile[] = [];
  readonly onDisk = new Map<string, string>();
  readonly outsideCss: string[] = [];
  private readonly target: ExportTarget;
  private readonly inline: InlineParts | undefined;

  constructor(target: ExportTarget, inline: InlineParts | undefined) {
    this.target = target;
    this.inline = inline;
  }

  /**
   * Adds a file with a hash of its content in its name. Returns the file's path. If pages must not have
   * inline parts, the `data:` images of a style sheet also become files.
   */
  add = (name: string, content: string | Uint8Array): string => {
    if (!this.inline || !name.endsWith(".css")) return this.addFile(name, content);
    const css = typeof content === "string" ? content : new TextDecoder().decode(content);
    const without = this.inline.css(css, "anyone");
    const path = this.addFile(name, without);
    if (without !== css && this.target.links === "html") this.onDisk.set(path, this.addFile(name, css));
    return path;
  };

  /**
   * Splits a style sheet with `splitCss`. Adds the version without external files (`inside`) and returns its
   * path. Adds the path of the complete version (`whole`), if there is one, to `outsideCss`.
   */
  addCss(name: string, css: string): string {
    const { inside, whole } = splitCss(css, this.target);
    if (whole) this.outsideCss.push(this.add(name, whole));
    return this.add(name, inside);
  }

  /** Adds the complete version of an author's style sheet to `outsideCss`, if `splitCss` returns one. */
  addOutsideCss(path: string, css: string, access: Access): void {
    const { whole } = splitCss(adaptedCss(css), this.target);
    if (!whole) return;
    const wholePath = path.replace(/css$/, "outside.css");
    this.outsideCss.push(wholePath);
    this.files.push({ path: wholePath, bytes: encoder.encode(whole), access });
  }

  private addFile(name: string, content: string | Uint8Array): string {
    const bytes = typeof content === "string" ? encoder.encode(content) : content;
    const [stem, ending] = name.split(/\.(?=\w+$)/) as [string, string];
    const path = assetPath(stem, hashOf(bytes), ending);
    this.files.push({ path, bytes, access: "anyone" });
    return path;
  }
}

/** Plans the assets of an export. `site`: the site with only its exported pages. */
export async function planAssets(
  site: Site,
  audiences: Audiences,
  playgrounds: Playgrounds,
  product: ProductAssets,
  navIcons: NavIcons,
  target: ExportTarget,
  inline?: InlineParts,
): Promise<AssetPlan> {
  const assets = new AssetFiles(target, inline);
  const add = assets.add;
  const pages = [...site.pages.values()].flatMap((page) => audiences.variantsOf(page));
  const scripts = [...site.islandScripts.values()];
  const utilities = await utilitiesCss(
    [
      ...pages.flatMap((page) => page.summary.classNames),
      ...scripts.flatMap((script) => [...classNamesIn(script)]),
    ],
    namedColors(site.config.settings),
  );

  const served = withoutSkills(site.linkTargets.served, site.skills);
  const authorCss = served.filter((path) => path.endsWith(".css"));
  for (const path of authorCss)
    assets.addOutsideCss(path, readText(site.files, path) ?? "", audiences.ofFile(path));
  const themeCss = new TextDecoder().decode(product.read(`themes/${site.config.settings.theme}.css`));
  const { fonts, preload } = planFonts(site.fonts, product, add, fromStyles);

  const diagrams = planDiagrams(
    pages.map((page) => page.summary),
    product,
    add,
  );

  const integrations = integrationsScript(site.config.settings.integrations, target);
  const hasIslands = site.islandScripts.size > 0;
  const isBelowPath = basePathOf(target.origin) !== "";
  if (diagrams.hasElk)
    assets.files.push({ path: diagramLayoutPath, bytes: product.read("mermaid-elk.js"), access: "anyone" });

  for (const [id, script] of site.islandScripts) {
    const access = audiences.ofAll(pages.filter((page) => page.summary.islands.includes(id)));
    assets.files.push({ path: islandPath(id), bytes: encoder.encode(script), access });
  }

  const { feedback } = site.config.settings;
  const codeFeedbackScript = () =>
    feedback?.codeBlocks && feedback.enabled !== false
      ? { codeFeedback: add("code-feedback.js", product.read("code-feedback.js")) }
      : {};
  const css = new TextDecoder().decode(product.read("octavo.css"));
  const ownCss = themeCss + siteCss({ ...appearanceOf(site, navIcons), fonts });
  const names = { css: add("octavo.css", css), siteCss: assets.addCss("site.css", ownCss) };
  const renamedCss = new Map<string, string>();
  if (pages.some(({ summary }) => hasFrameId(summary.anchors)))
    renamedCss
      .set(names.css, add("octavo-ids.css", withFrameIds(css)))
      .set(names.siteCss, add("site-ids.css", withFrameIds(splitCss(ownCss, target).inside)));

  return {
    names: {
      ...names,
      renamedCss,
      onDisk: assets.onDisk,
      ...(inline
        ? {
            init: {
              head: add("init.js", `${[themeInit(isBelowPath), featureInit, diskStylesInit].join(";")}\n`),
              sidebar: add("sidebar-init.js", `${sidebarInit(isBelowPath)}\n`),
            },
          }
        : {}),
      fonts: preload,
      ...(utilities ? { utilities: assets.addCss("utilities.css", utilities) } : {}),
      page: add("page.js", product.read("page.js")),
      islands: hasIslands ? add("islands.js", product.read("islands.js")) : "",
      readerText: pages.some((page) => page.summary.hasReaderText)
        ? add("reader-text.js", product.read("reader-text.js"))
        : "",
      ...(pages.some((page) => page.reference) ? { reference: assetPair("reference", product, add) } : {}),
      ...([...site.pages.values()].some((page) => playgrounds.of(page))
        ? { playground: playgroundAssets(site, product, add) }
        : {}),
      dialogs: dialogAssets(site, product, target, add),
      diagrams,
      ...(hasAnalytics(target, site.config.settings.integrations)
        ? { analytics: add("analytics.js", product.read("analytics.js")), ...codeFeedbackScript() }
        : {}),
      ...(integrations ? { integrations: add("integrations.js", integrations) } : {}),
      // Every page loads all style sheets in the documentation folder.
      authorCss,
      outsideCss: assets.outsideCss,
      authorScripts: [...site.authorScripts],
    },
    files: assets.files,
  };
}

type AddAsset = (name: string, content: string | Uint8Array) => string;

function assetPair(name: string, product: ProductAssets, add: AddAsset): AssetPair {
  return {
    script: add(`${name}.js`, product.read(`${name}.js`)),
    style: add(`${name}.css`, product.read(`${name}.css`)),
  };
}

function dialogAssets(
  site: Site,
  product: ProductAssets,
  target: ExportTarget,
  add: AddAsset,
): AssetNames["dialogs"] {
  const languages = new Set([...site.pages.keys(), "", "404"].map((route) => site.languageOf(route)));
  return {
    search: assetPair("search", product, add),
    ...(hasAssistant(target) ? { assistant: assetPair("assistant", product, add) } : {}),
    messages: new Map(
      [...languages]
        .sort()
        .map((language) => [language, add(`asking-${language}.js`, dialogScript(language, product))]),
    ),
  };
}

/**
 * Returns the script with the messages of search and the assistant, and with the stop words and the stemmer
 * that search uses, in a language.
 */
function dialogScript(language: string, product: ProductAssets): string {
  const short = shortLanguage(language);
  const stemmer = stemmerOf(short) ? new TextDecoder().decode(product.read(`stemmers/${short}.js`)) : "";
  const stops = JSON.stringify({ [short]: [...stopWords(short)].join(" ") });
  return `octavoAskingWords=${JSON.stringify(messagesOf(language).asking)};octavoStopWords=${stops};\n${stemmer}`;
}

function playgroundAssets(
  site: Site,
  product: ProductAssets,
  add: AddAsset,
): NonNullable<AssetNames["playground"]> {
  const languages = new Set(
    [...site.pages.values()].filter((page) => page.reference).map((page) => site.languageOf(page.route)),
  );
  return {
    ...assetPair("playground", product, add),
    messages: new Map(
      [...languages]
        .sort()
        .map((language) => [language, add(`playground-${language}.js`, playgroundScript(language))]),
    ),
  };
}

/** The playground's own script contains the messages in English. */
function playgroundScript(language: string): string {
  const { playground, constraints } = messagesOf(language);
  return `octavoWords(${JSON.stringify(language === "en" ? {} : { ...playground, constraints })})\n`;
}

function appearanceOf(site: Site, navIcons: NavIcons): SiteAppearance {
  const { theme, colors, background, styling } = site.config.settings;
  const image =
    typeof background?.image === "string"
      ? { light: background.image, dark: background.image }
      : background?.image;

  return {
    colors,
    background: {
      ...(background?.decoration && background.decoration !== "none"
        ? { decoration: background.decoration }
        : {}),
      color: background?.color ?? themeOf(theme).background ?? {},
      ...(image ? { image: { light: fromStyles(image.light), dark: fromStyles(image.dark) } } : {}),
    },
    codeblocks: styling?.codeblocks === "dark" ? "dark" : "system",
    navIcons: navIcons.drawings,
  };
}

/**
 * Returns the URL of a file of the documentation folder, relative to a style sheet in `_octavo`. External
 * URLs are unchanged.
 */
function fromStyles(url: string): string {
  return /^(?:https?:)?\/\//.test(url) ? url : `../${encodePath(url.replace(/^\/+/, ""))}`;
}
