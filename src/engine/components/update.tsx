import { slugOf } from "../html/anchor-ids.ts";
import type { AuthorProps } from "../html/prop-values.ts";
import { shown, text, texts } from "../html/prop-values.ts";
import { useRenderContext } from "../html/render-context.ts";
import { updateLevel } from "../section-marks.ts";
import type { ComponentDefinition } from "./component.ts";
import { withoutToc } from "./toc-context.ts";

/** An entry of a changelog. */
function Update({ label, description, date, tags, id, children }: AuthorProps) {
  const { messages } = useRenderContext();
  const anchor = text(id);
  const names = texts(tags);
  const about = [shown(description), shown(date)].filter((part) => part !== undefined);
  return (
    <section class="o-update update" id={anchor} data-tags={names.length > 0 ? names.join(",") : undefined}>
      <div class="o-update-head">
        <h2 class="o-update-label">
          {shown(label)}
          {anchor ? <a class="o-anchor" href={`#${anchor}`} aria-label={messages.linkToSection} /> : null}
        </h2>
        {about.length > 0 ? (
          <p class="o-update-description">
            {about[0]}
            {about.length > 1 ? <> · {about[1]}</> : null}
          </p>
        ) : null}
        {names.length > 0 ? (
          <p class="o-update-tags">
            {names.map((name) => (
              <span key={name} class="o-badge o-badge-gray">
                {name}
              </span>
            ))}
          </p>
        ) : null}
      </div>
      <div class="o-update-body o-flow">{children}</div>
    </section>
  );
}

export const update: ComponentDefinition = {
  render: Update,
  props: "label description date tags rss",
  requiredProps: ["label"],
  wrapsText: true,
  isPageOnly: true,
  anchors: {
    idOfHeading({ props }, toc, around) {
      const label = text(props.label);
      const preferred = text(props.id) ?? (label ? slugOf(label) : undefined);
      if (preferred === undefined) return undefined;
      const id = toc.claim(preferred);
      if (around.toc && around.topLevel && label) toc.add(id, label, 2, around);
      return id;
    },
    inside: withoutToc,
  },
  markdown: {
    block(node, writer, depth) {
      const { label, description, date, tags } = node.props;
      const names = Array.isArray(tags) ? tags.map(text).filter(Boolean).join(", ") : text(tags);
      const about = [text(description), text(date), names && `*${names}*`].filter(Boolean).join(" · ");
      const parts = [`## ${text(label) ?? ""}`.trimEnd(), about, writer.blocks(node.children, depth)];
      return writer.section(node, parts.filter(Boolean).join("\n\n"), updateLevel);
    },
  },
};
