import { type AuthorProps, text } from "../html/prop-values.ts";
import { safeColor } from "../html/safe-attributes.ts";
import type { ComponentDefinition } from "./component.ts";
import { IconImage } from "./icon-image.tsx";

/** An inline icon, from a name, a URL or an SVG source. */
function Icon({ icon: name, name: alternative, src, iconType, style, color, size, className }: AuthorProps) {
  const value = text(name) ?? text(alternative) ?? text(src);
  if (value === undefined) return null;
  return (
    <IconImage
      value={value}
      type={text(iconType) ?? text(style)}
      color={safeColor(color)}
      size={pixels(size)}
      className={text(className)}
    />
  );
}

function pixels(value: unknown): number | undefined {
  const size = Number.parseFloat(text(value) ?? "");
  return size > 0 && size <= 512 ? size : undefined;
}

export const icon: ComponentDefinition = {
  render: Icon,
  props: "icon name src iconType color size",
  display: "inline",
  markdown: { inline: () => "" },
};
