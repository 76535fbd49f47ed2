/** Collects the icons of the navigation. The site's style sheet contains a class for each icon. */

import { type Files, readText } from "../../base/files.ts";
import { type Problem, problem } from "../../base/problem.ts";
import type { IconLibrary } from "../config/icon-schema.ts";
import { cleanSvg } from "../html/clean-svg.ts";
import { icon, iconClass } from "../html/icons.ts";
import { isExternal } from "../html/safe-attributes.ts";
import type { Site } from "../site/build-site.ts";
import { isPage, type NavTreeItem } from "../site/navigation/resolve-navigation.ts";
import { type ExportTarget, externalContentMode } from "./export-target.ts";

/** An icon of the navigation, with its `iconType`, and the file that specifies it. Default: docs.json. */
type NamedIcon = readonly [icon: unknown, type: string | undefined, file?: string];

export class NavIcons {
  /** SVG source or URL by class name. */
  readonly drawings = new Map<string, string>();
  private readonly files: Files;
  private readonly library: IconLibrary;
  /** Whether icons of other hosts are shown. */
  private readonly hasOutside: boolean;
  /** Class name by icon and `iconType` as JSON; undefined for unknown icons. */
  readonly classes = new Map<string, string | undefined>();

  constructor(site: Site, target: ExportTarget) {
    this.files = site.files;
    this.hasOutside = externalContentMode(target) !== "link";
    this.library = site.config.settings.icons?.library ?? "fontawesome";
    for (const [icon, type] of iconsOf(site)) {
      const key = keyOf(icon, type);
      if (icon && !this.classes.has(key)) this.classes.set(key, this.draw(icon, type));
    }
  }

  /** Returns the class name of an icon. Undefined if there is no icon or the icon is unknown. */
  classOf(icon: unknown, type: string | undefined): string | undefined {
    return icon ? this.classes.get(keyOf(icon, type)) : undefined;
  }

  private draw(value: unknown, type: string | undefined): string | undefined {
    const { name, style, library } =
      typeof value === "object"
        ? (value as { name?: string; style?: string; library?: IconLibrary })
        : { name: String(value), style: type, library: this.library };

    if (!name) return undefined;
    const url = outsideUrl(name);
    if (url !== undefined) {
      if (!this.hasOutside) return undefined;
      const className = `o-i-url-${this.drawings.size}`;
      this.drawings.set(className, url);
      return className;
    }

    const options = { library: library ?? this.library, ...(style ? { type: style } : {}) };

    const own = /^\/?[^<:]+\.svg$/.test(name)
      ? readText(this.files, name.replace(/^\//, ""))
      : name.trim().startsWith("<")
        ? name
        : undefined;

    const svg = own === undefined ? icon(name, options) : cleanSvg(own);
    if (!svg?.startsWith("<svg")) return undefined;
    const className = iconClass(own === undefined ? name : `own-${this.drawings.size}`, options);

    // An SVG that is used as an image must declare its namespace.
    this.drawings.set(
      className,
      svg.replace(/^<svg(?![^>]*xmlns=)/, '<svg xmlns="http://www.w3.org/2000/svg"'),
    );

    return className;
  }
}

function keyOf(icon: unknown, type: string | undefined): string {
  return JSON.stringify([icon, type]);
}

/** Returns the URL of an icon of another host. Undefined for other icons. */
function outsideUrl(icon: string): string | undefined {
  return isExternal(icon) ? icon.replace(/^\/\//, "https://") : undefined;
}

/** Returns the icons of other hosts, each with the file that specifies it first. */
export function iconUrls(site: Site): Map<string, string> {
  const urls = new Map<string, string>();
  for (const [value, , file = "docs.json"] of iconsOf(site)) {
    const name = typeof value === "object" ? (value as { name?: unknown } | null)?.name : value;
    const url = typeof name === "string" ? outsideUrl(name) : undefined;
    if (url !== undefined && !urls.has(url)) urls.set(url, file);
  }
  return urls;
}

/** Reports icons of other hosts that an export leaves out. */
export function missingIcons(site: Site, target: ExportTarget): Problem[] {
  if (externalContentMode(target) !== "link") return [];
  return [...iconUrls(site)].map(([url, file]) =>
    problem(
      "unknown-icon",
      { file },
      `The icon ${url} isn't shown on air-gapped sites`,
      "Add an SVG file to the documentation folder, and use its path.",
    ),
  );
}

/** Yields all icons that the navigation can show, including those of views and the navbar. */
function* iconsOf({ navigation, pages, config }: Site): Generator<NamedIcon> {
  yield* iconsBelow([navigation.root]);
  for (const page of pages.values())
    for (const view of page.summary.views) yield [view.icon, undefined, page.file];
  for (const link of config.settings.navbar?.links ?? []) yield [link.icon ?? link.type, link.iconType];
}

function* iconsBelow(items: readonly NavTreeItem[]): Generator<NamedIcon> {
  for (const item of items) {
    if (isPage(item)) yield [item.page.frontmatter.icon, item.page.frontmatter.iconType, item.page.file];
    else {
      yield [item.division.icon, item.division.iconType];
      for (const division of item.division.global) yield [division.icon, division.iconType];
      for (const link of item.division.navbar?.links ?? []) yield [link.icon ?? link.type, link.iconType];
      yield* iconsBelow(item.children);
    }
  }
}
