/** Finds and creates elements, and helps with clicks, keys, the clipboard and announcements. */

/** Returns all elements that match a selector, as an array. */
export function all<E extends HTMLElement = HTMLElement>(selector: string, within: ParentNode = document): E[] {
  return [...within.querySelectorAll<E>(selector)];
}

/** Creates an element and sets properties on it. */
export function create<K extends keyof HTMLElementTagNameMap>(
  name: K,
  properties: Partial<HTMLElementTagNameMap[K]>,
): HTMLElementTagNameMap[K] {
  return Object.assign(document.createElement(name), properties);
}

/** Creates a button that closes a dialog. */
export function createCloseButton(dialog: HTMLDialogElement): HTMLButtonElement {
  const ariaLabel = document.body.dataset.close ?? "";
  return create("button", { type: "button", ariaLabel, innerHTML: '<i class="o-c o-c-x"></i>', onclick: () => dialog.close() });
}

/** Listens for clicks on matching elements, including elements that are added later. */
export function onClick(selector: string, run: (target: HTMLElement, event: MouseEvent) => void): void {
  document.addEventListener("click", (event) => {
    const target = event.target instanceof Element && event.target.closest<HTMLElement>(selector);
    if (target) run(target, event);
  });
}

/** Copies text. Falls back to a selection if the clipboard API is missing (insecure contexts) or fails. Resolves to false on failure. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    area.style.cssText = "position:fixed;opacity:0";
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}

/** Whether an element is, or is inside, a form field or editable text. */
export function isEditable(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("input, textarea, select, [contenteditable]") !== null;
}

/** Whether the pressed keys are Control or Command and the given letter. */
export function isShortcut(event: KeyboardEvent, letter: string): boolean {
  return (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key.toLowerCase() === letter;
}

/** Announces a message to screen readers. If undefined, clears the last one. */
export function announce(message: string | undefined): void {
  let region = document.getElementById("o-live");
  if (!region) {
    region = create("div", { id: "o-live", className: "o-sr", role: "status" });
    document.body.append(region);
  }
  region.textContent = message ?? "";
}

const shown = "octavo:shown";

/** Emits an event. Call this after a tab or view has shown hidden content. */
export function emitShown(): void {
  document.dispatchEvent(new Event(shown));
}

/** Calls `run` whenever `emitShown` is called. */
export function onShown(run: () => void): void {
  document.addEventListener(shown, run);
}
