import type { AuthorProps } from "../html/prop-values.ts";
import type { ComponentDefinition } from "./component.ts";

/** Renders only its children. */
function Passage({ children }: AuthorProps) {
  return <>{children}</>;
}

export const passage: ComponentDefinition = { render: Passage, display: "transparent", isPageOnly: true };
