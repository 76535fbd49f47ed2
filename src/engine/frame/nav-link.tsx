import type { ComponentChildren } from "preact";
import type { SiteMessages } from "../i18n/messages.ts";
import { safeHref } from "../page/safe-href.ts";

interface LinkProps {
  href: string;
  messages: SiteMessages;
  external?: boolean | undefined;
  class?: string | undefined;
  current?: boolean | undefined;
  id?: string;
  children: ComponentChildren;
}

/** A link of the page layout. External links open in a new tab, with a note for screen readers. */
export function Link({ href, messages, external, class: className, current, id, children }: LinkProps) {
  const newTab = external ? { target: "_blank", rel: "noopener noreferrer" } : {};
  return (
    <a
      id={id}
      class={className}
      href={safeHref(href)}
      aria-current={current ? "page" : undefined}
      {...newTab}
    >
      {children}
      {external && <NewTabNote messages={messages} />}
    </a>
  );
}

/** Note for screen readers that a link opens in a new tab. Other readers see an arrow. */
export function NewTabNote({ messages }: { messages: SiteMessages }) {
  return <span class="o-sr"> ({messages.newTab})</span>;
}

/** A navigation icon. Its class in site.css draws the icon. */
export function NavIcon({ name }: { name?: string | undefined }) {
  return name ? <i class={`o-i ${name}`} /> : null;
}
