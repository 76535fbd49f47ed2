/** Finds and creates elements, and listens for clicks. */

/** Returns all elements that match a selector, as an array. */
export function all<E extends HTMLElement = HTMLElement>(
  selector: string,
  within: ParentNode = document,
): E[] {
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
  return create("button", {
    type: "button",
    ariaLabel,
    innerHTML: '<i class="o-c o-c-x"></i>',
    onclick: () => dialog.close(),
  });
}

/** Listens for clicks on matching elements, including elements that are added later. */
export function onClick(selector: string, run: (target: HTMLElement, event: MouseEvent) => void): void {
  document.addEventListener("click", (event) => {
    const target = event.target instanceof Element && event.target.closest<HTMLElement>(selector);
    if (target) run(target, event);
  });
}
