import type { AuthorProps } from "../html/prop-values.ts";
import type { ComponentDefinition } from "./component.ts";

/** Shows its children: the content of a snippet. */
function Passage({ children }: AuthorProps) {
  return <>{children}</>;
}

export const passage: ComponentDefinition = { render: Passage, display: "transparent", isPageOnly: true };
