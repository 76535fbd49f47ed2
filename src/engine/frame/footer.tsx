import { frameId } from "./frame-ids.ts";
import { Link } from "./nav-link.tsx";
import type { PageView } from "./page-view.ts";

/** The footer of the site: columns of links, and social profiles. */
export function Footer({ view }: { view: PageView }) {
  const { footer, messages } = view;
  if (footer.columns.length === 0 && footer.socials.length === 0) return null;

  return (
    <footer id={frameId(view, "footer")}>
      {footer.columns.length > 0 && (
        <div class="o-columns">
          {footer.columns.map(({ header, items }) => (
            <div>
              {header && <p>{header}</p>}
              <ul>
                {items.map(({ label, href, external }) => (
                  <li>
                    <Link href={href} messages={messages} external={external}>
                      {label}
                    </Link>
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </div>
      )}
      {footer.socials.length > 0 && (
        <ul class="o-socials">
          {footer.socials.map(({ name, href, iconSvg }) => (
            <li>
              <Link href={href} messages={messages} external>
                <span class="o-svg" dangerouslySetInnerHTML={{ __html: iconSvg }} />
                <span class="o-sr">{name}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </footer>
  );
}
