import type { Props } from "../content.ts";
import type { AuthorProps } from "../html/prop-values.ts";
import { shown, text } from "../html/prop-values.ts";
import { safeAttributes } from "../html/safe-attributes.ts";
import type { ComponentDefinition } from "./component.ts";
import { InlineMarkdown } from "./inline-markdown.tsx";
import { propMarkdown } from "./prop-markdown.ts";

/** Framed media, with an optional hint above and an optional caption below. */
function Frame({ caption, hint, title, style, className, children }: AuthorProps) {
  const attributes = safeAttributes("figure", { style, class: text(className) } as Props);
  const above = shown(hint) ?? shown(title);

  return (
    <figure {...attributes} class={["o-frame frame", text(className)].filter(Boolean).join(" ")}>
      {above ? (
        <p class="o-frame-hint">
          <InlineMarkdown value={above} />
        </p>
      ) : null}
      <div class="o-frame-media">{children}</div>
      {shown(caption) ? (
        <figcaption>
          <InlineMarkdown value={caption} />
        </figcaption>
      ) : null}
    </figure>
  );
}

export const frame: ComponentDefinition = {
  render: Frame,
  props: "caption hint title",
  inside: () => ({ frame: true }),
  markdown: {
    block({ props, children }, writer, depth) {
      const caption = propMarkdown(props.caption, writer, depth);
      const hint = propMarkdown(props.hint, writer, depth) ?? propMarkdown(props.title, writer, depth);
      return [hint, writer.blocks(children, depth), caption && `*${caption}*`].filter(Boolean).join("\n\n");
    },
  },
};
