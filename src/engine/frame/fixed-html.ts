import type { VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import type { SiteMessages } from "../i18n/messages.ts";

/** Returns a function that renders the same HTML on all pages of a language, and does so only once. */
export function fixedHtml(
  render: (messages: SiteMessages) => VNode,
): (messages: SiteMessages) => { __html: string } {
  const known = new WeakMap<SiteMessages, { __html: string }>();
  return (messages) => {
    let html = known.get(messages);
    if (!html) known.set(messages, (html = { __html: renderToString(render(messages)) }));
    return html;
  };
}
