/** The assistant, loaded when a reader first opens it. A classic script, like all scripts of a site. */
import { render } from "preact";
import { Panel } from "./assistant/assistant-panel.tsx";
import { ConversationStore } from "./assistant/conversation-store.ts";
import { besideText, type Opening, openKey } from "./assistant/opening.ts";
import { askingWords } from "./dialog-messages.ts";
import type { AskingPlaces } from "./open-dialogs.ts";
import { keep } from "./storage.ts";

interface AssistantView {
  store: ConversationStore;
  show(): void;
  hide(): void;
  isShown(): boolean;
  /** Contains the focus while the assistant is used. */
  element: HTMLElement;
}

let view: AssistantView | undefined;

function open(places: AskingPlaces, { question, sends, attachment, isQuiet }: Opening): void {
  view ??= make(places);
  const { store, element } = view;
  if (attachment) store.attach(attachment);
  if (!view.isShown()) view.show();
  if (question !== undefined && sends) store.send(question);
  if (!isQuiet) element.querySelector("textarea")?.focus();
}

/** Closes the panel if it has the focus; otherwise opens or focuses it. */
function toggle(places: AskingPlaces): void {
  if (view?.isShown() && view.element.contains(document.activeElement)) view.hide();
  else open(places, {});
}

function make(places: AskingPlaces): AssistantView {
  const page = document.getElementById("assistant");
  const container = page ? onPage(page) : inDialog();
  const draw = () => render(<Panel store={store} close={page ? undefined : container.hide} />, container.element);
  const store = new ConversationStore(places, draw);
  draw();
  return { ...container, store };
}

/** A page that is the assistant. */
function onPage(element: HTMLElement): Omit<AssistantView, "store"> {
  return { element, isShown: () => true, show: () => undefined, hide: () => undefined };
}

/** A dialog: a column next to the text where there is room, a sheet over the page otherwise. */
function inDialog(): Omit<AssistantView, "store"> {
  const dialog = document.createElement("dialog");
  dialog.className = "o-assistant";
  dialog.ariaLabel = askingWords().assistant;
  document.body.append(dialog);
  const isColumn = matchMedia(besideText);
  let opener: Element | null = null;
  const root = document.documentElement.classList;
  const put = () => {
    if (isColumn.matches) {
      // Opening the column does not move the focus.
      const before = document.activeElement as HTMLElement | null;
      dialog.show();
      if (dialog.contains(document.activeElement)) before?.focus({ preventScroll: true });
      root.add("o-assisted");
      keep("sessionStorage", openKey, "1");
    } else dialog.showModal();
  };
  const hide = () => {
    const hadFocus = dialog.contains(document.activeElement);
    dialog.close();
    if (hadFocus) (opener as HTMLElement | null)?.focus({ preventScroll: true });
  };
  dialog.addEventListener("close", () => {
    // It was closed and opened again in the other layout.
    if (dialog.open) return;
    root.remove("o-assisted");
    keep("sessionStorage", openKey, undefined);
  });
  isColumn.addEventListener("change", () => {
    if (!dialog.open) return;
    dialog.close();
    put();
  });
  dialog.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.isComposing || !isColumn.matches) return;
    event.preventDefault();
    hide();
  });
  dialog.addEventListener("click", (event) => {
    const target = event.target as Element;
    // The backdrop belongs to the dialog; a link to a place on this page leaves the sheet too.
    if (!isColumn.matches && (target === dialog || target.closest("a[href]"))) hide();
  });
  const show = () => {
    opener = document.activeElement;
    put();
  };
  return { element: dialog, show, hide, isShown: () => dialog.open };
}

Object.assign(globalThis, { octavoAssistant: { open, toggle } });
