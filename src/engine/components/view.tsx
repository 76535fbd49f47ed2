import type { AuthorProps } from "../html/prop-values.ts";
import { shown, text } from "../html/prop-values.ts";
import type { ComponentDefinition } from "./component.ts";
import { IconImage } from "./icon-image.tsx";
import { blockAnchor, insidePanel, titledMarkdown } from "./titled-block.ts";

/**
 * One view of a page. Readers select a view by its title. The first view is shown initially. Without scripts,
 * all views are shown below their titles.
 */
function View({ title, id, icon, iconType, children }: AuthorProps) {
  return (
    <div class="o-view o-flow" id={text(id)} data-view={text(title)}>
      <p class="o-view-title">
        <IconImage value={text(icon)} type={text(iconType)} />
        {shown(title)}
      </p>
      {children}
    </div>
  );
}

export const view: ComponentDefinition = {
  render: View,
  props: "title icon iconType",
  requiredProps: ["title"],
  wrapsText: true,
  isPageOnly: true,
  anchors: { ...blockAnchor, inside: insidePanel },
  markdown: { block: titledMarkdown },
};
