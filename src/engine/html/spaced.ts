import { type ComponentChild, type ComponentChildren, toChildArray } from "preact";

/**
 * Separates the parts of a row with line breaks. A browser doesn't show them in a flex container, but they
 * keep the parts apart for programs that read the page's text.
 */
export function spaced(parts: ComponentChildren): ComponentChild[] {
  return toChildArray(parts).flatMap((part, index) => (index > 0 ? ["\n", part] : [part]));
}
