/** Checks and converts the icons in the attributes of components. */

import type { ContentElement, PropValue } from "../content.ts";
import { parseCodeMeta } from "../highlight/code-meta.ts";
import type { IconLibrary } from "../html/icons.ts";
import { icon, suggestIcon } from "../html/icons.ts";

/** The problem to report for an element's unknown icon. Undefined if the element has no icon or the icon is known. */
export function checkIcon({ name, props }: ContentElement, library: IconLibrary): { message: string; hint?: string } | undefined {
  const own = [props.icon, ...(name === "Icon" ? [props.name, props.src] : [])].find(
    (value) => typeof value === "string" && value.trim() !== "",
  );
  const named = own ?? (name === "CodeBlock" && typeof props.meta === "string" ? parseCodeMeta("", props.meta).icon : undefined);
  if (typeof named !== "string") return undefined;
  const type = [props.iconType, ...(name === "Icon" ? [props.style] : [])].find((value) => typeof value === "string");
  if (icon(named, { library, ...(type ? { type } : {}) }) !== undefined) return undefined;
  const near = suggestIcon(named, library);
  return { message: `Icon not found: "${named.trim().slice(0, 60)}"`, ...(near ? { hint: `Did you mean "${near}"?` } : {}) };
}

/**
 * Converts `icon={{ name: "github", style: "brands" }}` to the attributes `icon` and `iconType`. A `library` becomes a prefix of
 * the name. Other elements are unchanged.
 */
export function withPlainIcon(element: ContentElement): ContentElement {
  const { icon: value } = element.props;
  if (
    typeof value !== "object" ||
    value === null ||
    Array.isArray(value) ||
    typeof (value as { name?: PropValue }).name !== "string" ||
    "children" in value
  )
    return element;
  const { name, style, library } = value as { name?: PropValue; style?: PropValue; library?: PropValue };
  const prefix = library === "lucide" || library === "tabler" || library === "fontawesome" ? `${library}:` : "";
  return { ...element, props: { iconType: style, ...element.props, icon: `${prefix}${name}` } };
}
