import { icon as iconHtml } from "../html/icons.ts";
import { useRenderContext } from "../html/render-context.ts";

interface IconImageProps {
  value: string | undefined;
  type?: string | undefined;
  color?: string | undefined;
  size?: number | undefined;
  className?: string | undefined;
}

/**
 * The icon of a component such as Card, from a name, the URL of an image or an SVG source. Renders nothing if
 * `value` is missing or invalid.
 */
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
