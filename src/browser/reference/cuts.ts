import { all, onClick } from "../dom.ts";
import { showOutside } from "../load-external-content.ts";

declare global {
  interface Window {
    /** What a schema's file calls when it arrives. */
    octavoSchema?: (key: string, html: string) => void;
  }
}

/** Files that were asked for, by address. */
const files = new Map<string, Promise<string>>();
const arrivals = new Map<string, (html: string) => void>();

/** A schema that was cut off unfolds in its place. */
export function startCuts(): void {
  window.octavoSchema = (_key, html) => {
    const script = document.currentScript;
    if (script instanceof HTMLScriptElement) arrivals.get(script.src)?.(html);
  };
  onClick("a.o-cut", (cut, event) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    const { href } = cut as HTMLAnchorElement;
    unfold(cut as HTMLAnchorElement).then(
      (fold) => fold.querySelector("summary")?.focus(),
      () => location.assign(href),
    );
  });
}

/** Puts the schema in the place of its link; fails when its file cannot be read. */
export async function unfold(cut: HTMLAnchorElement): Promise<HTMLDetailsElement> {
  cut.setAttribute("aria-busy", "true");
  const address = cut.href.replace(/#.*$/, "").replace(/(?:\.html|\/)?$/, ".js");
  const html = await load(address);
  const fold = document.createElement("details");
  fold.className = "o-expandable";
  fold.open = true;
  const summary = document.createElement("summary");
  summary.textContent = cut.textContent;
  const body = document.createElement("div");
  body.className = "o-expandable-body";
  body.innerHTML = html;
  showOutside(body);
  settle(body, cut.closest(".o-field")?.id, address);
  fold.append(summary, body);
  (cut.closest("p") ?? cut).replaceWith(fold);
  return fold;
}

function load(address: string): Promise<string> {
  let file = files.get(address);
  if (!file) {
    file = new Promise((resolve, reject) => {
      arrivals.set(address, resolve);
      const script = document.createElement("script");
      script.src = address;
      script.onerror = () => {
        files.delete(address);
        reject(new Error(address));
      };
      document.head.append(script);
    });
    files.set(address, file);
  }
  return file;
}

/** Ids go on from the field that holds them, and links start where the file lies. */
function settle(body: HTMLElement, owner: string | undefined, address: string): void {
  for (const field of all("[id]", body)) {
    const wanted = owner ? `${owner}-${field.id.replace(/^param-/, "")}` : field.id;
    let id = wanted;
    for (let n = 1; document.getElementById(id) || body.querySelector(`#${CSS.escape(id)}`); n++) id = `${wanted}-${n}`;
    field.id = id;
    field.querySelector(":scope > .o-field-head > .o-field-name")?.setAttribute("href", `#${encodeURI(id)}`);
  }
  for (const element of all("[href], [src]", body)) {
    for (const name of ["href", "src"]) {
      const value = element.getAttribute(name);
      if (value && !value.startsWith("#")) element.setAttribute(name, new URL(value, address).href);
    }
  }
}
