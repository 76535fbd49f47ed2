/** Site-internal addresses, written so that they hold on the page where they stand. */
import { escapeHtml, unescapeHtml } from "../../base/text.ts";
import { encodePath, htmlFile } from "../paths.ts";
import { withoutMissing } from "../render/external-content.ts";
import type { Site } from "../site/build-site.ts";
import { findTarget, isPicture } from "../site/links.ts";
import type { Page } from "../site/site-page.ts";
import { type ExportTarget, outsideContent } from "./export-target.ts";
import { fileNames } from "./file-names.ts";

export class Addresses {
  private readonly site: Site;
  private readonly target: ExportTarget;
  /** Leads from the page to the site's root: ``, `../`, or `/`. */
  readonly root: string;

  /** `root`: given for a page that is served at addresses of any depth. */
  constructor(site: Site, target: ExportTarget, route: string, root?: string) {
    this.site = site;
    this.target = target;
    this.root = root ?? (target.links === "clean" ? "/" : "../".repeat(route.split("/").length - 1));
  }

  page(page: Page): string {
    return this.route(page.route);
  }

  route(route: string): string {
    return this.target.links === "clean" ? `/${encodePath(route)}` : this.file(htmlFile(route));
  }

  file(path: string): string {
    return this.root + encodePath(this.nameOf(path));
  }

  /** What scripts add the ending of a page's file to. */
  stem(page: Page): string {
    return this.nameOf(htmlFile(page.route)).slice(0, -".html".length);
  }

  private nameOf(path: string): string {
    return this.target.links === "clean" ? path : (fileNames(this.site.addresses).get(path) ?? path);
  }

  /** An address as docs.json or a page gives it. */
  to(address: string): { href: string; external: boolean } {
    if (/^(?:https?:)?\/\//i.test(address)) return { href: address, external: true };
    if (/^[a-z][a-z\d+.-]*:/i.test(address)) return { href: /^(?:mailto|tel):/i.test(address) ? address : "#", external: false };
    if (address.startsWith("#") || address === "") return { href: address || "#", external: false };
    const found = findTarget(address.startsWith("/") ? address : `/${address}`, this.site.addresses);
    switch (found.kind) {
      case "page":
        return { href: this.page(found.page) + found.suffix, external: false };
      case "file":
        return { href: this.file(found.path) + found.suffix, external: false };
      case "elsewhere":
        return { href: found.href, external: true };
      case "nowhere":
        return { href: this.root + encodePath(found.path) + found.suffix, external: false };
    }
  }

  /** HTML whose marked addresses are not worked out yet (see render-content). */
  resolve(html: string): string {
    const shown =
      outsideContent(this.target) === "shown" ? html : withoutMissing(html, (address) => isPicture(address, this.site.addresses));
    return shown.replace(/\uE000([^"\s]*)/g, (_, address: string) => escapeHtml(this.to(unescapeHtml(address)).href));
  }
}
