import type { AuthorProps } from "../html/prop-values.ts";
import { shown } from "../html/prop-values.ts";
import { linkProps } from "../html/safe-attributes.ts";
import { cardMarkdown } from "./card.tsx";
import type { ComponentDefinition } from "./component.ts";

/** A link with a preview on a patterned background, and a title and description below. */
function Tile({ href, title, description, children }: AuthorProps) {
  const link = linkProps(href);
  return (
    <a class="o-tile tile" {...link}>
      <span class="o-tile-preview">{children}</span>
      {shown(title) ? <span class="o-tile-title">{shown(title)}</span> : null}
      {shown(description) ? <span class="o-tile-description">{shown(description)}</span> : null}
    </a>
  );
}

export const tile: ComponentDefinition = {
  render: Tile,
  props: "href title description",
  requiredProps: ["href"],
  inside: () => ({ link: true }),
  markdown: cardMarkdown,
};
