import type { SiteMessages } from "../i18n/messages.ts";
import { Link, NavIcon } from "./nav-link.tsx";
import type { NavLink } from "./page-view.ts";

/** Links to pages as cards with icon, label and description. */
export function LinkCards({ links, messages }: { links: readonly NavLink[]; messages: SiteMessages }) {
  return (
    <ul class="o-link-cards">
      {links.map((link) => (
        <li>
          <Link href={link.href} messages={messages} external={link.external}>
            <NavIcon name={link.icon} />
            <span>
              {link.label}
              {link.description && <small>{link.description}</small>}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
