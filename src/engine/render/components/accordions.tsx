import { useRenderContext } from "../render-context.ts";
import { IconImage } from "./icon.tsx";
import { InlineMarkdown } from "./inline-markdown.tsx";
import type { AuthorProps } from "./prop-values.ts";
import { flag, shown, text } from "./prop-values.ts";

/** A disclosure. A link to its id opens it. */
export function Accordion({ title, description, defaultOpen, id, icon, iconType, children }: AuthorProps) {
  const { strings } = useRenderContext();
  return (
    <details class="o-accordion" id={text(id)} open={flag(defaultOpen)}>
      <summary>
        <IconImage value={text(icon)} type={text(iconType)} />
        <span class="o-accordion-title">
          {shown(title) ?? strings.showMore}
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

/** Accordions with joined borders. */
export function AccordionGroup({ title, children }: AuthorProps) {
  return (
    <div class="o-accordion-group">
      {shown(title) ? <p class="o-group-title">{shown(title)}</p> : null}
      {children}
    </div>
  );
}

/** The nested fields of a field. */
export function Expandable({ title, defaultOpen, children }: AuthorProps) {
  const { strings } = useRenderContext();
  return (
    <details class="o-expandable" open={flag(defaultOpen)}>
      <summary>{shown(title) ?? strings.showFields}</summary>
      <div class="o-expandable-body o-flow">{children}</div>
    </details>
  );
}
