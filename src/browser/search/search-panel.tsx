/**
 * Renders the content of the search dialog: the field, the results, and the keyboard shortcuts that move
 * through them.
 */

import { useMemo, useRef, useState } from "preact/hooks";
import type { SearchLinks } from "../../engine/frame/page-view.ts";
import type { SearchFilter } from "../../engine/search/search-hit.ts";
import { dialogMessages, fill } from "../dialog-messages.ts";
import { groupByPage, sectionKey } from "./group-by-page.ts";
import { rememberSearch } from "./recent-searches.ts";
import { ResultList } from "./result-list.tsx";
import { filterOf, ScopeButtons, type Unlimited } from "./scope-buttons.tsx";
import type { SearchBackend } from "./search-backend.ts";
import { SearchField } from "./search-field.tsx";
import type { SearchReport } from "./search-report.ts";
import { StartList } from "./start-list.tsx";
import { useKeyboard } from "./use-keyboard.ts";
import { useAnnouncement, useResults } from "./use-results.ts";
import { useSelection } from "./use-selection.ts";

interface SearchPanelProps {
  backend: SearchBackend;
  scope: SearchLinks["scope"];
  prompt: string | undefined;
  ask: ((question: string) => void) | undefined;
  report: SearchReport;
  /** Initial query. */
  text: string;
  close(): void;
}

/** Key of the row that asks the assistant. Differs from the keys of sections, which contain a `#`. */
const askKey = "ask";

export function SearchPanel({ backend, scope, prompt, ask, report, text: first, close }: SearchPanelProps) {
  const [text, setText] = useState(first);
  const [unlimited, setUnlimited] = useState<Unlimited>({});
  const [attempt, setAttempt] = useState(0);
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const filter = filterOf(scope, unlimited);
  const results = useResults(backend, report, { text, filter, attempt });
  const groups = useMemo(() => groupByPage(results?.found?.sections ?? []), [results]);
  const sections = groups.flatMap((group) => group.sections.map(sectionKey));
  const selection = useSelection(ask ? [...sections, askKey] : sections, list);
  const query = text.trim();
  const isWaiting = query !== "" && results?.text !== query;
  const hasOptions = query !== "" && (sections.length > 0 || ask !== undefined);

  // Until the first results arrive, Enter doesn't ask the assistant unless the reader chose its row.
  const selected = results || selection.isChosen ? selection.index : -1;

  const announcement = useAnnouncement(results, sections.length);

  const onKeyDown = useKeyboard({
    selection,
    results,
    isWaiting,
    field,
    list,
    openInTab: (row) => openInTab(row, query, report),
  });

  /** Sets the query and selects its first result. */
  const type = (value: string) => {
    setText(value);
    selection.reset();
  };

  const write = (value: string) => {
    type(value);
    field.current?.focus();
  };

  const limit = (next: Unlimited) => {
    setUnlimited(next);
    selection.reset();
  };

  const onOpen = (path: string | undefined, event: MouseEvent) => {
    reportOpening(path, query, report);
    if (!event.ctrlKey && !event.metaKey && !event.shiftKey && event.button === 0) close();
  };

  return (
    <div class="o-search-panel">
      <SearchField
        field={field}
        text={text}
        prompt={prompt}
        hasOptions={hasOptions}
        activeOption={hasOptions && selected >= 0 ? `o-hit-${selected}` : undefined}
        onInput={type}
        onKeyDown={onKeyDown}
        clear={() => write("")}
        close={close}
      />
      <ScopeButtons
        scope={scope}
        unlimited={unlimited}
        change={(next) => {
          limit(next);
          field.current?.focus();
        }}
      />
      <div
        class="o-search-list"
        ref={list}
        aria-busy={isWaiting}
        data-early={results?.isEarly ? "" : undefined}
      >
        {!query && <StartList choose={write} field={field} close={close} />}
        {query && !results && <p class="o-search-loading">{dialogMessages().searching}</p>}
        {query && results && !results.found && <Failed retry={() => setAttempt(attempt + 1)} />}
        {query && results?.found && sections.length === 0 && (
          <NoResults text={results.text} filter={filter} unlimit={limit} />
        )}
        {hasOptions && (
          <ResultList
            groups={groups}
            terms={results?.found?.terms ?? []}
            question={query}
            ask={ask}
            selected={selected}
            onSelect={selection.select}
            onOpen={onOpen}
          />
        )}
      </div>
      <p class="o-sr" role="status">
        {announcement}
      </p>
      <KeyHints />
    </div>
  );
}

/**
 * Stores the query as a recent search, and reports the opened row. `path` is undefined for the row of the
 * assistant.
 */
function reportOpening(path: string | undefined, query: string, report: SearchReport): void {
  rememberSearch(query);
  if (path === undefined) report.settle();
  else report.clicked(query, path);
}

function openInTab(option: HTMLAnchorElement, query: string, report: SearchReport): void {
  rememberSearch(query);
  if (option.dataset.path !== undefined) report.clicked(query, option.dataset.path);
  window.open(option.href, "_blank", "noopener");
}

function Failed({ retry }: { retry(): void }) {
  const messages = dialogMessages();
  return (
    <div class="o-search-note" role="alert">
      <p>{messages.searchFailed}</p>
      <button type="button" onClick={retry}>
        {messages.retry}
      </button>
    </div>
  );
}

function NoResults({
  text,
  filter,
  unlimit,
}: {
  text: string;
  filter: SearchFilter;
  unlimit(all: Unlimited): void;
}) {
  const messages = dialogMessages();
  return (
    <div class="o-search-note">
      <p>{fill(messages.nothing, { query: text })}</p>
      <p>{messages.nothingHint}</p>
      {(filter.product || filter.version) && (
        <button type="button" onClick={() => unlimit({ product: true, version: true })}>
          {messages.searchAll}
        </button>
      )}
    </div>
  );
}

function KeyHints() {
  const messages = dialogMessages();
  return (
    <p class="o-search-keys" aria-hidden="true">
      <span>
        <kbd>↑</kbd> <kbd>↓</kbd> {messages.keysMove}
      </span>
      <span>
        <kbd>↵</kbd> {messages.keysOpen}
      </span>
      <span>
        <kbd>Esc</kbd> {messages.keysClose}
      </span>
    </p>
  );
}
