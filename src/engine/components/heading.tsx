import { createElement } from "preact";
import type { AuthorProps } from "../html/prop-values.ts";
import { count, flag, text } from "../html/prop-values.ts";
import { useRenderContext } from "../html/render-context.ts";
import type { ComponentDefinition } from "./component.ts";

/** A heading written as a component. */
function Heading({ level, id, noAnchor, className, children }: AuthorProps) {
  const { messages } = useRenderContext();
  const anchor = text(id);
  return createElement(
    `h${count(level, 2, 1, 6)}`,
    { id: anchor, class: text(className) },
    children,
    anchor && !flag(noAnchor) ? (
      <a class="o-anchor" href={`#${anchor}`} aria-label={messages.linkToSection} />
    ) : null,
  );
}

// A Heading needs no rules for anchors and Markdown: because of `headingLevel`, both treat it like an HTML
// heading.
export const heading: ComponentDefinition = { render: Heading, props: "level noAnchor", isPageOnly: true };
