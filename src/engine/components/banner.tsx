import type { AuthorProps } from "../html/prop-values.ts";
import { shown } from "../html/prop-values.ts";
import type { ComponentDefinition } from "./component.ts";
import { titledMarkdown } from "./titled-block.ts";

/** An announcement with an optional title and description. */
function Banner({ title, description, children }: AuthorProps) {
  return (
    <div class="o-notice">
      {shown(title) ? <strong>{shown(title)}</strong> : null} {shown(description)}
      {children}
    </div>
  );
}

export const banner: ComponentDefinition = {
  render: Banner,
  props: "title description",
  isPageOnly: true,
  markdown: { block: titledMarkdown },
};
