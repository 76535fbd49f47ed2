/**
 * Loads classic scripts and style sheets, which work from `file://` too. Each file is loaded once, unless
 * loading fails.
 */

import { create } from "./dom.ts";

const loading = new Map<string, Promise<void>>();

/** Loads a script. Rejects if it can't be loaded. */
export function loadScript(href: string): Promise<void> {
  return loadOnce(href, () => create("script", { src: href }));
}

/** Loads a style sheet. Rejects if it can't be loaded. */
export function loadStyle(href: string): Promise<void> {
  return loadOnce(href, () => create("link", { rel: "stylesheet", href }));
}

function loadOnce(href: string, createElement: () => HTMLElement): Promise<void> {
  const before = loading.get(href);
  if (before) return before;
  const element = createElement();
  const done = new Promise<void>((resolve, reject) => {
    element.onload = () => resolve();
    element.onerror = () => {
      loading.delete(href);
      element.remove();
      reject(new Error(href));
    };
    document.head.append(element);
  });

  loading.set(href, done);
  return done;
}
