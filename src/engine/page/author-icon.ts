/** Checks and converts the icons that authors set in component attributes. */

import type { IconLibrary } from "../config/icon-schema.ts";
import { type ContentElement, isContentElement, type PropValue } from "../content.ts";
import { parseCodeMeta } from "../highlight/code-meta.ts";
import { icon, substituteIcon, suggestIcon } from "../html/icons.ts";

/**
 * Returns the value and the style of the icon that an element's attributes specify. `Icon` has more
 * attributes for both.
 */
function iconOf({ name, props }: ContentElement): {
  value: PropValue | undefined;
  style: string | undefined;
} {
  const isIcon = name === "Icon";
  const values = [props.icon, ...(isIcon ? [props.name, props.src] : [])];
  const styles = [props.iconType, ...(isIcon ? [props.style] : [])];
  return {
    value: values.find(
      (value) =>
        value !== undefined &&
        value !== null &&
        value !== false &&
        !(typeof value === "string" && value.trim() === ""),
    ),
    style: styles.find((value) => typeof value === "string"),
  };
}

/**
 * Returns the problem to report if an element's icon is unknown or invalid. Undefined if the element has no
 * icon or the icon is valid.
 */
export function checkIcon(
  element: ContentElement,
  library: IconLibrary,
): { message: string; hint?: string } | undefined {
  const { name, props } = element;
  const { value: own, style } = iconOf(element);
  if (own !== undefined && typeof own !== "string" && typeof own !== "number")
    return {
      message: `Invalid icon for ${name}`,
      hint: "Use an icon's name, the path or URL of an image, or an <svg> element.",
    };

  const named =
    own ??
    (name === "CodeBlock" && typeof props.meta === "string" ? parseCodeMeta("", props.meta).icon : undefined);
  if (named === undefined) return undefined;
  const value = String(named);
  const options = { library, ...(style ? { type: style } : {}) };

  if (value.trim().startsWith("<"))
    return icon(value, options)
      ? undefined
      : { message: `The inline icon for ${name} isn't a valid SVG or is too long` };

  const substitute = substituteIcon(value, options);
  if (substitute !== undefined)
    return { message: `Font Awesome has no free icon "${value.trim()}", so "${substitute}" is shown` };
  if (icon(value, options) !== undefined) return undefined;

  const near = suggestIcon(value, library);
  return {
    message: `Icon not found: "${value.trim().slice(0, 60)}"`,
    ...(near ? { hint: `Did you mean "${near}"?` } : {}),
  };
}

/**
 * Converts a component's icon to the attributes `icon` (a text) and `iconType`. An `svg` element becomes its
 * source, an `img` element its URL, and `Icon` or `{ name: "github", style: "brands", library: "lucide" }` a
 * name. Returns other elements unchanged.
 */
export function withPlainIcon(
  element: ContentElement,
  sourceOf: (svg: ContentElement) => string,
): ContentElement {
  const value = isContentElement(element.props.icon) ? unwrapped(element.props.icon) : element.props.icon;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return element;
  if (!isContentElement(value))
    return typeof value.name === "string"
      ? withIcon(element, value.name, value.style, value.library)
      : element;
  const { name, props } = value;
  if (name === "svg") return withIcon(element, sourceOf(value));
  if (name === "img" && typeof props.src === "string") return withIcon(element, props.src);
  const { value: named, style } = iconOf(value);
  return name === "Icon" && typeof named === "string" ? withIcon(element, named, style) : element;
}

function withIcon(
  element: ContentElement,
  icon: string,
  type?: PropValue,
  library?: PropValue,
): ContentElement {
  const prefix =
    library === "lucide" || library === "tabler" || library === "fontawesome" ? `${library}:` : "";
  return { ...element, props: { iconType: type, ...element.props, icon: `${prefix}${icon}` } };
}

/**
 * Returns the only element in a fragment, such as what an author's component renders. Returns other elements
 * unchanged.
 */
function unwrapped(element: ContentElement): ContentElement {
  const solid = element.children.filter((child) => typeof child !== "string" || child.trim() !== "");
  return element.name === "" && solid.length === 1 && typeof solid[0] === "object"
    ? unwrapped(solid[0])
    : element;
}
