/** The search dialog, loaded when a reader first wants it. A classic script: it also runs from `file://`. */
import { render } from "preact";
import { askingWords } from "./dialog-messages.ts";
import type { AskingPlaces } from "./open-dialogs.ts";
import { HostBackend } from "./search/host-backend.ts";
import { LocalBackend } from "./search/local-backend.ts";
import { SearchReport } from "./search/report.ts";
import type { SearchBackend } from "./search/search-backend.ts";
import { SearchPanel } from "./search/search-panel.tsx";

let dialog: HTMLDialogElement | undefined;
let backend: SearchBackend | undefined;
/** Counts openings: each begins anew. */
let opened = 0;

/** Opens the dialog, with a text that is searched for at once. `ask` hands a question to the assistant, where there is one. */
function open({ search }: AskingPlaces, text: string, ask?: (question: string) => void): void {
  dialog ??= make();
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
  dialog.querySelector("input")!.select();
}

function make(): HTMLDialogElement {
  const made = document.createElement("dialog");
  made.className = "o-search";
  made.ariaLabel = askingWords().search;
  // The backdrop belongs to the dialog.
  made.onpointerdown = (event) => event.target === made && made.close();
  document.body.append(made);
  return made;
}

Object.assign(globalThis, { octavoSearchDialog: { open } });
