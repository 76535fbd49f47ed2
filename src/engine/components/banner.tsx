import type { ComponentDefinition } from "./component.ts";
import type { AuthorProps } from "./prop-values.ts";
import { shown } from "./prop-values.ts";

/** A strip with an announcement. */
function Banner({ title, description, children }: AuthorProps) {
  return (
    <div class="o-notice">
      {shown(title) ? <strong>{shown(title)}</strong> : null} {shown(description)}
      {children}
    </div>
  );
}

export const banner: ComponentDefinition = { render: Banner, isPageOnly: true };
