/** Reports icons in docs.json and in the frontmatter of pages that the navigation can't show. */

import { type Files, readText } from "../../../base/files.ts";
import { type Problem, problem } from "../../../base/problem.ts";
import type { PositionOf } from "../../config/docs-json.ts";
import type { DocsJson } from "../../config/docs-json-schema.ts";
import { element, type PropValue } from "../../content.ts";
import { isExternal } from "../../html/safe-attributes.ts";
import type { JsonPath } from "../../json-positions.ts";
import { checkIcon, withPlainIcon } from "../../page/author-icon.ts";
import type { Page } from "../page.ts";

/** Checks the icons in `navigation` and `navbar` of docs.json, and those in the frontmatter of pages. */
export function checkNavIcons(
  settings: DocsJson,
  pages: Iterable<Page>,
  files: Files,
  placeOf: PositionOf,
): Problem[] {
  const library = settings.icons?.library ?? "fontawesome";
  const fault = (icon: unknown, type: unknown): { message: string; hint?: string } | undefined => {
    const written = element("navigation", {
      icon: icon as PropValue,
      ...(typeof type === "string" ? { iconType: type } : {}),
    });

    const { icon: name, ...props } = withPlainIcon(written, () => "").props;
    if (typeof name !== "string" || name.trim().startsWith("<") || isExternal(name)) return undefined;
    const file = name.replace(/^\//, "");
    if (!/^\/|\.\w+$/.test(name)) return checkIcon(element("navigation", { ...props, icon: name }), library);
    if (/\.svg$/i.test(file) && files.read(file)) return undefined;

    return {
      message: `The icon ${name} isn't shown`,
      hint: "Icons in the navigation are names, SVG files in the documentation folder, or URLs.",
    };
  };

  const problems: Problem[] = [];
  const visit = (value: unknown, path: JsonPath): void => {
    if (typeof value !== "object" || value === null) return;
    if ("icon" in value && value.icon) {
      const found = fault(value.icon, "iconType" in value ? value.iconType : undefined);
      if (found)
        problems.push(problem("unknown-icon", placeOf([...path, "icon"]), found.message, found.hint));
    }
    for (const [key, inside] of Object.entries(value))
      if (key !== "icon") visit(inside, [...path, Array.isArray(value) ? Number(key) : key]);
  };

  visit(settings.navigation, ["navigation"]);
  visit(settings.navbar, ["navbar"]);
  const known = new Map<string, ReturnType<typeof fault>>();
  for (const { file, storedName, frontmatter } of pages) {
    if (!frontmatter.icon || storedName !== file) continue;
    const name = JSON.stringify([frontmatter.icon, frontmatter.iconType]);
    if (!known.has(name)) known.set(name, fault(frontmatter.icon, frontmatter.iconType));
    const found = known.get(name);
    if (!found) continue;
    const line = (readText(files, file) ?? "")
      .split("\n")
      .findIndex((text) => /^["']?icon["']?\s*:/.test(text));
    problems.push(
      problem(
        "unknown-icon",
        { file, ...(line < 0 ? {} : { line: line + 1, column: 1 }) },
        found.message,
        found.hint,
      ),
    );
  }

  return problems;
}
