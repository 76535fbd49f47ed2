/**
 * Draws with a library that writes styles into the page where a policy (`style-src 'self'`) stops inline styles. Style attributes are
 * set by script, and style elements become style sheets of the document: such a policy allows both.
 */
const held = "data-inline-style";
const inMarkup = /\sstyle=(?=["'])/gi;

/** Style sheets by who had them made. */
const sheets = new Map<string, CSSStyleSheet>();

/** Runs `draw`; the style elements that it makes are in place of those of an earlier run for the same owner. */
export async function withStylesByScript<T>(owner: string, draw: () => Promise<T>): Promise<T> {
  const restore = [
    replaced(
      Element.prototype,
      "setAttribute",
      (original) =>
        function (this: Element, name: string, value: string) {
          if (name === "style" && "style" in this) (this as unknown as HTMLElement).style.cssText = value;
          else original.call(this, name, value);
        },
    ),
    replaced(
      Node.prototype,
      "insertBefore",
      (original) =>
        function <N extends Node>(this: Node, node: N, before: Node | null): N {
          return adopt(owner, node) ? node : (original.call(this, node, before) as N);
        },
    ),
    replaced(
      Node.prototype,
      "appendChild",
      (original) =>
        function <N extends Node>(this: Node, node: N): N {
          return adopt(owner, node) ? node : (original.call(this, node) as N);
        },
    ),
    replaced(
      DOMParser.prototype,
      "parseFromString",
      (original) =>
        function (this: DOMParser, text: string, type: DOMParserSupportedType) {
          return original.call(this, heldBack(text), type);
        },
    ),
    replacedSetter(),
  ];
  forget(owner);
  try {
    return await draw();
  } finally {
    for (const undo of restore.reverse()) undo();
  }
}

/** Sets an element's content, its styles by script. */
export function setMarkup(element: Element, markup: string): void {
  element.innerHTML = heldBack(markup);
  applyHeld(element);
}

/** `markup` may be an object that browsers take for a string, and is nothing when it is null. */
function heldBack(markup: unknown): string {
  return String(markup ?? "").replace(inMarkup, ` ${held}=`);
}

function applyHeld(within: Element): void {
  for (const element of within.querySelectorAll<HTMLElement>(`[${held}]`)) {
    element.style.cssText = element.getAttribute(held)!;
    element.removeAttribute(held);
  }
}

/** False for what is no style element with a text. */
function adopt(owner: string, node: Node): boolean {
  if (node.nodeName.toLowerCase() !== "style" || !node.textContent) return false;
  const sheet = sheets.get(owner) ?? new CSSStyleSheet();
  sheet.replaceSync(`${[...sheet.cssRules].map(({ cssText }) => cssText).join("\n")}\n${node.textContent}`);
  if (!sheets.has(owner)) document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  sheets.set(owner, sheet);
  return true;
}

function forget(owner: string): void {
  const sheet = sheets.get(owner);
  sheets.delete(owner);
  if (sheet) document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
}

/** Answers with what puts the original back. */
function replaced<O extends object, K extends keyof O>(
  object: O,
  key: K,
  make: (original: O[K] & CallableFunction) => unknown,
): () => void {
  const original = object[key];
  object[key] = make(original as O[K] & CallableFunction) as O[K];
  return () => {
    object[key] = original;
  };
}

function replacedSetter(): () => void {
  const original = Object.getOwnPropertyDescriptor(Element.prototype, "innerHTML")!;
  Object.defineProperty(Element.prototype, "innerHTML", {
    ...original,
    set(this: Element, markup: string) {
      original.set!.call(this, this.nodeName.toLowerCase() === "style" ? markup : heldBack(markup));
      applyHeld(this);
    },
  });
  return () => Object.defineProperty(Element.prototype, "innerHTML", original);
}
