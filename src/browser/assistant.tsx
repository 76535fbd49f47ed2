/** The assistant, loaded when a reader first wants it. A classic script, like all of a site's. */
import { render } from "preact";
import { Panel } from "./assistant/assistant-panel.tsx";
import { ConversationStore } from "./assistant/conversation-store.ts";
import { besideText, type Opening, openKey } from "./assistant/opening.ts";
import { askingWords } from "./dialog-messages.ts";
import type { AskingPlaces } from "./open-dialogs.ts";
import { keep } from "./storage.ts";

interface Place {
  store: ConversationStore;
  show(): void;
  hide(): void;
  isShown(): boolean;
  /** Holds the focus. */
  element: HTMLElement;
}

let place: Place | undefined;

function open(places: AskingPlaces, { question, sends, attachment, isQuiet }: Opening): void {
  place ??= make(places);
  const { store, element } = place;
  if (attachment) store.attach(attachment);
  if (!place.isShown()) place.show();
  if (question !== undefined && sends) store.send(question);
  if (!isQuiet) element.querySelector("textarea")?.focus();
}

/** Closes the panel that has the focus; one that stands beside the page is gone to first. */
function toggle(places: AskingPlaces): void {
  if (place?.isShown() && place.element.contains(document.activeElement)) place.hide();
  else open(places, {});
}

function make(places: AskingPlaces): Place {
  const page = document.getElementById("assistant");
  const made = page ? onPage(page) : besidePage();
  const draw = () => render(<Panel store={store} close={page ? undefined : made.hide} />, made.element);
  const store = new ConversationStore(places, draw);
  draw();
  return { ...made, store };
}

/** A page that is the assistant. */
function onPage(element: HTMLElement): Omit<Place, "store"> {
  return { element, isShown: () => true, show: () => undefined, hide: () => undefined };
}

/** A column beside the text where there is room; a sheet over the page where there is none. */
function besidePage(): Omit<Place, "store"> {
  const dialog = document.createElement("dialog");
  dialog.className = "o-assistant";
  dialog.ariaLabel = askingWords().assistant;
  document.body.append(dialog);
  const beside = matchMedia(besideText);
  let opener: Element | null = null;
  const root = document.documentElement.classList;
  const put = () => {
    if (beside.matches) {
      // It takes the focus only from whoever opens it.
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
    // Closed only to be opened in the other way.
    if (dialog.open) return;
    root.remove("o-assisted");
    keep("sessionStorage", openKey, undefined);
  });
  beside.addEventListener("change", () => {
    if (!dialog.open) return;
    dialog.close();
    put();
  });
  dialog.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.isComposing || !beside.matches) return;
    event.preventDefault();
    hide();
  });
  dialog.addEventListener("click", (event) => {
    const target = event.target as Element;
    // The backdrop belongs to the dialog; a link to a place on this page leaves the sheet too.
    if (!beside.matches && (target === dialog || target.closest("a[href]"))) hide();
  });
  const show = () => {
    opener = document.activeElement;
    put();
  };
  return { element: dialog, show, hide, isShown: () => dialog.open };
}

Object.assign(globalThis, { octavoAssistant: { open, toggle } });
