import type { AuthorProps } from "../html/prop-values.ts";
import { shown } from "../html/prop-values.ts";
import type { ComponentDefinition } from "./component.ts";

/** Placeholder for content that can't be shown. */
function ProblemBox({ message, children }: AuthorProps) {
  return (
    <div class="o-problem" role="note">
      {shown(message) ? <p>{shown(message)}</p> : null}
      {children}
    </div>
  );
}

export const problemBox: ComponentDefinition = { render: ProblemBox, isPageOnly: true };
