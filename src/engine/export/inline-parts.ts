/**
 * Pages without anything inline, for air-gapped sites: a proxy may add `Content-Security-Policy: default-src 'self'`, which stops
 * inline scripts, style attributes, style elements and `data:` images. What stands inline elsewhere becomes a file of the site or
 * a class of a style sheet. A style that no class can have is left to the page's script, which such a policy lets set it.
 */

import type { Access } from "../../base/access.ts";
import { escapeHtml, unescapeHtml } from "../../base/text.ts";
import { assetPath, siteFolder } from "../../layout/site-layout.ts";
import { outsideAsLinks } from "../render/external-content.ts";
import type { Site } from "../site/build-site.ts";
import { fragmentKey } from "../site/compile-fragments.ts";
import { hashOf } from "../site/page-cache.ts";
import { type Audiences, keyOf } from "./audiences.ts";
import type { OutputFile } from "./export-target.ts";

const tagRest = `(?:[^>"]|"[^"]*")*>`;
const tags = new RegExp(`<style\\b${tagRest}[\\s\\S]*?</style>|<[a-z][\\w-]*\\b${tagRest}`, "gi");
const styleElement = /^<style\b[^>]*>([\s\S]*)<\/style>$/i;
const styleAttribute = /\sstyle="([^"]*)"/i;
const dataAttribute = /(\s(?:src|href|xlink:href|poster)=")(data:[^"]*)"/gi;
const dataUrl = /url\(\s*(?:"(data:[^"]*)"|'(data:[^']*)'|(data:[^)"'\s]*))\s*\)/gi;
/** Most tags have nothing inline. */
const mayBeInline = /\sstyle="|"data:|^<style/i;

/** Where the files are. */

const encoder = new TextEncoder();

interface Sheet {
  access: Access;
  /** Class by style, as an attribute has it. */
  classes: Map<string, string>;
}

export class InlineParts {
  private readonly sheets = new Map<string, Sheet>();
  private readonly found = new Map<string, OutputFile>();
  /** Of each access, once everything is known that it has. */
  private readonly sheetPaths = new Map<string, string>();

  /** All of the site's texts. */
  constructor(site: Site, audiences: Audiences) {
    const collect = (key: string, access: Access) => {
      const { lead, html, aside } = site.bodies.body(key);
      for (const text of [lead, html, aside]) this.collect(text, access);
    };
    for (const page of site.pages.values()) collect(page.key, audiences.of(page));
    for (const [id, access] of audiences.fragments()) collect(fragmentKey(id), access);
  }

  collect(html: string, access: Access): void {
    if (html.includes("style=")) this.collectStyles(html, access);
    // What is found on the way is kept.
    if (/<style|data:image/i.test(html)) this.html(outsideAsLinks(html, false), access, "");
  }

  /** The files in which everything is. To be called once everything is collected. */
  files(): Iterable<OutputFile> {
    for (const [key, { access, classes }] of this.sheets) {
      const css = [...classes].map(([style, name]) => ruleOf(name, style)).join("");
      this.sheetPaths.set(key, this.keep("styles", "css", encoder.encode(css), access));
    }
    return this.found.values();
  }

  /** A page's whole document. `root`: leads to the site's root, for a page that does not say it itself. */
  page(html: string, access: Access, otherRoot: string): string {
    const said = /\sdata-root="([^"]*)"/.exec(html)?.[1];
    const root = said === undefined ? otherRoot : unescapeHtml(said);
    const sheet = this.sheetPaths.get(keyOf(access));
    const link = sheet ? `<link rel="stylesheet" href="${root}${sheet}">` : "";
    return this.html(html, access, root).replace("</head>", () => `${link}</head>`);
  }

  /** Part of a page, which is in the same folder as the page or below the site's root. */
  html(html: string, access: Access, root: string): string {
    return html.replace(tags, (tag) => {
      if (!mayBeInline.test(tag)) return tag;
      const css = styleElement.exec(tag)?.[1];
      if (css !== undefined) {
        const path = this.keep("style", "css", encoder.encode(this.css(css, access)), access);
        return `<link rel="stylesheet" href="${root}${path}">`;
      }
      return this.withoutStyle(tag, access, root).replace(
        dataAttribute,
        (_, before: string, url: string) => `${before}${root}${this.dataFile(unescapeHtml(url), access) ?? ""}"`,
      );
    });
  }

  /** CSS whose pictures are files. `folder`: leads from the style sheet, or the page, to the folder of these files. */
  css(css: string, access: Access, folder = ""): string {
    return css.replace(dataUrl, (text, double?: string, single?: string, bare?: string) => {
      const path = this.dataFile((double ?? single ?? bare)!, access);
      return path === undefined ? text : `url(${folder}${path.slice(siteFolder.length)})`;
    });
  }

  private collectStyles(html: string, access: Access): void {
    const sheet = this.sheets.get(keyOf(access)) ?? { access, classes: new Map() };
    this.sheets.set(keyOf(access), sheet);
    for (const [tag] of html.matchAll(tags)) {
      const style = styleAttribute.exec(tag)?.[1];
      if (style === undefined || sheet.classes.has(style)) continue;
      const declarations = unescapeHtml(style);
      if (isClassable(declarations)) sheet.classes.set(style, `o-s${hashOf(declarations).slice(0, 10)}`);
    }
  }

  private withoutStyle(tag: string, access: Access, root: string): string {
    const style = styleAttribute.exec(tag)?.[1];
    if (style === undefined) return tag;
    const name = this.sheets.get(keyOf(access))?.classes.get(style);
    if (name === undefined) {
      const set = this.css(unescapeHtml(style), access, root + siteFolder);
      return tag.replace(styleAttribute, () => ` data-style="${escapeHtml(set)}"`);
    }
    const without = tag.replace(styleAttribute, "");
    return /\sclass="/.test(without)
      ? without.replace(/\sclass="/, (text) => `${text}${name} `)
      : without.replace(/^<[\w-]+/, (start) => `${start} class="${name}"`);
  }

  private dataFile(url: string, access: Access): string | undefined {
    const [, type = "", base64, data = ""] = /^data:(image\/[\w.+-]+)?[^,]*?(;base64)?,([\s\S]*)$/i.exec(url) ?? [];
    const ending = endings[type.toLowerCase()];
    if (ending === undefined) return undefined;
    try {
      const bytes = base64 ? Uint8Array.from(atob(data), (char) => char.charCodeAt(0)) : encoder.encode(decodeURIComponent(data));
      return this.keep("image", ending, bytes, access);
    } catch {
      return undefined;
    }
  }

  private keep(stem: string, ending: string, bytes: Uint8Array, access: Access): string {
    const path = assetPath(stem, hashOf(bytes, keyOf(access)), ending);
    this.found.set(path, { path, bytes, access });
    return path;
  }
}

const endings: Record<string, string> = {
  "image/svg+xml": "svg",
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/jpg": "jpg",
  "image/gif": "gif",
  "image/webp": "webp",
  "image/avif": "avif",
};

/** Declarations that stay within a rule, and say the same in a style sheet as in a page: no addresses, which are relative to either. */
function isClassable(declarations: string): boolean {
  if (/[{}<>\\@]|\/\*|url\(/i.test(declarations)) return false;
  const withoutStrings = declarations.replace(/"[^"\n]*"|'[^'\n]*'/g, "");
  return !/["'\n]/.test(withoutStrings) && withoutStrings.split("(").length === withoutStrings.split(")").length;
}

/** As strong as an attribute against style sheets that name classes. */
function ruleOf(name: string, style: string): string {
  return `.${name}.${name}.${name}{${unescapeHtml(style)}}\n`;
}
