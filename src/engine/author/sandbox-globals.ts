/** Implements globals of browsers and Node.js for the sandbox, since QuickJS does not define them. */

/** Names of the implemented globals. */
export const platformNames = [
  ...[
    "atob",
    "btoa",
    "TextEncoder",
    "TextDecoder",
    "URL",
    "URLSearchParams",
    "structuredClone",
    "AbortController",
    "AbortSignal",
  ],
] as const;

const usesPlatform = new RegExp(`\\b(?:${platformNames.join("|")})\\b`);

/**
 * Returns JavaScript that defines `platformNames` inside the sandbox. Empty if the source contains none of
 * them.
 */
export function platformGlobals(source: string): string {
  return usesPlatform.test(source) ? definitions : "";
}

/**
 * JavaScript that defines `platformNames`. The decoder supports only UTF-8, and URLs don't convert host names
 * to Punycode.
 */
const definitions = String.raw`(() => {
"use strict";
const define = (members) => { for (const [name, value] of Object.entries(members)) Object.defineProperty(globalThis, name, { value, writable: true, configurable: true }); };
const fail = (name, message) => { throw Object.assign(new Error(message), { name }); };

const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const btoa = (value) => {
  const text = String(value);
  let out = "";
  for (let i = 0; i < text.length; i += 3) {
    const [a, b, c] = [text.charCodeAt(i), text.charCodeAt(i + 1), text.charCodeAt(i + 2)];
    if (a > 255 || b > 255 || c > 255) fail("InvalidCharacterError", "btoa only supports characters up to U+00FF.");
    out += digits[a >> 2] + digits[((a & 3) << 4) | (b >> 4)] + (i + 1 < text.length ? digits[((b & 15) << 2) | (c >> 6)] : "=") + (i + 2 < text.length ? digits[c & 63] : "=");
  }
  return out;
};
const atob = (value) => {
  let text = String(value).replace(/[\t\n\f\r ]/g, "");
  if (text.length % 4 === 0) text = text.replace(/==?$/, "");
  if (text.length % 4 === 1 || /[^A-Za-z0-9+/]/.test(text)) fail("InvalidCharacterError", "The string isn't valid Base64.");
  let out = "", bits = 0, count = 0;
  for (const letter of text) {
    bits = ((bits << 6) | digits.indexOf(letter)) & 0xffff;
    count += 6;
    if (count >= 8) { count -= 8; out += String.fromCharCode((bits >> count) & 255); }
  }
  return out;
};

const utf8 = (text) => {
  const bytes = [];
  for (const letter of text) {
    let code = letter.codePointAt(0);
    if (code >= 0xd800 && code <= 0xdfff) code = 0xfffd;
    if (code < 0x80) bytes.push(code);
    else if (code < 0x800) bytes.push(0xc0 | (code >> 6), 0x80 | (code & 63));
    else if (code < 0x10000) bytes.push(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
    else bytes.push(0xf0 | (code >> 18), 0x80 | ((code >> 12) & 63), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
  }
  return bytes;
};
class TextEncoder {
  get encoding() { return "utf-8"; }
  encode(text = "") { return Uint8Array.from(utf8(String(text))); }
}
const leads = [[0xc2, 0xdf, 1], [0xe0, 0xef, 2], [0xf0, 0xf4, 3]];
class TextDecoder {
  constructor(label = "utf-8", { fatal = false, ignoreBOM = false } = {}) {
    if (!/^\s*(?:utf-?8|unicode-1-1-utf-8)\s*$/i.test(label)) throw new RangeError("Only UTF-8 is supported here.");
    Object.assign(this, { encoding: "utf-8", fatal, ignoreBOM });
  }
  decode(input = new Uint8Array()) {
    const bytes = ArrayBuffer.isView(input) ? new Uint8Array(input.buffer, input.byteOffset, input.byteLength) : new Uint8Array(input);
    let out = "", i = 0;
    while (i < bytes.length) {
      const first = bytes[i++];
      if (first < 0x80) { out += String.fromCharCode(first); continue; }
      const lead = leads.find(([low, high]) => first >= low && first <= high);
      let code = lead ? first & (0x3f >> lead[2]) : -1, low = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80, high = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
      for (let n = 0; lead && n < lead[2] && code >= 0; n++) {
        const next = bytes[i];
        if (next === undefined || next < low || next > high) code = -1;
        else { code = (code << 6) | (next & 63); i++; }
        low = 0x80; high = 0xbf;
      }
      if (code < 0 && this.fatal) throw new TypeError("The encoded data isn't valid UTF-8.");
      out += code < 0 ? "\ufffd" : String.fromCodePoint(code);
    }
    return this.ignoreBOM ? out : out.replace(/^\ufeff/, "");
  }
}

const percent = (text, kept) => [...text].map((letter) => kept.test(letter) ? letter : utf8(letter).map((byte) => "%" + byte.toString(16).toUpperCase().padStart(2, "0")).join("")).join("");
const unform = (text) => {
  const bytes = [];
  const plain = text.replaceAll("+", " ");
  for (let i = 0; i < plain.length; i++) {
    if (plain[i] === "%" && /^[\da-f]{2}$/i.test(plain.slice(i + 1, i + 3))) { bytes.push(parseInt(plain.slice(i + 1, i + 3), 16)); i += 2; }
    else { const letter = String.fromCodePoint(plain.codePointAt(i)); bytes.push(...utf8(letter)); i += letter.length - 1; }
  }
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(Uint8Array.from(bytes));
};
const form = (text) => percent(text, /[A-Za-z0-9*._ -]/).replaceAll(" ", "+");
class URLSearchParams {
  #pairs = [];
  #changed;
  constructor(init = "", changed = () => {}) {
    this.#changed = changed;
    if (typeof init === "object" && init !== null) {
      const pairs = typeof init[Symbol.iterator] === "function" ? [...init] : Object.entries(init);
      this.#pairs = pairs.map(([name, value]) => [String(name), String(value)]);
    } else this.reset(String(init));
  }
  reset(text) {
    this.#pairs = text.replace(/^\?/, "").split("&").filter(Boolean).map((part) => {
      const at = part.indexOf("=");
      return at < 0 ? [unform(part), ""] : [unform(part.slice(0, at)), unform(part.slice(at + 1))];
    });
  }
  get size() { return this.#pairs.length; }
  append(name, value) { this.#pairs.push([String(name), String(value)]); this.#changed(); }
  delete(name, value) { this.#pairs = this.#pairs.filter((pair) => pair[0] !== String(name) || (value !== undefined && pair[1] !== String(value))); this.#changed(); }
  get(name) { return this.#pairs.find((pair) => pair[0] === String(name))?.[1] ?? null; }
  getAll(name) { return this.#pairs.filter((pair) => pair[0] === String(name)).map((pair) => pair[1]); }
  has(name, value) { return this.#pairs.some((pair) => pair[0] === String(name) && (value === undefined || pair[1] === String(value))); }
  set(name, value) {
    const at = this.#pairs.findIndex((pair) => pair[0] === String(name));
    if (at < 0) return this.append(name, value);
    this.#pairs = this.#pairs.filter((pair, index) => index <= at || pair[0] !== String(name));
    this.#pairs[at] = [String(name), String(value)];
    this.#changed();
  }
  sort() { this.#pairs.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)); this.#changed(); }
  forEach(see, self) { for (const [name, value] of this) see.call(self, value, name, this); }
  *entries() { for (const [name, value] of this.#pairs) yield [name, value]; }
  *keys() { for (const [name] of this.#pairs) yield name; }
  *values() { for (const [, value] of this.#pairs) yield value; }
  [Symbol.iterator]() { return this.entries(); }
  toString() { return this.#pairs.map(([name, value]) => form(name) + "=" + form(value)).join("&"); }
}

const ports = { "http:": "80", "https:": "443", "ws:": "80", "wss:": "443", "ftp:": "21", "file:": "" };
const dots = (path) => {
  const out = [];
  const parts = path.split("/");
  parts.forEach((part, index) => {
    const plain = part.replace(/%2e/gi, ".");
    if (plain === "..") out.length > 1 && out.pop();
    else if (plain !== ".") out.push(part);
    if ((plain === ".." || plain === ".") && index === parts.length - 1) out.push("");
  });
  return out.join("/");
};
const inPath = /[\x21\x24-\x3b\x3d\x40-\x5f\x61-\x7a|~%]/, inQuery = /[\x21\x24-\x26\x28-\x3b\x3d\x3f-\x7e%]/, inHash = /[\x21\x23-\x3b\x3d\x3f-\x5f\x61-\x7e%]/, inUser = /[\x21\x24-\x2e\x30-\x39A-Z_a-z~%]/;
const parseUrl = (text, base) => {
  const input = text.replace(/^[\0-\x20]+|[\0-\x20]+$/g, "").replace(/[\t\n\r]/g, "");
  const [, scheme, rest] = /^(?:([a-z][a-z\d+.-]*):)?([^]*)$/i.exec(input);
  const [, before, query, fragment] = /^([^?#]*)(?:\?([^#]*))?(?:#([^]*))?$/.exec(rest);
  const protocol = scheme ? scheme.toLowerCase() + ":" : base?.protocol;
  if (protocol === undefined) return undefined;
  const special = protocol in ports;
  const url = { protocol, username: "", password: "", hostname: "", port: "", pathname: "", search: query ? "?" + percent(query, inQuery) : "", hash: fragment ? "#" + percent(fragment, inHash) : "", opaque: false };
  const path = special ? before.replaceAll("\\", "/") : before;
  const relative = base && (!scheme || (special && scheme.toLowerCase() + ":" === base.protocol && !path.startsWith("//") && !path.startsWith("/")));
  if (path.startsWith("//") || (special && !relative && scheme)) {
    const [, authority, after] = (protocol === "file:" ? /^\/\/([^/]*)([^]*)$/ : /^\/*([^/]*)([^]*)$/).exec(path) ?? [path, "", path];
    const at = authority.lastIndexOf("@");
    const [, user = "", pass = ""] = at < 0 ? [] : /^([^:]*):?([^]*)$/.exec(authority.slice(0, at));
    const [, host, port = ""] = /^(\[[^\]]*\]|[^:]*)(?::(\d*))?$/.exec(authority.slice(at + 1)) ?? [];
    if (host === undefined || (special && host === "" && protocol !== "file:") || Number(port) > 65535) return undefined;
    let hostname = host;
    if (special) { try { hostname = decodeURIComponent(host).toLowerCase(); } catch { return undefined; } }
    if (/[\0-\x20#/<>?@\\^|%]/.test(hostname)) return undefined;
    Object.assign(url, { username: percent(user, inUser), password: percent(pass, inUser), hostname, port: port === "" || String(Number(port)) === ports[protocol] ? "" : String(Number(port)) });
    url.pathname = percent(dots(after || (special ? "/" : "")), inPath);
  } else if (relative) {
    if (base.opaque && before) return undefined;
    Object.assign(url, { username: base.username, password: base.password, hostname: base.hostname, port: base.port });
    if (path === "") { url.pathname = base.pathname; if (query === undefined) url.search = base.search; }
    else url.pathname = percent(dots(path.startsWith("/") ? path : base.pathname.replace(/[^/]*$/, "") + path), inPath);
  } else if (scheme) Object.assign(url, { pathname: before.startsWith("/") ? percent(dots(before), inPath) : before, opaque: !before.startsWith("/") });
  else return undefined;
  return url;
};
class URL {
  #url;
  #params;
  constructor(text, base) {
    const from = base === undefined ? undefined : parseUrl(String(base));
    this.#url = base !== undefined && !from ? undefined : parseUrl(String(text), from);
    if (!this.#url) throw new TypeError("Invalid URL: " + text);
    this.#params = new URLSearchParams(this.#url.search, () => { const text = String(this.#params); this.#url.search = text && "?" + text; });
  }
  static canParse(text, base) { try { return Boolean(new URL(text, base)); } catch { return false; } }
  static parse(text, base) { try { return new URL(text, base); } catch { return null; } }
  get href() {
    const { protocol, username, password, hostname, port, pathname, search, hash, opaque } = this.#url;
    const user = username || password ? username + (password && ":" + password) + "@" : "";
    return protocol + (!opaque && (hostname || protocol in ports) ? "//" + user + hostname + (port && ":" + port) : "") + pathname + search + hash;
  }
  set href(text) { const next = parseUrl(String(text)); if (!next) throw new TypeError("Invalid URL: " + text); this.#url = next; this.#params.reset(next.search); }
  get origin() { const { protocol } = this.#url; return protocol in ports && protocol !== "file:" ? protocol + "//" + this.host : "null"; }
  get protocol() { return this.#url.protocol; }
  get username() { return this.#url.username; }
  get password() { return this.#url.password; }
  get host() { return this.#url.hostname + (this.#url.port && ":" + this.#url.port); }
  get hostname() { return this.#url.hostname; }
  get port() { return this.#url.port; }
  get pathname() { return this.#url.pathname; }
  get search() { return this.#url.search; }
  get hash() { return this.#url.hash; }
  get searchParams() { return this.#params; }
  set protocol(text) { this.#change(String(text).replace(/:.*$/, "") + ":" + this.href.slice(this.#url.protocol.length)); }
  set username(text) { this.#url.username = percent(String(text), inUser); }
  set password(text) { this.#url.password = percent(String(text), inUser); }
  set host(text) { const next = parseUrl(this.#url.protocol + "//" + text); if (next) Object.assign(this.#url, { hostname: next.hostname, port: next.port }); }
  set hostname(text) { const next = parseUrl(this.#url.protocol + "//" + text); if (next) this.#url.hostname = next.hostname; }
  set port(text) { const port = parseInt(text, 10); this.#url.port = Number.isNaN(port) || String(port) === ports[this.#url.protocol] ? "" : String(port); }
  set pathname(text) { this.#url.pathname = percent(dots("/" + String(text).replace(/^\//, "")).replace(/[?#]/g, (letter) => "%" + letter.charCodeAt(0).toString(16).toUpperCase()), inPath); }
  set search(text) { const query = String(text).replace(/^\?/, ""); this.#url.search = query && "?" + percent(query, inQuery).replaceAll("#", "%23"); this.#params.reset(this.#url.search); }
  set hash(text) { const hash = String(text).replace(/^#/, ""); this.#url.hash = hash && "#" + percent(hash, inHash); }
  #change(text) { const next = parseUrl(text); if (next) this.#url = next; }
  toString() { return this.href; }
  toJSON() { return this.href; }
}

const structuredClone = (value, known = new Map()) => {
  if (typeof value === "function" || typeof value === "symbol") fail("DataCloneError", "A " + typeof value + " can't be cloned.");
  if (typeof value !== "object" || value === null) return value;
  if (known.has(value)) return known.get(value);
  const keep = (copy) => { known.set(value, copy); return copy; };
  if (value instanceof Date) return keep(new Date(value.getTime()));
  if (value instanceof RegExp) return keep(new RegExp(value.source, value.flags));
  if (value instanceof ArrayBuffer) return keep(value.slice(0));
  if (ArrayBuffer.isView(value)) return keep(value instanceof DataView ? new DataView(value.buffer.slice(value.byteOffset, value.byteOffset + value.byteLength)) : value.slice());
  if (value instanceof Map) { const copy = keep(new Map()); for (const [key, item] of value) copy.set(structuredClone(key, known), structuredClone(item, known)); return copy; }
  if (value instanceof Set) { const copy = keep(new Set()); for (const item of value) copy.add(structuredClone(item, known)); return copy; }
  if (value instanceof Error) return keep(Object.assign(new Error(value.message), { name: value.name }));
  const copy = keep(Array.isArray(value) ? new Array(value.length) : {});
  for (const key of Object.keys(value)) copy[key] = structuredClone(value[key], known);
  return copy;
};

class AbortSignal {
  aborted = false;
  reason = undefined;
  onabort = null;
  #listeners = new Set();
  static abort(reason) { const controller = new AbortController(); controller.abort(reason); return controller.signal; }
  static any(signals) {
    const controller = new AbortController();
    for (const signal of signals) if (signal.aborted) controller.abort(signal.reason); else signal.addEventListener("abort", () => controller.abort(signal.reason));
    return controller.signal;
  }
  /** Returns a signal that never aborts, since the sandbox has no timers. */
  static timeout() { return new AbortSignal(); }
  throwIfAborted() { if (this.aborted) throw this.reason; }
  addEventListener(type, listener) { if (type === "abort") this.#listeners.add(listener); }
  removeEventListener(type, listener) { if (type === "abort") this.#listeners.delete(listener); }
  dispatchEvent(event) { for (const listener of [this.onabort, ...this.#listeners]) typeof listener === "function" ? listener.call(this, event) : listener?.handleEvent?.(event); return true; }
}
class AbortController {
  signal = new AbortSignal();
  abort(reason = Object.assign(new Error("This operation was aborted"), { name: "AbortError" })) {
    if (this.signal.aborted) return;
    Object.assign(this.signal, { aborted: true, reason });
    this.signal.dispatchEvent({ type: "abort", target: this.signal });
  }
}
define({ atob, btoa, TextEncoder, TextDecoder, URL, URLSearchParams, structuredClone: (value) => structuredClone(value), AbortController, AbortSignal });
})();`;
