/** Writes tar archives, including invalid ones. */

import { gzipSync } from "node:zlib";

export interface TarEntry {
  name: string | Buffer;
  type?: string;
  content?: string | Buffer;
  link?: string;
  mode?: number;
  /** Size in the header. By default, the size of the content. */
  size?: number | string;
  prefix?: string;
  checksum?: number;
}

export function tar(entries: readonly TarEntry[], end: Buffer = Buffer.alloc(1_024)): Buffer {
  return Buffer.concat([...entries.flatMap(entryBytes), end]);
}

export function tarGz(entries: readonly TarEntry[], end?: Buffer): Buffer {
  return gzipSync(tar(entries, end));
}

/** A compressed archive of plain files, as `octavo deploy` sends it. */
export function tarOf(files: Record<string, string | Buffer>): Buffer {
  return tarGz(Object.entries(files).map(([name, content]) => ({ name, content })));
}

function entryBytes({
  name,
  type = "0",
  content = "",
  link = "",
  mode = 0o644,
  size,
  prefix = "",
  checksum,
}: TarEntry): Buffer[] {
  const body = Buffer.from(content as string);
  const header = Buffer.alloc(512);
  Buffer.from(name as string).copy(header, 0, 0, 100);
  header.write(`${mode.toString(8).padStart(7, "0")}\0`, 100);
  header.write("0000000\0", 108);
  header.write("0000000\0", 116);
  header.write(
    typeof size === "string" ? size : `${(size ?? body.length).toString(8).padStart(11, "0")}\0`,
    124,
    "latin1",
  );
  header.write("00000000000\0", 136);
  header.write("        ", 148);
  header.write(type, 156, "latin1");
  header.write(link, 157);
  header.write("ustar\u000000", 257, "latin1");
  header.write(prefix, 345);
  const sum = checksum ?? header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return [header, body, Buffer.alloc((512 - (body.length % 512)) % 512)];
}

/** A PAX header with `records` for the next entry. */
export function pax(records: Record<string, string>, type = "x"): TarEntry {
  const content = Object.entries(records)
    .map(([key, value]) => {
      const rest = Buffer.byteLength(` ${key}=${value}\n`);
      let length = rest;
      while (String(length).length + rest !== length) length = String(length).length + rest;
      return `${length} ${key}=${value}\n`;
    })
    .join("");
  return { name: "PaxHeader", type, content };
}
