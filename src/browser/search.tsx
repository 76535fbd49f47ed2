/** Shows the search dialog. Loaded on first use. A classic script, so that it also runs from `file://`. */

import { render } from "preact";
import { dialogMessages } from "./dialog-messages.ts";
import type { DialogLinks } from "./open-dialogs.ts";
import { HostBackend } from "./search/host-backend.ts";
import { LocalBackend } from "./search/local-backend.ts";
import type { SearchBackend } from "./search/search-backend.ts";
import { SearchPanel } from "./search/search-panel.tsx";
import { SearchReport } from "./search/search-report.ts";

let dialog: HTMLDialogElement | undefined;
let backend: SearchBackend | undefined;
/** Number of times that the dialog has been opened. Each opening resets the panel's state. */
let opened = 0;

/**
 * Opens the dialog and searches for `text`. `ask` sends a question to the assistant, and is undefined if the
 * site has none.
 */
function open({ search }: DialogLinks, text: string, ask?: (question: string) => void): void {
  dialog ??= createDialog();
  const report = new SearchReport();
  backend ??= search.index === undefined ? new HostBackend(search.host!) : new LocalBackend(search.index);

  render(
    <SearchPanel
      key={++opened}
      backend={backend}
      scope={search.scope}
      prompt={search.prompt}
      ask={ask}
      report={report}
      text={text}
      close={() => dialog!.close()}
    />,
    dialog,
  );

  dialog.onclose = () => report.settle();
  if (!dialog.open) dialog.showModal();

  // The next letter continues what was typed while the script loaded.
  const field = dialog.querySelector("input")!;
  field.focus();
  field.setSelectionRange(text.length, text.length);
}

function createDialog(): HTMLDialogElement {
  const element = document.createElement("dialog");
  element.className = "o-search";
  element.ariaLabel = dialogMessages().search;
  // A press on the backdrop has the dialog as its target.
  element.onpointerdown = (event) => event.target === element && element.close();
  document.body.append(element);
  return element;
}

Object.assign(globalThis, { octavoSearchDialog: { open } });
