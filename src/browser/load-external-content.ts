/** What the page shows of other hosts, where this place has a network: else the links that stand for it stay. */
import { all } from "./dom.ts";

export function showOutside(within: ParentNode = document): void {
  const { documentElement } = document;
  for (const element of all("[data-style]", within)) element.style.cssText = element.dataset.style!;
  if (documentElement.classList.contains("o-no-outside")) return;
  for (const held of all("noscript[data-outside]", within)) {
    if (held.previousElementSibling?.matches(".o-outside")) held.previousElementSibling.remove();
    held.outerHTML = held.textContent ?? "";
  }
  for (const element of all("[data-outside-style]", within)) element.style.cssText = element.dataset.outsideStyle!;
}
