import type { AuthorProps } from "../html/prop-values.ts";
import type { ComponentDefinition } from "./component.ts";

/** Renders only its children. */
function Transparent({ children }: AuthorProps) {
  return <>{children}</>;
}

export const transparent: ComponentDefinition = {
  render: Transparent,
  display: "transparent",
  isPageOnly: true,
};
