/** Opens search and the assistant. Their scripts are loaded when a reader first opens them. */

import type { AssistantLinks, SearchLinks } from "../engine/frame/page-view.ts";
import { announce } from "./announce.ts";
import { startSelection } from "./ask-about-selection.ts";
import type { Attachment, Opening } from "./assistant/opening.ts";
import { columnLayout, openKey } from "./assistant/opening.ts";
import { all, create, onClick } from "./dom.ts";
import { isEditable, isShortcut } from "./keyboard.ts";
import { loadScript, loadStyle } from "./load-script.ts";
import { currentPath } from "./site-urls.ts";
import { readStored } from "./storage.ts";

/** URLs and labels of the dialogs: the JSON in the element `#oAsking`. */
export interface DialogLinks {
  /** URL of the script with the locale messages. */
  words: string;
  /** Message that is shown if a script can't be loaded. */
  failed: string;
  search: SearchLinks;
  assistant?: AssistantLinks;
  /** Label of the button that attaches selected text to a question. */
  ask?: string;
  /** Label of the button that attaches a code block to a question. */
  askCode?: string;
}

declare const octavoSearchDialog: {
  open(links: DialogLinks, text: string, ask?: (question: string) => void): void;
};
declare const octavoAssistant: {
  open(links: DialogLinks, opening: Opening): void;
  toggle(links: DialogLinks): void;
};

/**
 * Listens for the buttons, forms and keys that open the dialogs. Opens a dialog immediately if the URL
 * requests it, or if the assistant was open on the previous page.
 */
export function startDialogs(): void {
  const text = document.getElementById("oAsking")?.textContent;
  // The layout has reserved a column if the assistant was open on the last page.
  const removeColumn = () => document.documentElement.classList.remove("o-assisted");
  if (!text) return removeColumn();
  const links = JSON.parse(text) as DialogLinks;
  const has = (feature: string) => !document.documentElement.classList.contains(`o-no-${feature}`);
  if (!has("assistant")) delete links.assistant;
  if (!has("analytics")) delete links.assistant?.feedback;
  if (!links.assistant || document.getElementById("oAssistant")) removeColumn();
  const ask = links.assistant && startAssistant(links, links.assistant);
  if (has("search")) startSearch(links, ask);
}

function startSearch(links: DialogLinks, ask?: (question: string) => void): void {
  const { script, style } = links.search;
  const files = [script, style, links.words];
  const open = async (text = "") => {
    // Until the search has loaded, a dialog with a text field keeps what is typed, and opens the keyboard on
    // phones.
    const field = create("input", {
      value: text,
      placeholder: document.querySelector(".o-search-button")?.textContent ?? "",
    });

    const waiting = create("dialog", { className: "o-searching" });
    waiting.append(field);
    document.body.append(waiting);
    waiting.showModal();
    const isWanted = (await load(files, links)) && waiting.open;

    // Closing this dialog returns the focus to the opener. The search dialog then does the same when it's
    // closed.
    waiting.close();
    waiting.remove();
    if (isWanted) octavoSearchDialog.open(links, field.value, ask);
  };

  onClick("[data-feature=search]", () => void open());

  document.addEventListener("keydown", (event) => {
    const isSlash =
      event.key === "/" && !event.ctrlKey && !event.metaKey && !event.altKey && !isEditable(event.target);
    if (!isSlash && !isShortcut(event, "k")) return;
    event.preventDefault();
    if (!event.repeat) void open();
  });

  const key = document.querySelector<HTMLElement>(".o-search-button kbd");
  if (key && /Mac|iP(?:hone|ad)/.test(navigator.platform)) key.dataset.keys = "⌘ K";
  preloadOnApproach(".o-search-button", files);
  const query = new URLSearchParams(location.search).get("search");
  if (query !== null) void open(query);
}

/** Starts the controls of the assistant. Returns a function that sends a question to the assistant. */
function startAssistant(links: DialogLinks, { script, style }: AssistantLinks): (question: string) => void {
  const files = [script, style, links.words];
  const open = async (opening: Opening = {}) =>
    (await load(files, links)) && octavoAssistant.open(links, opening);
  const toggle = async () => (await load(files, links)) && octavoAssistant.toggle(links);
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
    void open(question ? { question } : {});
  });

  startCodeButtons(links.askCode ?? "", attach);
  startSelection(links.ask ?? "", attach);
  preloadOnApproach("[data-ask], .o-ask-bar", files);

  const query = new URLSearchParams(location.search).get("assistant");
  if (query !== null) void open(query.trim() ? { question: query } : {});
  else if (
    document.getElementById("oAssistant") ||
    (readStored("sessionStorage", openKey) && matchMedia(columnLayout).matches)
  )
    void open({ keepsFocus: true });

  return (question) => void open({ question });
}

/** Adds a button next to the copy button of each code block. The button attaches the code to a question. */
function startCodeButtons(label: string, attach: (attachment: Attachment) => void): void {
  for (const pre of all(".o-code > pre")) {
    const button = create("button", { type: "button", className: "o-ask-code", ariaLabel: label });
    button.onclick = () => attach({ type: "code", value: pre.textContent ?? "", path: currentPath() });
    pre.before(button);
  }
}

async function load([script, style, messages]: string[], { failed }: DialogLinks): Promise<boolean> {
  try {
    await Promise.all([loadStyle(style!), loadScript(messages!), loadScript(script!)]);
    return true;
  } catch {
    const note = create("p", { className: "o-toast", textContent: failed });
    document.body.append(note);
    announce(failed);
    setTimeout(() => note.remove(), 5_000);
    return false;
  }
}

/**
 * Preloads a script, a style sheet and a script when the pointer or the focus reaches an element. Firefox
 * blocks prefetching by the site's content security policy.
 */
function preloadOnApproach(selector: string, files: string[]): void {
  let waiting = files;
  const preload = () => {
    waiting.forEach((href, index) =>
      document.head.append(create("link", { rel: "preload", as: index === 1 ? "style" : "script", href })),
    );
    waiting = [];
  };
  for (const element of all(selector)) {
    element.onpointerenter = preload;
    element.addEventListener("focusin", preload);
  }
}
