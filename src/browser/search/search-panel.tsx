/** The field, what it finds, and the keys that walk it. */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { SearchLinks } from "../../engine/render/page-view.ts";
import type { SearchFilter } from "../../engine/search/search-hit.ts";
import { askingWords, fill } from "../asking-words.ts";
import { groupByPage } from "./group-by-page.ts";
import { RecentList } from "./recent-list.tsx";
import { rememberSearch } from "./recent-searches.ts";
import type { SearchReport } from "./report.ts";
import { ResultList } from "./result-list.tsx";
import type { Found, FoundSection, SearchBackend } from "./search-backend.ts";

interface SearchPanelProps {
  backend: SearchBackend;
  scope: SearchLinks["scope"];
  prompt: string | undefined;
  ask: ((question: string) => void) | undefined;
  report: SearchReport;
  /** What is searched for at once. */
  text: string;
  close(): void;
}

/** What was found for a text; without `found` it could not be searched. */
interface Shown {
  text: string;
  found?: Found;
}

/** A screen reader is told once the keys rest. */
const announced_ms = 600;
const kinds = ["product", "version"] as const;
const sectionKey = ({ route, anchor }: FoundSection) => `${route}#${anchor}`;
/** No section has this key: theirs contain a `#`. */
const askKey = "ask";

export function SearchPanel({ backend, scope, prompt, ask, report, text: first, close }: SearchPanelProps) {
  const words = askingWords();
  const [text, setText] = useState(first);
  const [isWide, setWide] = useState<Partial<Record<"version" | "product", boolean>>>({});
  const [shown, setShown] = useState<Shown>();
  /** The entry that the reader moved to; the first one until then. */
  const [selectedKey, setSelectedKey] = useState<string>();
  const [attempt, setAttempt] = useState(0);
  const [spoken, setSpoken] = useState("");
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  /** Enter came before the answer. */
  const opensFirst = useRef(false);
  const asked = text.trim();

  const filter: SearchFilter = {};
  for (const kind of kinds) if (scope[kind] && !isWide[kind]) filter[kind] = scope[kind].name;
  const { product, version } = filter;

  useEffect(() => {
    if (!asked) return setShown(undefined);
    let isLate = false;
    const show = (found?: Found) => {
      // What was found for fewer letters never takes the place of what was found for more.
      if (isLate) return;
      setShown({ text: asked, found });
      if (found) report.shown(asked, found.sections.length);
    };
    backend.find(text.trimStart(), { product, version }, show).then(show, () => show());
    return () => {
      isLate = true;
    };
  }, [text, product, version, attempt]);

  const groups = useMemo(() => groupByPage(shown?.found?.sections ?? []), [shown]);
  const results = groups.flatMap(({ sections }) => sections.map(sectionKey));
  const count = results.length;
  const entries = ask ? [...results, askKey] : results;
  const selected = Math.max(0, selectedKey === undefined ? 0 : entries.indexOf(selectedKey));
  useEffect(() => {
    if (!shown?.found) return;
    const message = count ? fill(words.resultsCount, { count }) : fill(words.nothing, { query: shown.text });
    if (opensFirst.current && count) options()[0]?.click();
    opensFirst.current = false;
    const timer = setTimeout(() => setSpoken(message), announced_ms);
    return () => clearTimeout(timer);
  }, [shown]);

  const options = () => [...(list.current?.querySelectorAll<HTMLAnchorElement>('[role="option"]') ?? [])];
  const select = (place: number) => {
    setSelectedKey(entries[place]);
    options()[place]?.scrollIntoView({ block: "nearest" });
  };
  const isLate = asked !== "" && shown?.text !== asked;
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter, and the arrows, may belong to the input method.
    if (event.isComposing || event.keyCode === 229) return;
    const last = options().length - 1;
    const moves: Record<string, () => void> = {
      ArrowDown: () => (last < 0 ? list.current?.querySelector("button")?.focus() : select(selected < last ? selected + 1 : 0)),
      ArrowUp: () => select(selected > 0 ? selected - 1 : last),
      Enter: () => {
        const option = options()[selected];
        if (isLate && selectedKey === undefined) opensFirst.current = true;
        else if (event.ctrlKey || event.metaKey) openBeside(option);
        else option?.click();
      },
    };
    // In a text the two lead to its ends; they lead through the list once it has been walked.
    if (selected > 0 || field.current?.selectionStart === text.length) {
      moves.End = () => select(last);
      if (selected > 0) moves.Home = () => select(0);
    }
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    move();
  };
  const onOpen = (path: string | undefined, event: MouseEvent) => {
    rememberSearch(asked);
    if (path === undefined) report.settle();
    else report.clicked(asked, path);
    if (!event.ctrlKey && !event.metaKey && !event.shiftKey && event.button === 0) close();
  };
  const openBeside = (option: HTMLAnchorElement | undefined) => {
    if (!option) return;
    rememberSearch(asked);
    if (option.dataset.path !== undefined) report.clicked(asked, option.dataset.path);
    window.open(option.href, "_blank", "noopener");
  };
  /** Another query starts at its first result. */
  const query = (value: string) => {
    setText(value);
    setSelectedKey(undefined);
  };
  const write = (value: string) => {
    query(value);
    field.current?.focus();
  };
  const widen = (kinds: typeof isWide) => {
    setWide(kinds);
    setSelectedKey(undefined);
  };
  const hasOptions = asked !== "" && (count > 0 || ask !== undefined);

  return (
    <div class="o-search-panel">
      <div class="o-search-field">
        <i class="o-c o-c-search" />
        <input
          ref={field}
          type="text"
          role="combobox"
          value={text}
          placeholder={prompt ?? words.searchHint}
          aria-label={prompt ?? words.searchHint}
          aria-expanded={hasOptions}
          aria-controls="o-search-list"
          aria-autocomplete="list"
          aria-activedescendant={hasOptions && shown ? `o-hit-${selected}` : undefined}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          enterkeyhint="go"
          maxLength={200}
          onInput={(event) => query(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        {text && (
          <button type="button" class="o-search-clear" aria-label={words.clear} onClick={() => write("")}>
            <i class="o-c o-c-x" />
          </button>
        )}
        <button type="button" class="o-search-close" aria-label={words.close} onClick={close}>
          <kbd data-keys="Esc" />
          <i class="o-c o-c-x" />
        </button>
      </div>
      {(scope.product || scope.version) && (
        <div class="o-search-scope">
          {kinds.map((kind) => {
            const own = scope[kind];
            if (!own) return null;
            const toggle = () => {
              widen({ ...isWide, [kind]: !isWide[kind] });
              field.current?.focus();
            };
            return (
              <button type="button" aria-pressed={!isWide[kind]} onClick={toggle}>
                {fill(words.onlyIn, { name: own.label })}
              </button>
            );
          })}
        </div>
      )}
      <div class="o-search-list" ref={list} aria-busy={isLate}>
        {!asked ? (
          <RecentList choose={write} field={field} />
        ) : shown && !shown.found ? (
          <div class="o-search-note" role="alert">
            <p>{words.searchFailed}</p>
            <button type="button" onClick={() => setAttempt(attempt + 1)}>
              {words.retry}
            </button>
          </div>
        ) : (
          shown &&
          count === 0 && (
            <div class="o-search-note">
              <p>{fill(words.nothing, { query: shown.text })}</p>
              <p>{words.nothingHint}</p>
              {(product || version) && (
                <button type="button" onClick={() => widen({ product: true, version: true })}>
                  {words.searchAll}
                </button>
              )}
            </div>
          )
        )}
        {hasOptions && shown && (
          <ResultList
            groups={groups}
            terms={shown.found?.terms ?? []}
            question={asked}
            ask={ask}
            selected={selected}
            onSelect={(place) => setSelectedKey(entries[place])}
            onOpen={onOpen}
          />
        )}
      </div>
      <p class="o-sr" role="status">
        {spoken}
      </p>
      <p class="o-search-keys" aria-hidden="true">
        <span>
          <kbd>↑</kbd> <kbd>↓</kbd> {words.keysMove}
        </span>
        <span>
          <kbd>↵</kbd> {words.keysOpen}
        </span>
        <span>
          <kbd>Esc</kbd> {words.keysClose}
        </span>
      </p>
    </div>
  );
}
