import { platformNames } from "./sandbox-globals.ts";

/** The names that every engine defines: those of JavaScript, and those that the sandbox adds. */
export const javascriptNames: ReadonlySet<string> = new Set([
  ...platformNames,
  ...["Array", "Boolean", "BigInt", "Date", "Error", "Function", "JSON", "Map", "Math", "Number", "Object", "Promise"],
  ...["Proxy", "RangeError", "Reflect", "RegExp", "Set", "String", "Symbol", "SyntaxError", "TypeError", "URIError"],
  ...["WeakMap", "WeakSet", "ArrayBuffer", "Uint8Array", "decodeURI", "decodeURIComponent", "encodeURI"],
  ...["encodeURIComponent", "eval", "globalThis", "isFinite", "isNaN", "parseFloat", "parseInt", "console"],
]);

/** The names that only a browser defines: code that asks for them is meant to run there. */
export const browserNames = [
  ...["window", "document", "navigator", "location", "history", "localStorage", "sessionStorage", "screen", "fetch"],
  ...["setTimeout", "clearTimeout", "setInterval", "clearInterval", "requestAnimationFrame", "cancelAnimationFrame"],
  ...["matchMedia", "getComputedStyle", "IntersectionObserver", "MutationObserver", "ResizeObserver", "XMLHttpRequest"],
  ...["WebSocket", "EventSource", "customElements", "alert", "confirm", "prompt", "Image", "Audio", "performance", "crypto"],
] as const;

/** The hooks that author code may use without an import. */
export const hookNames = [
  ...["useState", "useEffect", "useRef", "useCallback", "useMemo", "useContext", "useReducer", "useLayoutEffect", "useId"],
] as const;
