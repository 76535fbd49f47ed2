/** Renders the list of search results. If the site has an assistant, the last row asks it. */

import { withoutMethod } from "../../base/without-method.ts";
import { markWords } from "../../engine/search/mark-words.ts";
import type { MarkedText, QueryTerm } from "../../engine/search/search-hit.ts";
import { dialogMessages, fill } from "../dialog-messages.ts";
import { sectionHref } from "../site-urls.ts";
import { type PageGroup, sectionKey } from "./group-by-page.ts";
import type { SearchResult } from "./search-backend.ts";

interface ResultListProps {
  groups: readonly PageGroup[];
  /** Terms of the query, which are marked in titles and excerpts. */
  terms: readonly QueryTerm[];
  /** The question that the last row sends to the assistant. Without `ask`, there is no such row. */
  question: string;
  ask: ((question: string) => void) | undefined;
  /** Index of the selected row among all rows. -1 if none is selected. */
  selected: number;
  onSelect(index: number): void;
  /** Called when a row is opened. `path` is undefined for the row of the assistant. */
  onOpen(path: string | undefined, event: MouseEvent): void;
}

/** The results by page, as options of a list box, and a row that asks the assistant. */
export function ResultList({ groups, terms, question, ask, selected, onSelect, onOpen }: ResultListProps) {
  const messages = dialogMessages();
  const { lang } = document.documentElement;
  let count = 0;

  const option = (at: number) => ({
    id: `o-hit-${at}`,
    role: "option" as const,
    tabIndex: -1,
    "aria-selected": at === selected,
    // Moving the pointer selects a row. A list that scrolls under the pointer doesn't change the selection.
    onPointerMove: () => at !== selected && onSelect(at),
  });

  const row = (section: SearchResult, isFirst: boolean) => {
    const at = count++;
    const { route, anchor, title, headings, breadcrumbs, method } = section;
    const above = [
      ...(isFirst ? breadcrumbs : []),
      ...(headings.length ? [...(isFirst ? [title] : []), ...headings.slice(0, -1)] : []),
    ];

    return (
      <a
        {...option(at)}
        key={sectionKey(section)}
        class={isFirst ? undefined : "o-hit-below"}
        href={sectionHref(route, anchor)}
        data-path={`/${route}`}
        onClick={(event) => onOpen(`/${route}`, event)}
      >
        {above.length > 0 && <span class="o-hit-path">{above.join(" › ")}</span>}
        <span class="o-hit-title">
          {method && isFirst && (
            <>
              <b class={`o-m o-m-${method.toLowerCase()}`}>{method}</b>{" "}
            </>
          )}
          <Marked parts={markWords(headings.at(-1) ?? withoutMethod(title, method), terms, lang)} />
        </span>
        <span class="o-hit-text">
          <Marked parts={section.snippet} />
        </span>
      </a>
    );
  };

  const rows = groups.map(({ route, title, sections }) => (
    <div role="group" aria-label={title} key={route}>
      {sections.map((section, index) => row(section, index === 0))}
    </div>
  ));

  return (
    <div id="o-search-list" role="listbox" aria-label={messages.results}>
      {rows}
      {ask && (
        <a
          {...option(count)}
          class="o-hit-ask"
          href={`?assistant=${encodeURIComponent(question)}`}
          onClick={(event) => {
            onOpen(undefined, event);
            if (event.ctrlKey || event.metaKey) return;
            event.preventDefault();
            ask(question);
          }}
        >
          <i class="o-c o-c-assistant" />
          <span>{fill(messages.ask, { query: question })}</span>
        </a>
      )}
    </div>
  );
}

function Marked({ parts }: { parts: readonly MarkedText[] }) {
  return <>{parts.map(({ text, isMatch }) => (isMatch ? <mark>{text}</mark> : text))}</>;
}
