/** Renders the search field and the buttons next to it. */

import type { RefObject } from "preact";
import { dialogMessages } from "../dialog-messages.ts";

interface SearchFieldProps {
  field: RefObject<HTMLInputElement | null>;
  text: string;
  prompt: string | undefined;
  hasOptions: boolean;
  /** ID of the selected row. */
  activeOption: string | undefined;
  onInput(text: string): void;
  onKeyDown(event: KeyboardEvent): void;
  clear(): void;
  close(): void;
}

export function SearchField({
  field,
  text,
  prompt,
  hasOptions,
  activeOption,
  onInput,
  onKeyDown,
  clear,
  close,
}: SearchFieldProps) {
  const messages = dialogMessages();
  return (
    <div class="o-search-field">
      <i class="o-c o-c-search" />
      <input
        ref={field}
        type="text"
        role="combobox"
        value={text}
        placeholder={prompt ?? messages.searchHint}
        aria-label={prompt ?? messages.searchHint}
        aria-expanded={hasOptions}
        aria-controls="o-search-list"
        aria-autocomplete="list"
        aria-activedescendant={activeOption}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        enterkeyhint="go"
        maxLength={200}
        onInput={(event) => onInput(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {text && (
        <button type="button" class="o-search-clear" aria-label={messages.clear} onClick={clear}>
          <i class="o-c o-c-x" />
        </button>
      )}
      <button type="button" class="o-search-close" aria-label={messages.close} onClick={close}>
        <kbd data-keys="Esc" />
        <i class="o-c o-c-x" />
      </button>
    </div>
  );
}
