/** Recent searches, shown while the field is empty. */

import type { RefObject } from "preact";
import { useState } from "preact/hooks";
import { dialogMessages, fill } from "../dialog-messages.ts";
import { forgetSearch, recentSearches } from "./recent-searches.ts";

interface RecentListProps {
  choose(text: string): void;
  field: RefObject<HTMLInputElement | null>;
}

export function RecentList({ choose, field }: RecentListProps) {
  const messages = dialogMessages();
  const [list, setList] = useState(recentSearches);
  if (list.length === 0) return null;
  const forget = (text: string) => {
    forgetSearch(text);
    setList(recentSearches());
    field.current?.focus();
  };
  const walk = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const buttons = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>("li > button:first-child")];
    const next = buttons.indexOf((event.target as HTMLElement).closest("li")!.querySelector("button")!) + step;
    (buttons[next] ?? field.current)?.focus();
  };
  return (
    <section class="o-search-recent" aria-labelledby="o-search-recent">
      <h2 id="o-search-recent">{messages.recent}</h2>
      <ul onKeyDown={walk}>
        {list.map((text) => (
          <li key={text}>
            <button type="button" onClick={() => choose(text)}>
              {text}
            </button>
            <button type="button" aria-label={fill(messages.forget, { name: text })} onClick={() => forget(text)}>
              <i class="o-c o-c-x" />
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
