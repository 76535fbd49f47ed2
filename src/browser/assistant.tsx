/** Shows the assistant. Loaded on first use. A classic script, so that it also runs from `file://`. */

import { render } from "preact";
import { Panel } from "./assistant/assistant-panel.tsx";
import { ConversationStore } from "./assistant/conversation-store.ts";
import { columnLayout, type Opening, openKey } from "./assistant/opening.ts";
import { dialogMessages } from "./dialog-messages.ts";
import type { DialogLinks } from "./open-dialogs.ts";
import { writeOfReader } from "./reader-storage.ts";

interface AssistantView {
  store: ConversationStore;
  show(): void;
  hide(): void;
  isShown(): boolean;
  /** Root element of the assistant. Contains the focus while the reader uses the assistant. */
  element: HTMLElement;
}

let view: AssistantView | undefined;

/**
 * Opens the panel, and adds the attachment and sends the question if they are set. Then focuses the question
 * field, unless `keepsFocus` is set.
 */
function open(links: DialogLinks, { question, attachment, keepsFocus }: Opening): void {
  view ??= createView(links);
  const { store, element } = view;
  if (attachment) store.attach(attachment);
  if (!view.isShown()) view.show();
  if (question !== undefined) store.send(question);
  if (!keepsFocus) element.querySelector("textarea")?.focus();
}

/** Closes the panel if it has the focus. Otherwise opens or focuses the panel. */
function toggle(links: DialogLinks): void {
  if (view?.isShown() && view.element.contains(document.activeElement)) view.hide();
  else open(links, {});
}

function createView(links: DialogLinks): AssistantView {
  const page = document.getElementById("oAssistant");
  const container = page ? onPage(page) : inDialog();
  const draw = () =>
    render(<Panel store={store} close={page ? undefined : container.hide} />, container.element);
  const store = new ConversationStore(links, draw);
  draw();
  return { ...container, store };
}

/** Returns the view for the assistant's own page, where the assistant is always shown. */
function onPage(element: HTMLElement): Omit<AssistantView, "store"> {
  return { element, isShown: () => true, show: () => undefined, hide: () => undefined };
}

/**
 * Creates the dialog of the assistant: a column next to the text on wide screens, a modal sheet on narrow
 * screens.
 */
function inDialog(): Omit<AssistantView, "store"> {
  const dialog = document.createElement("dialog");
  dialog.className = "o-assistant";
  dialog.ariaLabel = dialogMessages().assistant;
  document.body.append(dialog);
  const isColumn = matchMedia(columnLayout);
  let opener: Element | null = null;
  const root = document.documentElement.classList;
  const showDialog = () => {
    if (isColumn.matches) {
      // Opening the column does not move the focus.
      const before = document.activeElement as HTMLElement | null;
      dialog.show();
      if (dialog.contains(document.activeElement)) before?.focus({ preventScroll: true });
      root.add("o-assisted");
      writeOfReader("sessionStorage", openKey, "1");
    } else dialog.showModal();
  };

  const hide = () => {
    const hadFocus = dialog.contains(document.activeElement);
    dialog.close();
    if (hadFocus) (opener as HTMLElement | null)?.focus({ preventScroll: true });
  };

  dialog.addEventListener("close", () => {
    // Switching the layout closes the dialog and opens it again.
    if (dialog.open) return;
    root.remove("o-assisted");
    writeOfReader("sessionStorage", openKey, undefined);
  });

  isColumn.addEventListener("change", () => {
    if (!dialog.open) return;
    dialog.close();
    showDialog();
  });

  dialog.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.isComposing || !isColumn.matches) return;
    event.preventDefault();
    hide();
  });

  dialog.addEventListener("click", (event) => {
    const target = event.target as Element;
    // A click on the backdrop has the dialog as its target. A link within this page closes the sheet too.
    if (!isColumn.matches && (target === dialog || target.closest("a[href]"))) hide();
  });

  const show = () => {
    opener = document.activeElement;
    showDialog();
  };

  return { element: dialog, show, hide, isShown: () => dialog.open };
}

Object.assign(globalThis, { octavoAssistant: { open, toggle } });
