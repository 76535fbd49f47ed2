/** Creates the URLs of a site's pages and files, as they are used on one page. */

import { basePathOf } from "../../base/base-path.ts";
import { escapeHtml } from "../../base/html-text.ts";
import { percentDecoded } from "../../base/url.ts";
import type { Hole } from "../page/body.ts";
import { externalAsLinks, withoutMissingImages } from "../page/external-content.ts";
import { splitUrls } from "../page/read-body.ts";
import { encodePath, htmlFile, notFoundRoute } from "../paths.ts";
import type { Site } from "../site/build-site.ts";
import { findDescribed, findTarget, idOfAnchor, isServedOrExternal } from "../site/link-targets.ts";
import type { Page } from "../site/page.ts";
import type { EncodedPart } from "../site/page-bodies.ts";
import { type ExportTarget, externalContentMode } from "./export-target.ts";
import { fileNames } from "./file-names.ts";

export class PageUrls {
  private readonly site: Site;
  private readonly target: ExportTarget;
  /** URL of the site's root: empty, `../` (repeated), or an absolute path such as `/` or `/docs/`. */
  readonly root: string;
  private readonly own: Page | undefined;

  /** `root`: URL of the site's root. Default: the root as seen from the route. */
  constructor(site: Site, target: ExportTarget, route: string, root?: string) {
    this.site = site;
    this.target = target;
    this.own = site.linkTargets.pages.get(route);
    this.root = root ?? rootSeenFrom(route, target);
  }

  page(page: Page): string {
    return this.route(page.route);
  }

  route(route: string): string {
    return this.target.links === "clean" ? this.at(route) : this.file(htmlFile(route));
  }

  file(path: string): string {
    return this.at(this.nameOf(path));
  }

  /**
   * Without `./`, a colon in the first segment of a relative URL would end a scheme, such as `javascript:`.
   */
  private at(path: string): string {
    const url = encodePath(path.replace(/^\/+/, ""));
    return this.root === "" && /^[^/]*:/.test(url) ? `./${url}` : this.root + url;
  }

  /** Returns the path of a page's file without `.html`. */
  stem(page: Page): string {
    return this.nameOf(htmlFile(page.route)).slice(0, -".html".length);
  }

  private nameOf(path: string): string {
    return this.target.links === "clean" ? path : (fileNames(this.site.linkTargets).get(path) ?? path);
  }

  /**
   * Resolves a link in docs.json or on a page. A URL with a scheme other than `http`, `https`, `mailto` and
   * `tel` becomes `#`.
   */
  link(address: string): { href: string; external: boolean } {
    if (/^(?:https?:)?\/\//i.test(address)) return { href: address, external: true };
    if (/^[a-z][a-z\d+.-]*:/i.test(address))
      return { href: /^(?:mailto|tel):/i.test(address) ? address : "#", external: false };
    if (address.startsWith("#") || address === "") return { href: address || "#", external: false };

    const found = findTarget(address.startsWith("/") ? address : `/${address}`, this.site.linkTargets);
    switch (found.kind) {
      case "page":
        return { href: this.page(found.page) + withKnownId(found.suffix, found.page), external: false };
      case "file":
        return { href: this.file(found.path) + found.suffix, external: false };
      case "external":
        return { href: found.href, external: true };
      case "missing":
        return { href: this.at(found.path) + found.suffix, external: false };
    }
  }

  /**
   * Resolves the URLs in HTML that are marked with `siteUrlMark`. Replaces missing images with text, unless
   * the target shows content from other hosts.
   */
  resolve(html: string): string {
    const shown =
      externalContentMode(this.target) === "shown"
        ? html
        : withoutMissingImages(html, (address) => isServedOrExternal(address, this.site.linkTargets));
    return splitUrls(shown)
      .map((piece, index) => (index % 2 ? this.marked(piece) : piece))
      .join("");
  }

  /** Fills the holes of a part of a body. Content from other hosts is shown as the target requires. */
  fill({ text, holes }: Pick<EncodedPart, "text" | "holes">): Buffer {
    if (holes.length === 0) return text;
    const pieces: Buffer[] = [];
    let done = 0;
    for (const hole of holes) {
      const html = hole.kind === "url" ? this.marked(hole.value) : this.content(hole);
      pieces.push(text.subarray(done, hole.at), Buffer.from(html));
      done = hole.at;
    }
    return Buffer.concat([...pieces, text.subarray(done)]);
  }

  private content({ value, isInLink }: Hole): string {
    const html = this.resolve(value);
    const outside = externalContentMode(this.target);
    return outside === "shown" ? html : externalAsLinks(html, outside === "restorable", isInLink);
  }

  /** Resolves a marked URL, and escapes it. */
  private marked(address: string): string {
    return escapeHtml(address.startsWith("#") ? this.fragment(address) : this.link(address).href);
  }

  /** Resolves a link to an element of the page itself. */
  private fragment(address: string): string {
    const described =
      this.own && findDescribed(address, this.own.reference?.document.file, this.site.linkTargets);
    if (described) return this.page(described);
    return this.own ? withKnownId(address, this.own) : address;
  }
}

/**
 * Returns the URL of the site's root. It's absolute on the "page not found" page, since hosts serve that page
 * at paths of any depth.
 */
function rootSeenFrom(route: string, { links, origin }: ExportTarget): string {
  if (route === notFoundRoute || links === "clean") return `${basePathOf(origin)}/`;
  return "../".repeat(route.split("/").length - 1);
}

/**
 * Returns the query and fragment of a URL. Replaces a fragment that is the name of a parameter with the id of
 * the parameter's element.
 */
function withKnownId(suffix: string, page: Page): string {
  return suffix.replace(/#(.+)$/s, (whole, anchor: string) => {
    const id = idOfAnchor(percentDecoded(anchor), page);
    return id === undefined || id === percentDecoded(anchor) ? whole : `#${encodeURI(id)}`;
  });
}
