/**
 * Removes what an SVG file loads from other hosts, and its scripts, for bundles that can be opened without a
 * network. Hosts send SVG files with a policy that does the same. Files on disk have none.
 *
 * Section numbers refer to XML 1.0.
 */

import { decodeText } from "../../base/files.ts";
import { escapeHtml, escapeText, unescapeHtml } from "../../base/html-text.ts";
import { withoutExternalCss } from "./external-content.ts";

/** Attributes with URLs that browsers load, including those that an animation sets, without their prefix. */
const loading =
  /^(?:href|src|srcset|imagesrcset|poster|data|background|ping|base|action|formaction|manifest|to|from|by|values)$/;
const external = /(?:^|[\s,;])(?:(?!(?:data|blob):)[a-z][a-z\d+.-]*:|\/\/)/i;
/** Elements of HTML that load documents or style sheets, which can load others, also from `data:` URLs. */
const embedding = /^(?:iframe|frame|object|embed|link|meta|base)$/;
const embedded = /^(?:href|src|srcdoc|data|content)$/;

/** Maximum length of the file after its entities have been replaced, in characters. */
const expanded_chars = 30_000_000;

/** XML requires quotes and blanks in start tags (section 3.1). */
const startOfTag = /^<([^\s<>/"'=]+)/;
const nextAttribute = /\s+([^\s<>/"'=]+)\s*=\s*("[^"]*"|'[^']*')/y;
const endOfTag = /\s*(\/?)>/y;

/** Returns the file without scripts and references to other hosts, except links. Unchanged if it has none. */
export function withoutExternalSvg(bytes: Uint8Array): Uint8Array {
  const decoded = decodeXml(bytes);
  const plain = plainXml(decoded.text);
  if (plain === undefined) return new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"/>');

  const cleaned = plain.xml.replace(/<[^<>/!?][^<]*/g, (part, at: number) =>
    cleanPart(part, plain.xml.startsWith("</", at + part.length)),
  );
  const isChanged = decoded.isOther || plain.isOther || cleaned !== plain.xml;
  return isChanged ? new TextEncoder().encode(cleaned) : bytes;
}

/** `isOther`: whether a host or a browser could read the file in another encoding. */
function decodeXml(bytes: Uint8Array): { text: string; isOther: boolean } {
  const decode = (encoding: string) => new TextDecoder(encoding).decode(bytes).replace(/\r\n?/g, "\n");
  const start = bytes.subarray(0, 4);
  if (start[0] === 0xfe || start[0] === 0) return { text: decode("utf-16be"), isOther: true };
  if (start[0] === 0xff || start.includes(0)) return { text: decode("utf-16le"), isOther: true };

  const text = decodeText(bytes);
  const declaration = text.startsWith("<?xml") ? text.slice(0, Math.max(0, text.indexOf("?>"))) : "";
  const encoding = /\sencoding\s*=\s*["']([^"']*)/.exec(declaration)?.[1] ?? "utf-8";
  if (start[0] === 0xef || /^(?:utf-?8|us-ascii)$/i.test(encoding)) return { text, isOther: false };
  try {
    return { text: decode(encoding), isOther: true };
  } catch {
    return { text, isOther: true };
  }
}

const parts = [
  ["<!--", "-->"],
  ["<![CDATA[", "]]>"],
  ["<?", "?>"],
  ["<!DOCTYPE", ">"],
] as const;

/**
 * Returns XML without comments, instructions, CDATA sections and declarations, and with entities and numeric
 * references replaced, up to the first part that has no end. Undefined if it is too long. `isOther`: whether
 * a removed part could change what the rest loads.
 */
function plainXml(source: string): { xml: string; isOther: boolean } | undefined {
  let xml = "";
  let declarations = "";
  let isOther = false;
  let at = 0;
  for (let start = source.indexOf("<"); start >= 0; start = source.indexOf("<", start)) {
    const [open, close] = parts.find(([mark]) => source.startsWith(mark, start)) ?? ["<", ""];
    if (close === "") {
      start++;
      continue;
    }

    const isSubset = open === "<!DOCTYPE" && /^[^>[]*\[/.test(source.slice(start, start + doctype_chars));
    const end = source.indexOf(isSubset ? "]" : close, start + open.length);
    xml += source.slice(at, start);
    if (end < 0) return expanded(xml, declarations, true);

    const inside = source.slice(start + open.length, end);
    if (open === "<![CDATA[") xml += escapeText(inside);
    if (isSubset) declarations += inside;
    isOther ||= isSubset || (open === "<?" && inside.startsWith("xml-stylesheet"));
    start = at = isSubset ? source.indexOf(">", end) + 1 || source.length : end + close.length;
  }

  return expanded(xml + source.slice(at), declarations, isOther);
}

/** Maximum length of a document type declaration before its declarations, in characters. */
const doctype_chars = 1_000;
/** Characters that XML predefines (section 4.6), as references that `unescapeHtml` replaces. */
const predefined = new Map(
  Object.entries({ amp: "&amp;", lt: "&lt;", gt: "&gt;", quot: "&quot;", apos: "&#39;" }),
);

/**
 * Replaces references (section 4.4). Those to entities whose value contains markup or other references are
 * removed, like those to unknown ones.
 */
function expanded(
  xml: string,
  declarations: string,
  isOther: boolean,
): { xml: string; isOther: boolean } | undefined {
  const entities = new Map<string, string>();
  for (const [, name, quoted] of declarations.matchAll(
    /<!ENTITY\s+([^\s%"'<>]+)\s+("[^"<&%]*"|'[^'<&%]*')\s*>/g,
  ))
    if (!entities.has(name!)) entities.set(name!, escapeQuoted(quoted!.slice(1, -1)));

  let isUnknown = false;
  let left_chars = expanded_chars - xml.length;
  const whole = xml.replace(/&([^\s;&<>"']*);/g, (_, name: string) => {
    const value = name.startsWith("#") ? character(name) : (predefined.get(name) ?? entities.get(name));
    isUnknown ||= value === undefined;
    left_chars -= value?.length ?? 0;
    return left_chars < 0 ? "" : (value ?? "");
  });
  return left_chars < 0 ? undefined : { xml: whole, isOther: isOther || isUnknown };
}

function escapeQuoted(text: string): string {
  return escapeHtml(text).replaceAll("'", "&#39;");
}

/** Returns the character of a numeric reference, escaped if it is part of markup. */
function character(name: string): string {
  const code = Number(`0${name.slice(1)}`.replace(/^0(?!x)/, ""));
  return code > 0 && code <= 0x10ffff ? escapeQuoted(String.fromCodePoint(code)) : "";
}

/**
 * Cleans a start tag and the text after it. `isWhole`: whether the text is the whole content of the element.
 * Browsers stop at a tag that isn't well-formed, so it's removed.
 */
function cleanPart(part: string, isWhole: boolean): string {
  const [start, name] = startOfTag.exec(part) ?? [];
  if (start === undefined) return "";

  const element = withoutPrefix(name!);
  // Text after a child element also belongs to a style sheet.
  const isOff = element === "script" || (element === "style" && !isWhole);
  let tag = isOff ? `${start} type="none"` : start;
  let at = start.length;
  for (;;) {
    nextAttribute.lastIndex = at;
    const found = nextAttribute.exec(part);
    if (!found) break;
    at = nextAttribute.lastIndex;
    if (!isOff || found[1] !== "type") tag += cleanAttribute(element, found);
  }

  endOfTag.lastIndex = at;
  const end = endOfTag.exec(part);
  if (!end) return "";
  const text = part.slice(endOfTag.lastIndex);
  if (element !== "style" || isOff || end[1]) return tag + end[0] + text;
  const css = unescapeHtml(text);
  const inside = withoutExternalCss(css);
  return tag + end[0] + (inside === css ? text : escapeText(inside));
}

/** Returns an attribute as in the file, or without what it loads. */
function cleanAttribute(element: string, [written, name, quoted]: RegExpExecArray): string {
  const local = withoutPrefix(name!);
  const value = unescapeHtml(quoted!.slice(1, -1));
  if (name === "xmlns" || name!.startsWith("xmlns:")) return written;
  if (local.startsWith("on") || local === "srcdoc" || (embedding.test(element) && embedded.test(local)))
    return "";

  const isLink = element === "a" && local === "href";
  if (!isLink && loading.test(local) && isExternal(value)) return "";
  const css = withoutExternalCss(value);
  if (css === value) return written;
  return local === "style" ? ` style="${escapeHtml(css)}"` : "";
}

function withoutPrefix(name: string): string {
  return name.slice(name.indexOf(":") + 1).toLowerCase();
}

/** Whether browsers read a value as a URL of another host. They ignore tabs and line breaks in it. */
function isExternal(value: string): boolean {
  return external.test(value.replace(/[\t\n\r]/g, "").replaceAll("\\", "/"));
}
