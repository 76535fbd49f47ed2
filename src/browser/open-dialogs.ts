/** Search and assistant as a page knows them: what opens them. They load when a reader first wants them. */
import type { AssistantLinks, SearchLinks } from "../engine/render/page-view.ts";
import type { Attachment, Opening } from "./assistant/opening.ts";
import { besideText, openKey } from "./assistant/opening.ts";
import { all, announce, onClick } from "./dom.ts";
import { loadScript, loadStyle } from "./load-script.ts";
import { startSelection } from "./selection.ts";
import { currentPath } from "./site-address.ts";
import { kept } from "./storage.ts";

/** What the page says of them. */
export interface AskingPlaces {
  /** Script of the words. */
  words: string;
  failed: string;
  search: SearchLinks;
  assistant?: AssistantLinks;
  ask?: string;
  askCode?: string;
}

declare const octavoSearchDialog: { open(places: AskingPlaces, text: string, ask?: (question: string) => void): void };
declare const octavoAssistant: { open(places: AskingPlaces, opening: Opening): void; toggle(places: AskingPlaces): void };

export function startAsking(): void {
  const text = document.getElementById("o-asking")?.textContent;
  // Room was left for an assistant that stood beside the last page.
  const leaveRoom = () => document.documentElement.classList.remove("o-assisted");
  if (!text) return leaveRoom();
  const places = JSON.parse(text) as AskingPlaces;
  const has = (feature: string) => !document.documentElement.classList.contains(`o-no-${feature}`);
  if (!has("assistant")) delete places.assistant;
  if (!has("analytics")) delete places.assistant?.feedback;
  if (!places.assistant || document.getElementById("assistant")) leaveRoom();
  const ask = places.assistant && startAssistant(places, places.assistant);
  if (has("search")) startSearch(places, ask);
}

function startSearch(places: AskingPlaces, ask?: (question: string) => void): void {
  const { script, style } = places.search;
  const files = [script, style, places.words];
  const open = async (text = "") => {
    // Who types on while the search loads writes here, and on a phone the keyboard comes up.
    const opener = document.activeElement as HTMLElement | null;
    const field = Object.assign(document.createElement("input"), { className: "o-sr", ariaHidden: "true" });
    document.body.append(field);
    field.focus({ preventScroll: true });
    const isLoaded = await load(files, places);
    const typed = field.value;
    opener?.focus({ preventScroll: true });
    field.remove();
    if (isLoaded) octavoSearchDialog.open(places, text || typed, ask);
  };
  onClick(".o-search-button", () => void open());
  document.addEventListener("keydown", (event) => {
    const isSlash = event.key === "/" && !event.ctrlKey && !event.metaKey && !event.altKey && !isWriting(event.target);
    if (!isSlash && !isShortcut(event, "k")) return;
    event.preventDefault();
    if (!event.repeat) void open();
  });
  const key = document.querySelector<HTMLElement>(".o-search-button kbd");
  if (key && /Mac|iP(?:hone|ad)/.test(navigator.platform)) key.dataset.keys = "⌘ K";
  prefetchOnApproach(".o-search-button", files);
  const asked = new URLSearchParams(location.search).get("search");
  if (asked !== null) void open(asked);
}

/** Answers with what sends it a question. */
function startAssistant(places: AskingPlaces, { script, style }: AssistantLinks): (question: string) => void {
  const files = [script, style, places.words];
  const open = async (opening: Opening = {}) => (await load(files, places)) && octavoAssistant.open(places, opening);
  const toggle = async () => (await load(files, places)) && octavoAssistant.toggle(places);
  const attach = (attachment: Attachment) => void open({ attachment });

  onClick("[data-ask]", () => void toggle());
  document.addEventListener("keydown", (event) => {
    if (!isShortcut(event, "i")) return;
    event.preventDefault();
    if (!event.repeat) void toggle();
  });
  document.addEventListener("submit", (event) => {
    const form = event.target as HTMLFormElement;
    if (!form.matches(".o-ask-bar")) return;
    event.preventDefault();
    const field = form.querySelector("input")!;
    const question = field.value.trim();
    field.value = "";
    void open(question ? { question, sends: true } : {});
  });
  startCodeButtons(places.askCode ?? "", attach);
  startSelection(places.ask ?? "", attach);
  prefetchOnApproach("[data-ask], .o-ask-bar", files);

  const asked = new URLSearchParams(location.search).get("assistant");
  if (asked !== null) void open(asked.trim() ? { question: asked, sends: true } : {});
  else if (document.getElementById("assistant") || (kept("sessionStorage", openKey) && matchMedia(besideText).matches))
    void open({ isQuiet: true });
  return (question) => void open({ question, sends: true });
}

/** A button for each block of code, beside the one that copies. */
function startCodeButtons(label: string, attach: (attachment: Attachment) => void): void {
  for (const pre of all(".o-code > pre")) {
    const button = Object.assign(document.createElement("button"), { type: "button", className: "o-ask-code", ariaLabel: label });
    button.onclick = () => attach({ type: "code", value: pre.textContent ?? "", path: currentPath() });
    pre.before(button);
  }
}

/** Control, or Command on a Mac, with a letter. */
function isShortcut(event: KeyboardEvent, letter: string): boolean {
  return (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key.toLowerCase() === letter;
}

function isWriting(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("input, textarea, select, [contenteditable]") !== null;
}

async function load([script, style, words]: string[], { failed }: AskingPlaces): Promise<boolean> {
  try {
    await Promise.all([loadStyle(style!), loadScript(words!), loadScript(script!)]);
    return true;
  } catch {
    const note = Object.assign(document.createElement("p"), { className: "o-toast", textContent: failed });
    document.body.append(note);
    announce(failed);
    setTimeout(() => note.remove(), 5_000);
    return false;
  }
}

/** Fetches files ahead once the pointer or the focus comes near. */
function prefetchOnApproach(selector: string, files: string[]): void {
  const waiting = [...files];
  const prefetch = () => {
    for (const href of waiting.splice(0)) document.head.append(Object.assign(document.createElement("link"), { rel: "prefetch", href }));
  };
  const events = ["pointerenter", "focusin", "touchstart"] as const;
  for (const element of all(selector)) for (const event of events) element.addEventListener(event, prefetch, { once: true, passive: true });
}
