import { linkProps } from "../safe-attributes.ts";
import { IconImage } from "./icon.tsx";
import type { AuthorProps } from "./prop-values.ts";
import { flag, shown, text } from "./prop-values.ts";

const colors = new Set("gray blue green yellow orange red purple white surface white-destructive surface-destructive".split(" "));
const sizes = new Set(["xs", "sm", "md", "lg"]);

/** An inline pill. */
export function Badge({ color, size, shape, stroke, disabled, icon, iconType, className, children }: AuthorProps) {
  const classes = [
    "o-badge",
    `o-badge-${colors.has(text(color) ?? "") ? text(color) : "gray"}`,
    sizes.has(text(size) ?? "") && text(size) !== "md" && `o-badge-${text(size)}`,
    text(shape) === "pill" && "o-badge-pill",
    flag(stroke) && "o-badge-stroke",
    flag(disabled) && "o-badge-disabled",
    text(className),
  ];
  return (
    <span class={classes.filter(Boolean).join(" ")}>
      <IconImage value={text(icon)} type={text(iconType)} />
      {children}
    </span>
  );
}

/** A term with an explanation that shows on hover, focus and touch. */
export function Tooltip({ tip, headline, cta, href, children }: AuthorProps) {
  const link = linkProps(href);
  return (
    <span class="o-tooltip">
      <span class="o-tooltip-term" tabIndex={0}>
        {children}
      </span>
      <span class="o-tooltip-card" role="tooltip">
        {shown(headline) ? <strong>{shown(headline)}</strong> : null}
        <span>{shown(tip)}</span>
        {link.href && shown(cta) ? <a {...link}>{shown(cta)}</a> : null}
      </span>
    </span>
  );
}
