import { linkProps } from "../render/safe-attributes.ts";
import { cardMarkdown } from "./card.tsx";
import type { ComponentDefinition } from "./component.ts";
import type { AuthorProps } from "./prop-values.ts";
import { shown } from "./prop-values.ts";

/** A preview on a patterned background, with its title below. */
function Tile({ href, title, description, children }: AuthorProps) {
  const link = linkProps(href);
  return (
    <a class="o-tile" {...link}>
      <span class="o-tile-preview">{children}</span>
      {shown(title) ? <span class="o-tile-title">{shown(title)}</span> : null}
      {shown(description) ? <span class="o-tile-description">{shown(description)}</span> : null}
    </a>
  );
}

export const tile: ComponentDefinition = { render: Tile, requiredProps: ["href"], inside: { link: true }, markdown: cardMarkdown };
