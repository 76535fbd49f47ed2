import { all } from "./dom.ts";

/**
 * Applies the styles that the content security policy doesn't allow inline. Then loads the content from other
 * hosts, unless external content is turned off.
 */
export function showExternalContent(within: ParentNode = document): void {
  const { documentElement } = document;
  for (const element of all("[data-style]", within)) element.style.cssText = element.dataset.style!;
  if (documentElement.classList.contains("o-no-outside")) return;
  for (const inert of all("noscript[data-outside]", within)) {
    if (inert.previousElementSibling?.matches(".o-outside")) inert.previousElementSibling.remove();
    inert.outerHTML = inert.textContent ?? "";
  }
  for (const element of all("[data-outside-style]", within))
    element.style.cssText = element.dataset.outsideStyle!;
}
