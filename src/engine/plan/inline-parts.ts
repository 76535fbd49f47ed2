/**
 * Moves inline styles and `data:` images of pages to files, for air-gapped sites: a proxy can add
 * `Content-Security-Policy: default-src 'self'`, which blocks them. Style attributes become classes of a
 * style sheet. Styles that a class can't express become `data-style` attributes. The page's script applies
 * them, which the policy allows.
 */

import { type Access, accessKey } from "../../base/access.ts";
import { escapeHtml, unescapeHtml } from "../../base/html-text.ts";
import { assetPath, siteFolder } from "../../layout/site-layout.ts";
import { hashOf } from "../hash-of.ts";
import { replaceTags, type Tag, type TagReplacement, tagsIn } from "../html/tags.ts";
import { externalAsLinks } from "../page/external-content.ts";
import { withoutExternalSvg } from "../page/external-svg.ts";
import type { Site } from "../site/build-site.ts";
import { fragmentKey } from "../site/pages/compile-fragments.ts";
import { withPolicy } from "./air-gapped-policy.ts";
import type { Audiences } from "./audiences.ts";
import type { OutputFile } from "./export-target.ts";

const dataUrl = /url\(\s*(?:"(data:[^"]*)"|'(data:[^']*)'|(data:[^)"'\s]*))\s*\)/gi;
/** Attributes with URLs of images. */
const urlAttributes = new Set(["src", "href", "xlink:href", "poster"]);

const encoder = new TextEncoder();

interface Sheet {
  access: Access;
  /** Class name by value of the style attribute. */
  classes: Map<string, string>;
}

/** Replaces the inline parts of a site's pages with files, and adds the policy of air-gapped pages. */
export class InlineParts {
  private readonly sheets = new Map<string, Sheet>();
  private readonly found = new Map<string, OutputFile>();
  /** Path of the style sheet by access; set by `files`. */
  private readonly sheetPaths = new Map<string, string>();

  /** Collects the inline parts of all page bodies and shared schemas. */
  constructor(site: Site, audiences: Audiences) {
    const collect = (key: string, access: Access) => {
      for (const part of ["lead", "html", "aside"] as const) {
        const { holes, styles } = site.bodies.htmlPart(key, part);
        this.addStyles(styles, access);
        for (const { kind, value, isInLink } of holes)
          if (kind === "content") this.addFiles(value, access, isInLink);
      }
    };
    for (const page of site.pages.values())
      for (const variant of audiences.variantsOf(page)) collect(variant.storedName, audiences.of(variant));
    for (const [id, access] of audiences.fragmentAccesses()) collect(fragmentKey(id), access);
  }

  /** Collects the inline parts of a document. */
  collect(html: string, access: Access): void {
    this.addStyles(Array.from(tagsIn(html), (tag) => tag.value("style") ?? []).flat(), access);
    this.addFiles(html, access);
  }

  /**
   * Adds the files of style elements and images. The HTML itself is replaced later, when the classes of all
   * pages are known.
   */
  private addFiles(html: string, access: Access, isInLink = false): void {
    if (/<style|data:image/i.test(html)) this.html(externalAsLinks(html, false, isInLink), access, "");
  }

  /** Returns all files. Call this after the last `collect`. */
  files(): Iterable<OutputFile> {
    for (const [key, { access, classes }] of this.sheets) {
      const css = [...classes].map(([style, name]) => ruleOf(name, style)).join("");
      this.sheetPaths.set(key, this.addFile("styles", "css", encoder.encode(css), access));
    }
    return this.found.values();
  }

  /**
   * Replaces the inline parts of a complete HTML document. `otherRoot`: relative URL of the site's root, for
   * a document without `data-root`.
   */
  page(html: string, access: Access, otherRoot: string): string {
    const [element] = tagsIn(html);
    const declared = element?.value("data-root");
    const root = declared === undefined ? otherRoot : unescapeHtml(declared);
    const sheet = this.sheetPaths.get(accessKey(access));
    const link = sheet ? `<link rel="stylesheet" href="${root}${sheet}">` : "";
    return withPolicy(this.html(html, access, root).replace("</head>", () => `${link}</head>`));
  }

  /** Replaces the inline parts in a fragment of HTML. `root`: relative URL of the site's root. */
  html(html: string, access: Access, root: string): string {
    return replaceTags(html, (tag) => {
      if (tag.isEnd) return undefined;
      return tag.name === "style"
        ? this.styleElement(html, tag, access, root)
        : this.attributes(tag, access, root);
    });
  }

  /** Replaces the `data:` images in CSS with files. `folder`: relative URL of the folder of these files. */
  css(css: string, access: Access, folder = ""): string {
    return css.replace(dataUrl, (text, double?: string, single?: string, bare?: string) => {
      const path = this.dataFile((double ?? single ?? bare)!, access);
      return path === undefined ? text : `url(${folder}${path.slice(siteFolder.length)})`;
    });
  }

  private addStyles(styles: readonly string[], access: Access): void {
    if (styles.length === 0) return;
    const sheet = this.sheets.get(accessKey(access)) ?? { access, classes: new Map() };
    this.sheets.set(accessKey(access), sheet);
    for (const style of styles) {
      const declarations = unescapeHtml(style);
      if (isClassable(declarations)) sheet.classes.set(style, `o-s${hashOf(declarations).slice(0, 10)}`);
    }
  }

  private styleElement(html: string, tag: Tag, access: Access, root: string): TagReplacement {
    const end = tag.elementEnd();
    const css = html.slice(tag.end, end - "</style>".length);
    const path = this.addFile("style", "css", encoder.encode(this.css(css, access)), access);
    return { end, text: `<link rel="stylesheet" href="${root}${path}">` };
  }

  private attributes(tag: Tag, access: Access, root: string): TagReplacement | undefined {
    const changed: Record<string, string> = {};
    let added = "";
    for (const { name, value } of tag.attributes) {
      if (name === "style") {
        const className = this.sheets.get(accessKey(access))?.classes.get(value);
        if (className === undefined) {
          changed.style = ` data-style="${escapeHtml(this.css(unescapeHtml(value), access, root + siteFolder))}"`;
          continue;
        }
        changed.style = "";
        const others = tag.value("class");
        if (others === undefined) added = ` class="${className}"`;
        else changed.class = ` class="${className} ${others}"`;
      } else if (urlAttributes.has(name) && /^data:/i.test(value))
        changed[name] = ` ${name}="${root}${this.dataFile(unescapeHtml(value), access) ?? ""}"`;
    }

    return Object.keys(changed).length ? { text: tag.withAttributes(changed, added) } : undefined;
  }

  private dataFile(url: string, access: Access): string | undefined {
    const [, type = "", base64, data = ""] =
      /^data:(image\/[\w.+-]+)?[^,]*?(;base64)?,([\s\S]*)$/i.exec(url) ?? [];
    const ending = extensions[type.toLowerCase()];
    if (ending === undefined) return undefined;
    try {
      const bytes = base64
        ? Uint8Array.from(atob(data), (char) => char.charCodeAt(0))
        : encoder.encode(decodeURIComponent(data));
      return this.addFile("image", ending, ending === "svg" ? withoutExternalSvg(bytes) : bytes, access);
    } catch {
      return undefined;
    }
  }

  private addFile(stem: string, ending: string, bytes: Uint8Array, access: Access): string {
    const path = assetPath(stem, hashOf(bytes, accessKey(access)), ending);
    this.found.set(path, { path, bytes, access });
    return path;
  }
}

const extensions: Record<string, string> = {
  "image/svg+xml": "svg",
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/jpg": "jpg",
  "image/gif": "gif",
  "image/webp": "webp",
  "image/avif": "avif",
};

/**
 * Whether declarations can be moved to a class. They must be valid in a rule and contain no URLs, since URLs
 * can be relative to the page.
 */
function isClassable(declarations: string): boolean {
  if (/[{}<>\\@]|\/\*|(?:url|image-set)\(/i.test(declarations)) return false;
  const withoutStrings = declarations.replace(/"[^"\n]*"|'[^'\n]*'/g, "");
  return (
    !/["'\n]/.test(withoutStrings) && withoutStrings.split("(").length === withoutStrings.split(")").length
  );
}

/**
 * Returns the CSS rule of a class. Repeats the class in the selector, so that the rule takes precedence over
 * most other class selectors.
 */
function ruleOf(name: string, style: string): string {
  return `.${name}.${name}.${name}{${unescapeHtml(style)}}\n`;
}
