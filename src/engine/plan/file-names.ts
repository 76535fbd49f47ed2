/** Creates file names that are valid on every file system. */

import { hashOf } from "../hash-of.ts";
import { feedFile, htmlFile, markdownFile } from "../paths.ts";
import type { LinkTargets } from "../site/navigation/link-targets.ts";

/** Matches characters that are invalid in file names on Windows. */
const reservedCharacters = /[<>:"|?*\\\u0000-\u001f\u007f]/g;
/** Matches device names, which Windows reserves with any extension. */
const reservedNames = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³])[ ]*(?=\.|$)/i;
/**
 * Maximum length of a file name in bytes, excluding the number that distinguishes equal names. Encrypted file
 * systems allow fewer than the usual 255.
 */
const name_bytes = 140;
const encoder = new TextEncoder();

/** Path of a file in the export by its path on the site. Contains only files whose two paths differ. */
export type FileNames = ReadonlyMap<string, string>;

const cachedNames = new WeakMap<LinkTargets["pages"], FileNames>();

/**
 * Returns the files of a site whose names must change, with their new names. If two names would be equal or
 * differ only in case or Unicode normalization, the later one gets a number. Files in the documentation
 * folder come before generated files.
 */
export function fileNames(targets: LinkTargets): FileNames {
  let names = cachedNames.get(targets.pages);
  if (!names) cachedNames.set(targets.pages, (names = findNames(pathsOf(targets))));
  return names;
}

function* pathsOf({ served, pages, redirects, landings }: LinkTargets): Generator<string> {
  yield* served;
  for (const { route, summary } of pages.values()) {
    yield htmlFile(route);
    yield markdownFile(route);
    if (summary.feed.length) yield feedFile(route);
  }
  for (const route of landings.keys()) yield htmlFile(route);
  for (const source of redirects.exact.keys()) {
    const route = source.replace(/^\/+|\/+$/g, "").replace(/\.html$/, "");
    // Paths outside the site have no file.
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
  let start = "";
  let bytes = 0;
  for (const character of stem) {
    bytes += encoder.encode(character).length;
    if (bytes > name_bytes - 20) break;
    start += character;
  }

  // The hash excludes the extension, so that a page and its Markdown have the same stem.
  return `${start}-${hashOf(stem).slice(0, 8)}${ending}`;
}

/** Normalizes a path, so that paths that a file system can treat as the same are equal. */
function comparable(path: string): string {
  return path.normalize("NFC").toLowerCase();
}
