import type { AuthorProps } from "../html/prop-values.ts";
import { flag, shown, text } from "../html/prop-values.ts";
import { useRenderContext } from "../html/render-context.ts";
import type { ComponentDefinition } from "./component.ts";
import { IconImage } from "./icon-image.tsx";
import { InlineMarkdown } from "./inline-markdown.tsx";
import { blockAnchor, titledMarkdown } from "./titled-block.ts";
import { withoutToc } from "./toc-context.ts";

/** A disclosure with a title and an optional description. */
function Accordion({ title, description, defaultOpen, id, icon, iconType, children }: AuthorProps) {
  const { messages } = useRenderContext();
  return (
    <details class="o-accordion accordion" id={text(id)} open={flag(defaultOpen)}>
      <summary>
        <IconImage value={text(icon)} type={text(iconType)} />
        <span class="o-accordion-title">
          {shown(title) ?? messages.showMore}
          {shown(description) ? (
            <span class="o-accordion-description">
              <InlineMarkdown value={description} />
            </span>
          ) : null}
        </span>
      </summary>
      <div class="o-accordion-body o-flow">{children}</div>
    </details>
  );
}

/** A group of accordions with an optional title. */
function AccordionGroup({ title, children }: AuthorProps) {
  return (
    <div class="o-accordion-group accordion-group">
      {shown(title) ? <p class="o-group-title">{shown(title)}</p> : null}
      {children}
    </div>
  );
}

export const accordion: ComponentDefinition = {
  render: Accordion,
  props: "title description defaultOpen icon iconType",
  requiredProps: ["title"],
  wrapsText: true,
  anchors: { ...blockAnchor, inside: withoutToc },
  markdown: { block: (node, writer, depth) => writer.section(node, titledMarkdown(node, writer, depth)) },
};

export const accordionGroup: ComponentDefinition = {
  render: AccordionGroup,
  props: "title",
  anchors: { inside: withoutToc },
};
