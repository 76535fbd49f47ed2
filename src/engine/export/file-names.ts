/** Names of files that every file system can unpack. URLs keep the names that authors and documents give. */

import { htmlFile } from "../paths.ts";
import type { AddressBook } from "../site/links.ts";
import { hashOf } from "../site/page-cache.ts";

/** Windows takes none of these characters in a name. */
const reservedCharacters = /[<>:"|?*\\\u0000-\u001f\u007f]/g;
/** Devices of Windows, whatever follows the first dot. */
const reservedNames = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³])[ ]*(?=\.|$)/i;
/** Encrypted file systems take fewer bytes in a name than the usual 255. */
const name_bytes = 140;
const encoder = new TextEncoder();

/** Paths whose file has another name than the path, with that name. */
export type FileNames = ReadonlyMap<string, string>;

const known = new WeakMap<AddressBook, FileNames>();

/** The files of a site: its own ones keep their names before generated ones when two differ by case only. */
export function fileNames(book: AddressBook): FileNames {
  let names = known.get(book);
  if (!names) known.set(book, (names = findNames(pathsOf(book))));
  return names;
}

function* pathsOf({ served, pages, redirects }: AddressBook): Generator<string> {
  yield* served;
  for (const { route, summary } of pages.values()) {
    yield htmlFile(route);
    yield `${route || "index"}.md`;
    if (summary.feed.length) yield `${route ? `${route}/` : ""}rss.xml`;
  }
  for (const source of redirects.exact.keys()) {
    const route = source.replace(/^\/+|\/+$/g, "").replace(/\.html$/, "");
    // Those that lead out of the site get no file.
    if (!/(?:^|\/)\.{1,2}(?:\/|$)/.test(route)) yield htmlFile(route);
  }
}

function findNames(paths: Iterable<string>): FileNames {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  const seen = new Set<string>();
  for (const path of paths) {
    if (seen.has(path)) continue;
    seen.add(path);
    const safe = path.split("/").map(safeName).join("/");
    const [, stem = safe, ending = ""] = /^(.*?)(\.\w+)?$/s.exec(safe)!;
    let name = safe;
    for (let n = 2; taken.has(comparable(name)); n++) name = `${stem}-${n}${ending}`;
    taken.add(comparable(name));
    if (name !== path) names.set(path, name);
  }
  return names;
}

function safeName(name: string): string {
  const plain = name
    .replace(reservedCharacters, "-")
    .replace(/[. ]+$/, (end) => "-".repeat(end.length))
    .replace(reservedNames, (device) => `${device.trimEnd()}-`);
  if (plain.length < name_bytes / 4 || encoder.encode(plain).length <= name_bytes) return plain;
  const [, stem = plain, ending = ""] = /^(.*?)(\.\w{1,10})?$/s.exec(plain)!;
  let kept = "";
  let bytes = 0;
  for (const letter of stem) {
    bytes += encoder.encode(letter).length;
    if (bytes > name_bytes - 20) break;
    kept += letter;
  }
  // Without the ending, so that a page and its Markdown keep one name.
  return `${kept}-${hashOf(stem).slice(0, 8)}${ending}`;
}

/** Equal for names that a file system may take for the same. */
function comparable(path: string): string {
  return path.normalize("NFC").toLowerCase();
}
