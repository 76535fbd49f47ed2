/** All elements that match, as an array. */
export function all<E extends HTMLElement = HTMLElement>(selector: string, within: ParentNode = document): E[] {
  return [...within.querySelectorAll<E>(selector)];
}

/** Runs when something that matches is clicked, now or later in the page's life. */
export function onClick(selector: string, run: (target: HTMLElement, event: MouseEvent) => void): void {
  document.addEventListener("click", (event) => {
    const target = event.target instanceof Element && event.target.closest<HTMLElement>(selector);
    if (target) run(target, event);
  });
}

/** Copies text and shows for a moment that it is done. Without a secure context there is no clipboard: then by selection. */
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

/** Says something to screen readers without showing it. */
export function announce(message: string | undefined): void {
  let region = document.getElementById("o-live");
  if (!region) {
    region = Object.assign(document.createElement("div"), { id: "o-live", className: "o-sr" });
    region.setAttribute("role", "status");
    document.body.append(region);
  }
  region.textContent = message ?? "";
}

const shown = "octavo:shown";

/** Tells the page's other parts that a tab or a view shows what was hidden. */
export function tellShown(): void {
  document.dispatchEvent(new Event(shown));
}

/** Runs when a tab or a view has changed what the page shows. */
export function onShown(run: () => void): void {
  document.addEventListener(shown, run);
}
