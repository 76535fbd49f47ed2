import type { AuthorProps } from "../html/prop-values.ts";
import { text } from "../html/prop-values.ts";
import { useRenderContext } from "../html/render-context.ts";
import type { ComponentDefinition } from "./component.ts";

/**
 * Placeholder for an operation or a schema (`part`) that no OpenAPI document describes. The reason is only
 * reported to the author.
 */
function Undocumented({ part }: AuthorProps) {
  const { messages } = useRenderContext();
  return (
    <div class="o-undocumented" role="note">
      {text(part) === "schema" ? messages.undocumentedSchema : messages.undocumentedEndpoint}
    </div>
  );
}

export const undocumented: ComponentDefinition = { render: Undocumented, isPageOnly: true };
