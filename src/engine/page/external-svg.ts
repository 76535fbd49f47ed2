/** Removes what an SVG file loads from other hosts, for bundles that can be opened without a network. */

import { decodeText } from "../../base/files.ts";
import { escapeHtml, escapeText, unescapeHtml } from "../../base/html-text.ts";
import { Tag } from "../html/tags.ts";
import { withoutExternalCss } from "./external-content.ts";

/** Attributes with URLs that browsers load, including those that an animation sets, without their prefix. */
const loading = /^(?:href|src|srcset|poster|data|background|ping|base|to|from|by|values)$/;
const external = /(?:^|[\s,;])(?:(?!(?:data|blob):)[a-z][a-z\d+.-]*:|\/\/)/i;
/** Elements that show documents, which load files even from a `data:` URL. */
const framing = /^(?:iframe|object|embed)$/;

/** Maximum length of the file after its entities have been replaced, in characters. */
const expanded_chars = 30_000_000;

/** Returns the file without scripts and references to other hosts, except links. Unchanged if it has none. */
export function withoutExternalSvg(bytes: Uint8Array): Uint8Array {
  const text = plainXml(decodeXml(bytes));
  if (text === undefined) return new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"/>');
  const cleaned = cleanElements(text.xml);
  return text.mayLoad || cleaned !== text.xml ? new TextEncoder().encode(cleaned) : bytes;
}

function decodeXml(bytes: Uint8Array): string {
  if (!bytes.subarray(0, 4).includes(0) && bytes[0]! < 0xfe) return decodeText(bytes);
  return new TextDecoder(bytes[0] === 0xfe || bytes[0] === 0 ? "utf-16be" : "utf-16le").decode(bytes);
}

/**
 * Returns XML without comments, instructions, CDATA sections and declarations, and with entities and numeric
 * references replaced. Undefined if it is too long. `mayLoad`: whether a removed part could load a file.
 */
function plainXml(source: string): { xml: string; mayLoad: boolean } | undefined {
  let xml = "";
  let declarations = "";
  let mayLoad = false;
  let at = 0;
  for (let start = source.indexOf("<"); start >= 0; start = source.indexOf("<", start)) {
    const part = parts.find(([open]) => source.startsWith(open, start));
    if (part === undefined) {
      start++;
      continue;
    }

    const [open, close] = part;
    const isSubset = open === "<!DOCTYPE" && /^[^>[]*\[/.test(source.slice(start, start + doctype_chars));
    const end = source.indexOf(isSubset ? "]" : close, start + open.length);
    if (end < 0) {
      xml += source.slice(at, start);
      at = source.length;
      mayLoad = true;
      break;
    }
    const inside = source.slice(start + open.length, end);
    xml += source.slice(at, start) + (open === "<![CDATA[" ? escapeText(inside) : "");
    if (open === "<!DOCTYPE") declarations += inside;
    mayLoad ||=
      (open === "<?" && inside.startsWith("xml-stylesheet")) ||
      (open === "<!DOCTYPE" && /<!(?:ATTLIST|ENTITY)/.test(inside));
    at = isSubset ? source.indexOf(">", end) + 1 || source.length : end + close.length;
    start = at;
  }

  xml += source.slice(at);
  const entities = new Map(
    [...declarations.matchAll(/<!ENTITY\s+([\w.:-]+)\s+(?:"([^"]*)"|'([^']*)')/g)].map(
      ([, name, double, single]) => [name!, double ?? single ?? ""],
    ),
  );
  let left_chars = expanded_chars - xml.length;
  const expanded = xml.replace(/&(#?[\w.:-]+);/g, (reference, name: string) => {
    const value = name.startsWith("#") ? character(name) : (entities.get(name) ?? reference);
    left_chars -= value.length;
    return left_chars < 0 ? "" : value;
  });
  return left_chars < 0 ? undefined : { xml: expanded, mayLoad };
}

/** Maximum length of a doctype before its declarations, in characters. */
const doctype_chars = 1_000;

/** Returns the character of a numeric reference, escaped if it is part of markup. */
function character(name: string): string {
  const code = Number(`0${name.slice(1)}`.replace(/^0(?!x)/, ""));
  return code > 0 && code <= 0x10ffff ? escapeHtml(String.fromCodePoint(code)) : "";
}

const parts = [
  ["<!--", "-->"],
  ["<![CDATA[", "]]>"],
  ["<?", "?>"],
  ["<!DOCTYPE", ">"],
] as const;

/**
 * Removes references in tags and style sheets, and the content of scripts. Unlike in HTML, all elements can
 * contain others, so that a style sheet consists of all text up to its own end tag.
 */
function cleanElements(xml: string): string {
  let cleaned = "";
  let textElement: string | undefined;
  let depth = 0;
  let text: string[] = [];
  let end = 0;
  for (let start = xml.indexOf("<"); start >= 0; start = xml.indexOf("<", end)) {
    const between = xml.slice(end, start);
    const tag = new Tag(xml, start, xml[start + 1] === "/" ? start + 2 : start + 1);
    const local = withoutPrefix(tag.name);
    const isEmpty = /\/\s*>$/.test(tag.text.slice(-20));
    end = tag.end;

    if (textElement !== undefined) {
      text.push(between);
      if (local === textElement && !isEmpty) depth += tag.isEnd ? -1 : 1;
      if (depth > 0) continue;
      cleaned += (textElement === "style" ? cleanStyles(text.join("")) : "") + tag.text;
      textElement = undefined;
      continue;
    }

    cleaned += between + (tag.isEnd ? tag.text : cleanTag(tag, local));
    if (tag.isEnd || isEmpty || (local !== "style" && local !== "script")) continue;
    textElement = local;
    depth = 1;
    text = [];
  }

  return textElement === undefined ? cleaned + xml.slice(end) : cleaned;
}

function cleanStyles(escaped: string): string {
  const css = unescapeHtml(escaped);
  const inside = withoutExternalCss(css);
  return inside === css ? escaped : escapeText(inside);
}

function cleanTag(tag: Tag, local: string): string {
  const changed: Record<string, string> = {};
  for (const { name, value: escaped } of tag.attributes) {
    const value = unescapeHtml(escaped);
    const attribute = withoutPrefix(name);
    const css = name.startsWith("xmlns") ? value : withoutExternalCss(value);
    if (
      attribute === "srcdoc" ||
      attribute.startsWith("on") ||
      (attribute === "content" && local === "meta") ||
      (loading.test(attribute) && (local !== "a" || attribute === "ping") && isExternal(value, local))
    )
      changed[name] = "";
    else if (css !== value) changed[name] = name === "style" ? ` style="${escapeHtml(css)}"` : "";
  }

  return Object.keys(changed).length ? tag.withAttributes(changed) : tag.text;
}

function withoutPrefix(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

/** Whether browsers read a value as a URL of another host. They ignore tabs and line breaks in it. */
function isExternal(value: string, local: string): boolean {
  const url = value
    .replace(/[\t\n\r]/g, "")
    .replaceAll("\\", "/")
    .trim();
  return external.test(url) || (framing.test(local) && /^(?:data|blob):/i.test(url));
}
