/**
 * Runs a library that writes inline styles, on pages whose content security policy (`style-src 'self'`)
 * blocks inline styles. Sets style attributes by script and converts style elements to adopted style sheets,
 * which the policy allows.
 */

const heldAttribute = "data-inline-style";
const styleAttribute = /\sstyle=(?=["'])/gi;

/** Adopted style sheets by the owner that `withStylesByScript` receives. */
const sheets = new Map<string, CSSStyleSheet>();

/** The latest run. The next run starts after this one has ended. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Runs `draw`, after earlier runs have ended. The style elements that `draw` creates replace the ones that an
 * earlier run with the same owner created. Until `draw` ends, methods of `Element`, `Node` and `DOMParser`
 * are replaced for all code on the page.
 */
export function withStylesByScript<T>(owner: string, draw: () => Promise<T>): Promise<T> {
  const run = last.then(() => runWithReplacedMethods(owner, draw));
  last = run.catch(() => {});
  return run;
}

async function runWithReplacedMethods<T>(owner: string, draw: () => Promise<T>): Promise<T> {
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
          return original.call(this, withHeldStyles(text), type);
        },
    ),
    replacedInnerHtml(),
  ];

  forget(owner);

  try {
    return await draw();
  } finally {
    for (const undo of restore.reverse()) undo();
  }
}

/** Sets an element's HTML content, and sets the inline styles in the HTML by script. */
export function setMarkup(element: Element, markup: string): void {
  element.innerHTML = withHeldStyles(markup);
  applyHeldStyles(element);
}

/**
 * Renames the style attributes in HTML, so that browsers don't apply them. `markup` may be null or an object
 * that browsers convert to a string.
 */
function withHeldStyles(markup: unknown): string {
  return String(markup ?? "").replace(styleAttribute, ` ${heldAttribute}=`);
}

function applyHeldStyles(within: Element): void {
  for (const element of within.querySelectorAll<HTMLElement>(`[${heldAttribute}]`)) {
    element.style.cssText = element.getAttribute(heldAttribute)!;
    element.removeAttribute(heldAttribute);
  }
}

/**
 * Converts a style element to an adopted style sheet. Returns false if the node isn't a style element with
 * text.
 */
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

/** Replaces a method of an object. Returns a function that restores the method. */
function replaced<O extends object, K extends keyof O>(
  object: O,
  key: K,
  create: (original: O[K] & CallableFunction) => unknown,
): () => void {
  const original = object[key];
  object[key] = create(original as O[K] & CallableFunction) as O[K];
  return () => {
    object[key] = original;
  };
}

function replacedInnerHtml(): () => void {
  const original = Object.getOwnPropertyDescriptor(Element.prototype, "innerHTML")!;
  Object.defineProperty(Element.prototype, "innerHTML", {
    ...original,
    set(this: Element, markup: string) {
      original.set!.call(this, this.nodeName.toLowerCase() === "style" ? markup : withHeldStyles(markup));
      applyHeldStyles(this);
    },
  });
  return () => Object.defineProperty(Element.prototype, "innerHTML", original);
}
