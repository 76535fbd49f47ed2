/**
 * Writes an export to a folder. Unchanged files aren't written again, and files that aren't part of the
 * export are removed.
 */

import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmdirSync,
  rmSync,
  type Stats,
  statSync,
  writeSync,
} from "node:fs";
import path from "node:path";
import type { PlannedFiles } from "../engine/export/export-site.ts";
import type { Store } from "../engine/incremental/store.ts";
import { type FileContent, type FilePart, isInParts, joinedParts } from "../engine/plan/file-content.ts";
import { siteFolder } from "../layout/site-layout.ts";
import { type FileThreads, FileWriter } from "./file-writer.ts";
import { addSize, type SiteSizes } from "./site-sizes.ts";

/** The key of a file, its size in bytes, and its modification time in milliseconds. */
type WrittenFile = [key: string, bytes: number, mtime_ms: number];

/** The files that a build wrote to a folder, by path. */
type WrittenFiles = Record<string, WrittenFile>;

/** Whether a folder is missing, empty or an earlier export. Files in any other folder must not be removed. */
export function isWritableOutput(folder: string): boolean {
  if (!existsSync(folder)) return true;
  return (
    statSync(folder).isDirectory() &&
    (readdirSync(folder).length === 0 || existsSync(path.join(folder, siteFolder)))
  );
}

/**
 * Writes the files, removes all other files in the folder, and resolves with their sizes. `store` stores the
 * keys of the files. If a file still has the same key, size and modification time, it isn't generated again.
 * `threads`: threads that write files while others are generated.
 */
export async function writeFolder(
  folder: string,
  files: PlannedFiles,
  store?: Store,
  threads?: FileThreads,
): Promise<SiteSizes> {
  const root = path.resolve(folder);
  const record = `written\n${root}`;
  const recorded = store?.get(record, "")?.toString() ?? "{}";
  const before = JSON.parse(recorded) as WrittenFiles;
  const after: WrittenFiles = {};
  const written = new Set<string>();

  /** The folders of the written files, and whether they have just been created. */
  const folders = new Map<string, boolean>();
  const sizes: SiteSizes = {};
  const writer = new FileWriter(threads);

  /** The keys of the files that have been generated, with their paths. */
  const generated: { name: string; target: string; key: string }[] = [];
  try {
    for await (const [name, file] of files) {
      const target = path.resolve(root, name);
      if (!target.startsWith(root + path.sep))
        throw new Error(`${name} would be written outside the output folder`);
      written.add(name);
      if (file.ready) await file.ready();
      const key = store && file.key?.();
      const known = key !== undefined && Object.hasOwn(before, name) ? before[name]! : undefined;
      if (known && known[0] === key && isUnchanged(target, known)) {
        after[name] = known;
        addSize(sizes, name, known[1]);
        continue;
      }
      const parent = path.dirname(target);
      let isNew = folders.get(parent);
      if (isNew === undefined) folders.set(parent, (isNew = makeFolder(root, parent)));
      const content = file.make();
      addSize(
        sizes,
        name,
        isChunked(content) ? writeChunks(target, content) : write(target, encoded(content), isNew, writer),
      );
      if (key !== undefined) generated.push({ name, target, key });
    }
  } finally {
    // A later build can write the same files.
    await writer.idle();
  }

  for (const { name, target, key } of generated) {
    const { size, mtimeMs } = statSync(target);
    after[name] = [key, size, mtimeMs];
  }

  removeOthers(root, "", written);
  const text = JSON.stringify(after);
  if (text !== recorded) store?.keep(record, "", text);

  return sizes;
}

const encoder = new TextEncoder();
/** Maximum size of a file that is encoded in `scratch`. */
const scratch_bytes = 3_000_000;
/** Reused for all files, since allocating memory for each file takes longer than encoding it. */
let scratch: Uint8Array | undefined;

/** Returns a file's content as UTF-8. The result is valid until the next call. */
function encoded(content: FilePart | readonly FilePart[]): Uint8Array {
  if (content instanceof Uint8Array) return content;
  const parts = typeof content === "string" ? [content] : content;

  // A UTF-16 code unit has at most three bytes in UTF-8.
  const most_bytes = parts.reduce(
    (sum, part) => sum + (typeof part === "string" ? 3 * part.length : part.length),
    0,
  );

  if (most_bytes > scratch_bytes) return joinedParts(parts);
  scratch ??= new Uint8Array(scratch_bytes);
  let length = 0;
  for (const part of parts) {
    if (typeof part === "string") length += encoder.encodeInto(part, scratch.subarray(length)).written;
    else {
      scratch.set(part, length);
      length += part.length;
    }
  }

  return scratch.subarray(0, length);
}

function isUnchanged(file: string, [, bytes, mtime_ms]: WrittenFile): boolean {
  const info: Stats | undefined = lstatSync(file, { throwIfNoEntry: false });
  return info?.isFile() === true && info.size === bytes && info.mtimeMs === mtime_ms;
}

/**
 * Creates a folder and its parents below `root`. Replaces files that have their paths. Returns whether a
 * folder was created.
 */
function makeFolder(root: string, folder: string): boolean {
  for (let at = root; at !== folder; ) {
    at = path.join(at, path.relative(at, folder).split(path.sep)[0]!);
    const info = lstatSync(at, { throwIfNoEntry: false });
    if (!info) break;
    if (!info.isDirectory()) rmSync(at);
  }
  return mkdirSync(folder, { recursive: true }) !== undefined;
}

/**
 * Starts to write a file unless it already has this content. Replaces a folder that has its path. Returns the
 * size in bytes.
 */
function write(file: string, bytes: Uint8Array, isNewFolder: boolean, writer: FileWriter): number {
  const info = isNewFolder ? undefined : removeUnlessFile(file);
  const isSame = info && info.size === bytes.length && readFileSync(file).equals(bytes);
  if (!isSame) writer.write(file, bytes);
  return bytes.length;
}

function isChunked(
  content: FileContent,
): content is Exclude<FileContent, string | Uint8Array | readonly unknown[]> {
  return typeof content !== "string" && !(content instanceof Uint8Array) && !isInParts(content);
}

/** Removes what has the path of a file, such as a folder or a link. Returns the file if there is one. */
function removeUnlessFile(file: string): Stats | undefined {
  const info = lstatSync(file, { throwIfNoEntry: false });
  if (info && !info.isFile()) rmSync(file, { recursive: true });
  return info?.isFile() ? info : undefined;
}

/** Like `write`, but writes only from the first chunk that differs from the file. */
function writeChunks(file: string, chunks: Iterable<Uint8Array>): number {
  removeUnlessFile(file);
  const descriptor = openSync(file, constants.O_RDWR | constants.O_CREAT);
  try {
    const { size } = fstatSync(descriptor);
    let at = 0;
    let isSame = true;
    for (const chunk of chunks) {
      isSame &&= at + chunk.length <= size && bytesAt(descriptor, at, chunk.length).equals(chunk);
      for (let done = 0; !isSame && done < chunk.length; )
        done += writeSync(descriptor, chunk, done, chunk.length - done, at + done);
      at += chunk.length;
    }
    if (at < size) ftruncateSync(descriptor, at);
    return at;
  } finally {
    closeSync(descriptor);
  }
}

/** Reused for all chunks, like `scratch`. */
let readBuffer = Buffer.alloc(0);

/**
 * Reads from a file. The result is valid until the next call. Shorter than `length` if the file ends before.
 */
function bytesAt(descriptor: number, at: number, length: number): Buffer {
  if (readBuffer.length < length) readBuffer = Buffer.allocUnsafe(2 * length);
  return readBuffer.subarray(0, readSync(descriptor, readBuffer, 0, length, at));
}

/**
 * Removes all files below `root/folder` except `written`, which are relative to `root`. Returns whether the
 * folder is empty.
 */
function removeOthers(root: string, folder: string, written: ReadonlySet<string>): boolean {
  let isEmpty = true;
  for (const entry of readdirSync(path.join(root, folder), { withFileTypes: true })) {
    const name = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) {
      if (removeOthers(root, name, written)) rmdirSync(path.join(root, name));
      else isEmpty = false;
    } else if (written.has(name)) isEmpty = false;
    else rmSync(path.join(root, name));
  }
  return isEmpty;
}
