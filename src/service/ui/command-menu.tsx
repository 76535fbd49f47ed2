/** Renders the command menu: a dialog with a text field and links. A script opens and filters it. */

import type { CommandGroup } from "./commands.ts";

/** Button in the top bar that opens the menu. */
export function CommandButton() {
  return (
    <button
      type="button"
      class="d-find o-js"
      data-commands
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+K Meta+K"
    >
      <i class="o-c o-c-search" />
      <span>Search or jump to…</span>
      <kbd aria-hidden="true" data-keys="Ctrl K" />
    </button>
  );
}

export function CommandMenu({ groups }: { groups: readonly CommandGroup[] }) {
  return (
    <dialog id="commands" class="d-commands" aria-label="Command menu">
      <div class="d-commands-field">
        <i class="o-c o-c-search" />
        <input
          type="text"
          role="combobox"
          aria-label="Search projects, pages, and actions"
          aria-expanded="true"
          aria-controls="commands-list"
          aria-autocomplete="list"
          placeholder="Search or jump to…"
          autocomplete="off"
          spellcheck={false}
        />
        <button type="button" aria-label="Close">
          <i class="o-c o-c-x" />
        </button>
      </div>
      <div id="commands-list" class="d-commands-list" role="listbox" aria-label="Commands">
        {groups.map(({ title, commands }, group) => (
          <div key={title} role="group" aria-labelledby={`commands-${group}`}>
            <p id={`commands-${group}`}>{title}</p>
            {commands.map(({ label, icon, href }, index) => (
              <a
                key={href}
                id={`command-${group}-${index}`}
                role="option"
                aria-selected="false"
                tabIndex={-1}
                href={href}
              >
                <i class={`d-icon d-icon-${icon}`} />
                {label}
              </a>
            ))}
          </div>
        ))}
      </div>
      <p class="d-commands-none" hidden>
        No results. Try a different word, or clear the field to see everything.
      </p>
      <p class="o-sr" role="status" />
      <p class="d-commands-keys" aria-hidden="true">
        <kbd>↑</kbd>
        <kbd>↓</kbd> to move
        <kbd>Enter</kbd> to open
      </p>
    </dialog>
  );
}
