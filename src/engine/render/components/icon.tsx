import { icon } from "../icons.ts";
import { useRenderContext } from "../render-context.ts";
import { safeColor } from "../safe-attributes.ts";
import type { AuthorProps } from "./prop-values.ts";
import { text } from "./prop-values.ts";

/** An inline icon, by name, address or source. */
export function Icon({ icon: name, name: alternative, src, iconType, style, color, size, className }: AuthorProps) {
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

/** The icon of another component; nothing for a name that nobody knows. */
export function IconImage({ value, type, color, size, className }: IconImageProps) {
  const { iconLibrary } = useRenderContext();
  if (value === undefined) return null;
  const html = icon(value, {
    library: iconLibrary,
    ...(type ? { type } : {}),
    ...(color ? { color } : {}),
    ...(size ? { size } : {}),
    ...(className ? { className } : {}),
  });
  return html === undefined ? null : <span class="o-ico" dangerouslySetInnerHTML={{ __html: html }} />;
}
