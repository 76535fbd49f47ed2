/** Reads the headers of an untrusted tar. */

import { BadArchive } from "./archive-limits.ts";

/**
 * Returns the kind of an entry, from the type in its header. Throws `BadArchive` if the entry isn't a file or
 * folder.
 */
export function kindOf(type: string, name: string): "file" | "folder" {
  if (type === "5") return "folder";
  // In old archives, a folder is a file with a trailing slash.
  if (type === "0" || type === "\0") return name.endsWith("/") ? "folder" : "file";
  const what =
    type === "1" || type === "2" || type === "K"
      ? "a link"
      : type === "3" || type === "4" || type === "6"
        ? "a device"
        : undefined;
  throw new BadArchive(
    `${quote(name)} is ${what ?? "neither a file nor a folder"}. Only files and folders are allowed.`,
  );
}

/** Throws `BadArchive` if the checksum of a header is wrong. */
export function verifyChecksum(header: Buffer): void {
  let sum = 8 * 32;
  for (const [index, byte] of header.entries()) if (index < 148 || index >= 156) sum += byte;
  if (octal(header.subarray(148, 156)) !== sum)
    throw new BadArchive("The file isn't a tar archive, or it's damaged");
}

/** Reads an octal number. 0 if the field is empty. Throws `BadArchive` if the field isn't an octal number. */
export function octal(field: Buffer): number {
  const text = field.toString("latin1");
  if (!/^ *[0-7]*[ \0]*$/.test(text)) throw new BadArchive("The file isn't a tar archive, or it's damaged");
  return Number.parseInt(text.replace(/[ \0]/g, "") || "0", 8);
}

/** Returns the name of an entry, from its header. Throws `BadArchive` if the name isn't UTF-8. */
export function headerName(header: Buffer): string {
  const name = zeroEnded(header.subarray(0, 100));
  const isPosix = header.toString("latin1", 257, 263) === "ustar\0";
  const prefix = isPosix ? zeroEnded(header.subarray(345, 500)) : "";
  return prefix ? `${prefix}/${name}` : name;
}

function zeroEnded(field: Buffer): string {
  const end = field.indexOf(0);
  return decode(end < 0 ? field : field.subarray(0, end));
}

/**
 * Reads the records of an extended header, `length key=value\n`. `isLink`: whether the records set the target
 * of a link. Throws `BadArchive` if the records are damaged, set a size, or set a name that isn't UTF-8.
 */
export function readPax(content: Buffer): { name: string | undefined; isLink: boolean } {
  let name: string | undefined;
  let isLink = false;
  for (let at = 0; at < content.length; ) {
    const space = content.indexOf(32, at);
    const digits = content.toString("latin1", at, space);
    const end = at + Number(digits);
    if (
      space < 0 ||
      !/^[1-9]\d{0,5}$/.test(digits) ||
      end > content.length ||
      content[end - 1] !== 10 ||
      end <= space
    )
      throw new BadArchive("The archive has a damaged extended header");
    const record = content.subarray(space + 1, end - 1);
    const equals = record.indexOf(61);
    const key = record.toString("latin1", 0, Math.max(equals, 0));
    if (key === "path") name = decode(record.subarray(equals + 1));
    else if (key === "linkpath") isLink = true;
    // Programs disagree about which size takes precedence.
    else if (key === "size")
      throw new BadArchive("The archive has an extended (pax) header that sets size, which isn't supported");
    at = end;
  }

  return { name, isLink };
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Decodes a name. Throws `BadArchive` if it isn't UTF-8. */
export function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new BadArchive("The archive contains a file name that isn't valid UTF-8");
  }
}

/** Puts a name in quotation marks for a message. Escapes control characters and shortens long names. */
export function quote(name: string): string {
  return JSON.stringify(name.length > 100 ? `${name.slice(0, 100)}…` : name);
}
