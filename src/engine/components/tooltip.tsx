import type { AuthorProps } from "../html/prop-values.ts";
import { shown, text } from "../html/prop-values.ts";
import { linkProps } from "../html/safe-attributes.ts";
import { spaced } from "../html/spaced.ts";
import type { ComponentDefinition } from "./component.ts";
import { propMarkdown } from "./prop-markdown.ts";

/** A term with an explanation that is shown on hover and focus. */
function Tooltip({ tip, headline, cta, href, children }: AuthorProps) {
  const link = linkProps(href);
  return (
    <span class="o-tooltip tooltip">
      <span class="o-tooltip-term" tabIndex={0}>
        {children}
      </span>
      <span class="o-tooltip-card" role="tooltip">
        {spaced([
          shown(headline) ? <strong>{shown(headline)}</strong> : null,
          <span>{shown(tip)}</span>,
          link.href && shown(cta) ? <a {...link}>{shown(cta)}</a> : null,
        ])}
      </span>
    </span>
  );
}

export const tooltip: ComponentDefinition = {
  render: Tooltip,
  props: "tip headline cta href",
  requiredProps: ["tip"],
  display: "inline",
  markdown: {
    inline({ props, children }, writer, depth) {
      const written = (name: string) => propMarkdown(props[name], writer, depth);
      const href = text(props.href);
      const cta = written("cta");
      const link = href && cta ? `[${cta}](${writer.url(href)})` : undefined;
      const headline = written("headline");
      const about = [headline && `${headline}:`, written("tip"), link].filter(Boolean).join(" ");
      const term = writer.inline(children, depth);
      return about ? `${term} (${about})` : term;
    },
  },
};
