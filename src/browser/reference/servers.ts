import { all } from "../dom.ts";

/** Puts the selected base URL into the endpoint's copy button and the code samples. */
export function startServers(): void {
  const choice = document.querySelector<HTMLSelectElement>("select[data-server]");
  const copy = document.querySelector<HTMLElement>(".o-endpoint [data-path]");
  if (!choice) return;
  let before = baseOf(choice);
  choice.addEventListener("change", () => {
    const now = baseOf(choice);
    if (copy) copy.dataset.copy = now + copy.dataset.path;
    for (const sample of all('[data-sample], [data-example="request"] code'))
      replaceText(sample, before, now);
    before = now;
  });
}

/** Returns the base URL with the default values of its variables, as in the samples. */
function baseOf(choice: HTMLSelectElement): string {
  return (choice.selectedOptions[0]?.dataset.base ?? "").replace(/\/$/, "");
}

function replaceText(within: HTMLElement, before: string, now: string): void {
  if (before === "") return;
  const texts = document.createTreeWalker(within, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    if (node.nodeValue?.includes(before)) node.nodeValue = node.nodeValue.replaceAll(before, now);
  }
}
