import type { ComponentChild } from "preact";
import type { SiteMessages } from "../i18n/messages.ts";

/** Renders the anchor link of a heading or field. */
export function anchorLink(messages: SiteMessages, id: string, name: string): ComponentChild {
  return <a class="o-anchor" href={`#${encodeURI(id)}`} aria-label={`${messages.linkToSection}: ${name}`} />;
}
