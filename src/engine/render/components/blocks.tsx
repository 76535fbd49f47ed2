import type { VNode } from "preact";
import { createElement } from "preact";
import { useRenderContext } from "../render-context.ts";
import { linkProps } from "../safe-attributes.ts";
import type { AuthorProps } from "./prop-values.ts";
import { count, flag, shown, text } from "./prop-values.ts";

/** A heading written as a component. */
export function Heading({ level, id, noAnchor, className, children }: AuthorProps) {
  const { strings } = useRenderContext();
  const anchor = text(id);
  return createElement(
    `h${count(level, 2, 1, 6)}`,
    { id: anchor, class: text(className) },
    children,
    anchor && !flag(noAnchor) ? <a class="o-anchor" href={`#${anchor}`} aria-label={strings.linkToSection} /> : null,
  );
}

/** Shows its children and nothing else: what a snippet leaves behind. */
export function Passage({ children }: AuthorProps) {
  return <>{children}</>;
}

/** For people or for programs: the page shows the one, its Markdown twin the other. */
export function Visibility({ for: audience, children }: AuthorProps) {
  return text(audience) === "agents" ? null : <>{children}</>;
}

/** Content of the side column. */
export function Panel({ children }: AuthorProps) {
  return <div class="o-panel o-flow">{children}</div>;
}

/** A strip with an announcement. */
export function Banner({ title, description, children }: AuthorProps) {
  return (
    <div class="o-notice">
      {shown(title) ? <strong>{shown(title)}</strong> : null} {shown(description)}
      {children}
    </div>
  );
}

/** Part of a page that an author's own script keeps alive; until then its children stand there. */
export function Island({ code, component, data, icons, children }: AuthorProps): VNode {
  const attributes = {
    "data-code": text(code),
    "data-component": text(component),
    "data-props": text(data) ?? "{}",
    "data-icons": text(icons),
  };
  return createElement("octavo-island", attributes, children) as VNode;
}

/** What stands in place of something that could not be shown. */
export function ProblemBox({ message, children }: AuthorProps) {
  return (
    <div class="o-problem" role="note">
      {shown(message) ? <p>{shown(message)}</p> : null}
      {children}
    </div>
  );
}

/** A link written as a component, as other platforms have it. */
export function TextLink({ href, to, children }: AuthorProps) {
  return <a {...linkProps(href ?? to)}>{children}</a>;
}
