import type { TocEntry } from "../page/table-of-contents.ts";
import { frameId } from "./frame-ids.ts";
import type { PageView } from "./page-view.ts";

/** Whether the page shows a table of contents. */
export function hasToc(view: PageView): boolean {
  return !view.asideHtml && view.toc.length > 0 && view.mode === "default";
}

/**
 * The table of contents: a column on the right, or a disclosure above the text on small screens. Both use the
 * same element. In the column, styles always show the element's content.
 */
export function Toc({ view }: { view: PageView }) {
  const { messages, toc } = view;
  return (
    <nav id={frameId(view, "table-of-contents")} aria-label={messages.onThisPage}>
      <details>
        <summary>{messages.onThisPage}</summary>
        <ul id={frameId(view, "table-of-contents-content")} class="toc">
          {toc.map((entry) => (
            <li class={entry.level > 2 ? `o-l${entry.level}` : undefined} data-in={within(entry)}>
              <a href={`#${encodeURI(entry.id)}`}>{entry.text}</a>
            </li>
          ))}
        </ul>
      </details>
    </nav>
  );
}

function within(entry: TocEntry): string | undefined {
  return entry.within?.length ? JSON.stringify(entry.within) : undefined;
}
