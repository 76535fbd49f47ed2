/** Icons of the navigation: drawn once, in the site's style sheet, and named by class on each page. */
import { type Files, readText } from "../../base/files.ts";
import type { IconLibrary } from "../html/icons.ts";
import { icon, iconClass } from "../html/icons.ts";
import { cleanSvg } from "../html/svg.ts";

export class NavIcons {
  /** Class → drawing. */
  readonly drawings = new Map<string, string>();
  private readonly files: Files;
  private readonly library: IconLibrary;
  private readonly known = new Map<string, string | undefined>();

  constructor(files: Files, library: IconLibrary) {
    this.files = files;
    this.library = library;
  }

  /** The class of an icon as docs.json or frontmatter names it; undefined when there is no such icon. */
  classOf(value: unknown, type: string | undefined): string | undefined {
    if (!value) return undefined;
    const key = JSON.stringify([value, type]);
    if (!this.known.has(key)) this.known.set(key, this.draw(value, type));
    return this.known.get(key);
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
    // As an image of its own a drawing must name its language.
    this.drawings.set(className, svg.replace(/^<svg(?![^>]*xmlns=)/, '<svg xmlns="http://www.w3.org/2000/svg"'));
    return className;
  }
}
