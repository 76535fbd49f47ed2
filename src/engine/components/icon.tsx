import { icon as iconHtml } from "../html/icons.ts";
import type { AuthorProps } from "../html/prop-values.ts";
import { text } from "../html/prop-values.ts";
import { useRenderContext } from "../html/render-context.ts";
import { safeColor } from "../html/safe-attributes.ts";
import type { ComponentDefinition } from "./component.ts";

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

interface IconImageProps {
  value: string | undefined;
  type?: string | undefined;
  color?: string | undefined;
  size?: number | undefined;
  className?: string | undefined;
}

/** The icon of a component such as Card. Renders nothing without a name and for an unknown name. */
export function IconImage({ value, type, color, size, className }: IconImageProps) {
  const { iconLibrary } = useRenderContext();
  if (value === undefined) return null;
  const html = iconHtml(value, {
    library: iconLibrary,
    ...(type ? { type } : {}),
    ...(color ? { color } : {}),
    ...(size ? { size } : {}),
    ...(className ? { className } : {}),
  });
  return html === undefined ? null : <span class="o-ico" dangerouslySetInnerHTML={{ __html: html }} />;
}

export const icon: ComponentDefinition = { render: Icon, display: "inline", markdown: { inline: () => "" } };
