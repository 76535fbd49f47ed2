/** Loads files as classic scripts and styles, which work from `file://` too. A file that failed can be asked for again. */
const loading = new Map<string, Promise<void>>();

/** Rejects when the file does not come. */
export function loadScript(href: string): Promise<void> {
  return once(href, () => Object.assign(document.createElement("script"), { src: href }));
}

export function loadStyle(href: string): Promise<void> {
  return once(href, () => Object.assign(document.createElement("link"), { rel: "stylesheet", href }));
}

function once(href: string, make: () => HTMLElement): Promise<void> {
  const before = loading.get(href);
  if (before) return before;
  const element = make();
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
