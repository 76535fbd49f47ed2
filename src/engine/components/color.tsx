import type { PropValue } from "../content.ts";
import type { AuthorProps } from "../html/prop-values.ts";
import { shown, text } from "../html/prop-values.ts";
import { safeColor } from "../html/safe-attributes.ts";
import type { ComponentDefinition } from "./component.ts";
import { propMarkdown } from "./prop-markdown.ts";
import { titledMarkdown } from "./titled-block.ts";

/** Color swatches, in a row or in a table. */
function Color({ variant, children }: AuthorProps) {
  return <div class={text(variant) === "table" ? "o-colors o-colors-table" : "o-colors"}>{children}</div>;
}

function ColorRow({ title, children }: AuthorProps) {
  return (
    <div class="o-color-row">
      {shown(title) ? <p class="o-color-title">{shown(title)}</p> : null}
      <div class="o-colors">{children}</div>
    </div>
  );
}

/**
 * One color. `value` is a CSS color, or an object with the colors `light` and `dark`. Renders nothing if
 * there is no valid color.
 */
function ColorItem({ name, value }: AuthorProps) {
  const modes =
    typeof value === "object" && value !== null ? (value as Record<string, unknown>) : { light: value };
  const light = safeColor(modes.light) ?? safeColor(modes.dark);
  if (light === undefined) return null;

  const dark = safeColor(modes.dark) ?? light;
  const values = light === dark ? light : `${light} / ${dark}`;
  return (
    <button type="button" class="o-color" data-copy={light} style={`--o-light:${light};--o-dark:${dark}`}>
      <span class="o-color-swatch" />
      {shown(name) ? <span class="o-color-name">{shown(name)}</span> : null}
      <span class="o-color-value">{values}</span>
    </button>
  );
}

export const color: ComponentDefinition = { render: Color, props: "variant" };
export const colorRow: ComponentDefinition = {
  render: ColorRow,
  props: "title",
  markdown: { block: titledMarkdown },
};
export const colorItem: ComponentDefinition = {
  render: ColorItem,
  props: "name value",
  markdown: {
    block({ props }, writer, depth) {
      const { light, dark } = (
        typeof props.value === "object" ? props.value : { light: props.value }
      ) as Record<string, PropValue>;
      const values = [...new Set([text(light), text(dark)])].filter(Boolean).join(" / ");
      const name = propMarkdown(props.name, writer, depth);
      return `- ${[name, values && `\`${values}\``].filter(Boolean).join(": ")}`;
    },
  },
};
