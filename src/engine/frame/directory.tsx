import { LinkCards } from "./link-cards.tsx";
import type { NavLink, PageView } from "./page-view.ts";

/** The list of a group's pages, shown after the text of the group's root page. */
export function Directory({ view: { directory, messages } }: { view: PageView }) {
  if (!directory) return null;
  const list = (links: readonly NavLink[]) => <LinkCards links={links} messages={messages} />;
  return (
    <section class={`o-directory o-directory-${directory.style}`} aria-label={messages.inThisSection}>
      {directory.groups.map(({ label, links }) =>
        label === undefined ? (
          list(links)
        ) : directory.style === "accordion" ? (
          <details open>
            <summary>{label}</summary>
            {list(links)}
          </details>
        ) : (
          <>
            <h2>{label}</h2>
            {list(links)}
          </>
        ),
      )}
    </section>
  );
}
