/** Collects the icons of the navigation. The site's style sheet contains a class for each icon. */

import { type Files, readText } from "../../base/files.ts";
import type { IconLibrary } from "../config/icon-schema.ts";
import { cleanSvg } from "../html/clean-svg.ts";
import { icon, iconClass } from "../html/icons.ts";
import type { Site } from "../site/build-site.ts";
import { isPage, type NavTreeItem } from "../site/navigation/resolve-navigation.ts";

/** An icon of the navigation, with its `iconType`. */
type NamedIcon = readonly [icon: unknown, type: string | undefined];

export class NavIcons {
  /** SVG source by class name. */
  readonly drawings = new Map<string, string>();
  private readonly files: Files;
  private readonly library: IconLibrary;
  /** Class name by icon and `iconType` as JSON; undefined for unknown icons. */
  readonly classes = new Map<string, string | undefined>();

  constructor(site: Site) {
    this.files = site.files;
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

/** Yields all icons that the navigation can show, including those of views and the navbar. */
function* iconsOf({ navigation, pages, config }: Site): Generator<NamedIcon> {
  yield* iconsBelow([navigation.root]);
  for (const page of pages.values()) for (const view of page.summary.views) yield [view.icon, undefined];
  for (const link of config.settings.navbar?.links ?? []) yield [link.icon ?? link.type, link.iconType];
}

function* iconsBelow(items: readonly NavTreeItem[]): Generator<NamedIcon> {
  for (const item of items) {
    if (isPage(item)) yield [item.page.frontmatter.icon, item.page.frontmatter.iconType];
    else {
      yield [item.division.icon, item.division.iconType];
      for (const division of item.division.global) yield [division.icon, division.iconType];
      for (const link of item.division.navbar?.links ?? []) yield [link.icon ?? link.type, link.iconType];
      yield* iconsBelow(item.children);
    }
  }
}
