/** Loads a large schema when its link is clicked. */

import { all, onClick } from "../dom.ts";
import { showExternalContent } from "../load-external-content.ts";

declare global {
  interface Window {
    /** Called by the script of a schema. */
    octavoSchema?: (key: string, html: string) => void;
  }
}

/** HTML of the requested files, by URL. */
const files = new Map<string, Promise<string>>();
/** Callbacks that receive the HTML of a requested file, by URL. */
const callbacks = new Map<string, (html: string) => void>();

/** Replaces the link to a large schema with the schema when the link is clicked. */
export function startLazySchemas(): void {
  window.octavoSchema = (_key, html) => {
    const script = document.currentScript as HTMLScriptElement | null;
    if (script) callbacks.get(script.src)?.(html);
  };
  onClick("a.o-cut", (cut, event) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    const { href } = cut as HTMLAnchorElement;
    expand(cut as HTMLAnchorElement).then(
      (fold) => fold.querySelector("summary")?.focus(),
      () => location.assign(href),
    );
  });
}

/** Replaces a link with its schema. Rejects if the file can't be loaded. */
export async function expand(cut: HTMLAnchorElement): Promise<HTMLDetailsElement> {
  cut.setAttribute("aria-busy", "true");
  const url = cut.href.replace(/#.*$/, "").replace(/(?:\.html|\/)?$/, ".js");
  const html = await load(url);
  const fold = document.createElement("details");
  fold.className = "o-expandable expandable";
  fold.open = true;
  const summary = document.createElement("summary");
  summary.textContent = cut.textContent;
  const body = document.createElement("div");
  body.className = "o-expandable-body";
  body.innerHTML = html;
  showExternalContent(body);
  resolveIds(body, cut.closest(".o-field")?.id, url);
  fold.append(summary, body);
  (cut.closest("p") ?? cut).replaceWith(fold);

  return fold;
}

function load(url: string): Promise<string> {
  let file = files.get(url);
  if (!file) {
    file = new Promise((resolve, reject) => {
      callbacks.set(url, resolve);
      const script = document.createElement("script");
      script.src = url;
      script.onerror = () => {
        files.delete(url);
        reject(new Error(url));
      };
      document.head.append(script);
    });
    files.set(url, file);
  }

  return file;
}

/** Prefixes ids with the id of the enclosing field, and resolves links against the URL of the file. */
function resolveIds(body: HTMLElement, owner: string | undefined, url: string): void {
  for (const field of all("[id]", body)) {
    const requested = owner ? `${owner}-${field.id.replace(/^param-/, "")}` : field.id;
    let id = requested;
    for (let n = 1; document.getElementById(id) || body.querySelector(`#${CSS.escape(id)}`); n++)
      id = `${requested}-${n}`;
    field.id = id;
    field.querySelector(":scope > .o-field-head > .o-field-name")?.setAttribute("href", `#${encodeURI(id)}`);
  }

  for (const element of all("[href], [src]", body)) {
    for (const name of ["href", "src"]) {
      const value = element.getAttribute(name);
      if (value && !value.startsWith("#")) element.setAttribute(name, new URL(value, url).href);
    }
  }
}
