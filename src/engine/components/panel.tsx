import type { AuthorProps } from "../html/prop-values.ts";
import type { ComponentDefinition } from "./component.ts";

/** Content for the right column of the page. */
function Panel({ children }: AuthorProps) {
  return <div class="o-panel o-flow">{children}</div>;
}

export const panel: ComponentDefinition = {
  render: Panel,
  props: "",
  wrapsText: true,
  isPageOnly: true,
  isAside: true,
};
