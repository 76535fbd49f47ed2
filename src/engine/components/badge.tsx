import type { AuthorProps } from "../html/prop-values.ts";
import { flag, text } from "../html/prop-values.ts";
import { wrap } from "../write-markdown.ts";
import type { ComponentDefinition } from "./component.ts";
import { IconImage } from "./icon-image.tsx";

const colors = new Set(
  "gray blue green yellow orange red purple white surface white-destructive surface-destructive".split(" "),
);

const sizes = new Set(["xs", "sm", "md", "lg"]);

/** A small inline label. */
function Badge({ color, size, shape, stroke, disabled, icon, iconType, className, children }: AuthorProps) {
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

export const badge: ComponentDefinition = {
  render: Badge,
  props: "color size shape stroke disabled icon iconType",
  display: "inline",
  markdown: {
    inline: ({ children }, writer, depth) => wrap("`", writer.inline(children, depth).replaceAll("`", "")),
  },
};
