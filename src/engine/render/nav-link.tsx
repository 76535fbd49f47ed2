import type { ComponentChildren } from "preact";
import type { SiteMessages } from "../i18n/messages.ts";
import { safeHref } from "./safe-href.ts";

interface LinkProps {
  href: string;
  messages: SiteMessages;
  external?: boolean | undefined;
  class?: string | undefined;
  current?: boolean | undefined;
  id?: string;
  children: ComponentChildren;
}

/** The one way in which the frame writes a link. External ones say that they open elsewhere. */
export function Link({ href, messages, external, class: className, current, id, children }: LinkProps) {
  const away = external ? { target: "_blank", rel: "noopener noreferrer" } : {};
  return (
    <a id={id} class={className} href={safeHref(href)} aria-current={current ? "page" : undefined} {...away}>
      {children}
      {external && <NewTabNote messages={messages} />}
    </a>
  );
}

/** Says to a screen reader what the arrow shows. */
export function NewTabNote({ messages }: { messages: SiteMessages }) {
  return <span class="o-sr"> ({messages.newTab})</span>;
}

/** An icon that site.css paints by its class. */
export function NavIcon({ name }: { name?: string | undefined }) {
  return name ? <i class={`o-i ${name}`} /> : null;
}
