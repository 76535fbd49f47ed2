/**
 * Lists names that author code can use without defining them: JavaScript globals, browser globals and hooks.
 */

import { platformNames } from "./sandbox-globals.ts";

/** Common global names of JavaScript, `console`, and the names in `platformNames`. */
export const javascriptNames: ReadonlySet<string> = new Set([
  ...platformNames,
  ...[
    "Array",
    "Boolean",
    "BigInt",
    "Date",
    "Error",
    "Function",
    "JSON",
    "Map",
    "Math",
    "Number",
    "Object",
    "Promise",
  ],
  ...[
    "Proxy",
    "RangeError",
    "Reflect",
    "RegExp",
    "Set",
    "String",
    "Symbol",
    "SyntaxError",
    "TypeError",
    "URIError",
  ],
  ...["WeakMap", "WeakSet", "ArrayBuffer", "Uint8Array", "decodeURI", "decodeURIComponent", "encodeURI"],
  ...["encodeURIComponent", "eval", "globalThis", "isFinite", "isNaN", "parseFloat", "parseInt", "console"],
]);

/**
 * Common browser globals, which are undefined in the sandbox. Components that use them are rendered in the
 * browser.
 */
export const browserNames = [
  ...[
    "window",
    "document",
    "navigator",
    "location",
    "history",
    "localStorage",
    "sessionStorage",
    "screen",
    "fetch",
  ],
  ...[
    "setTimeout",
    "clearTimeout",
    "setInterval",
    "clearInterval",
    "requestAnimationFrame",
    "cancelAnimationFrame",
  ],
  ...[
    "matchMedia",
    "getComputedStyle",
    "IntersectionObserver",
    "MutationObserver",
    "ResizeObserver",
    "XMLHttpRequest",
  ],
  ...[
    "WebSocket",
    "EventSource",
    "customElements",
    "alert",
    "confirm",
    "prompt",
    "Image",
    "Audio",
    "performance",
    "crypto",
  ],
] as const;

/** Hooks that author code can use without an import. */
export const hookNames = [
  ...[
    "useState",
    "useEffect",
    "useRef",
    "useCallback",
    "useMemo",
    "useContext",
    "useReducer",
    "useLayoutEffect",
    "useId",
  ],
] as const;
