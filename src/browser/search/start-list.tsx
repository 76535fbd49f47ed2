/** Renders the recent searches and suggested pages that are shown while the field is empty. */

import type { RefObject } from "preact";
import { useState } from "preact/hooks";
import { dialogMessages, fill } from "../dialog-messages.ts";
import { forgetSearch, recentSearches } from "./recent-searches.ts";
import { suggestedPages } from "./suggested-pages.ts";

interface StartListProps {
  choose(text: string): void;
  field: RefObject<HTMLInputElement | null>;
  close(): void;
}

export function StartList({ choose, field, close }: StartListProps) {
  const messages = dialogMessages();
  const [recent, setRecent] = useState(recentSearches);
  const [pages] = useState(suggestedPages);

  const forget = (text: string) => {
    forgetSearch(text);
    setRecent(recentSearches());
    field.current?.focus();
  };

  const walk = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const entries = [
      ...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>("li > :first-child"),
    ];
    const current = (event.target as HTMLElement).closest("li")!.firstElementChild as HTMLElement;
    (entries[entries.indexOf(current) + step] ?? field.current)?.focus();
  };

  return (
    <div class="o-search-start" onKeyDown={walk}>
      {recent.length > 0 && (
        <section aria-labelledby="o-search-recent">
          <h2 id="o-search-recent">{messages.recent}</h2>
          <ul>
            {recent.map((text) => (
              <li key={text}>
                <button type="button" onClick={() => choose(text)}>
                  {text}
                </button>
                <button
                  type="button"
                  aria-label={fill(messages.forget, { name: text })}
                  onClick={() => forget(text)}
                >
                  <i class="o-c o-c-x" />
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
      {pages.length > 0 && (
        <section aria-labelledby="o-search-suggested">
          <h2 id="o-search-suggested">{messages.suggested}</h2>
          <ul>
            {pages.map(({ href, title }) => (
              <li key={href}>
                <a href={href} onClick={close}>
                  {title}
                </a>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
