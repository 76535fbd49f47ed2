import type { ComponentChildren } from "preact";
import type { SiteMessages } from "../i18n/messages.ts";
import { Link, NavIcon } from "./nav-link.tsx";
import type { NavLink } from "./page-view.ts";

interface MenuProps {
  class?: string;
  /** Accessible name, if the label isn't sufficient. Default: the label. */
  name?: string;
  label: ComponentChildren;
  children: ComponentChildren;
}

/**
 * A dropdown menu as a `<details>` element. The page's script closes the menu on Escape, on a click on an
 * entry or outside the menu, and when it loses the focus.
 */
export function Menu({ class: className, name, label, children }: MenuProps) {
  return (
    <details class={className ? `o-menu ${className}` : "o-menu"}>
      <summary aria-label={name}>{label}</summary>
      <ul>{children}</ul>
    </details>
  );
}

/** Menu entries that are links. */
export function MenuLinks({ links, messages }: { links: readonly NavLink[]; messages: SiteMessages }) {
  return (
    <>
      {links.map((link) => (
        <li>
          <Link href={link.href} messages={messages} external={link.external} current={link.current}>
            <NavIcon name={link.icon} />
            <span>
              {link.label}
              {link.tag && <small class="o-tag">{link.tag}</small>}
              {link.description && <small>{link.description}</small>}
            </span>
          </Link>
        </li>
      ))}
    </>
  );
}
