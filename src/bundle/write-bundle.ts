/** Writes an export as a bundle: one archive with a manifest. Exports of the same site are identical byte for byte. */

import { closeSync, mkdirSync, openSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { AsyncGzip, Zip, ZipDeflate } from "fflate";
import { pack as tarPack } from "tar-stream";
import type { OutputFile } from "../engine/export/export-target.ts";
import { operatorPath } from "../engine/site/features.ts";
import { sha256 } from "../io/sha256.ts";
import { type ArchiveLabel, manifestPath } from "./bundle-manifest.ts";

/** Size of the compressor's queue in bytes at which the input is paused. */
const packQueue_bytes = 8_000_000;
/** Size in bytes of the chunks that the compressor receives. A different size changes the bytes of the archive. */
const packPiece_bytes = 128 * 1024;

export interface ArchiveOptions {
  /** Name and version of the product, for the manifest. */
  generator: string;
  label?: ArchiveLabel;
  /** Called for each file of the archive, in order, with its hash. */
  onFile?(path: string, bytes: Uint8Array, sha256: string): void;
}

interface Writer {
  add(file: Pick<OutputFile, "path" | "bytes">): Promise<void>;
  end(): Promise<void>;
}

/**
 * Writes a `.zip` if the file name ends in `.zip`, otherwise a `.tar.gz`. Resolves with the uncompressed size of the site's files
 * in bytes, the manifest, and the version in it.
 */
export async function writeArchive(
  file: string,
  files: AsyncIterable<OutputFile>,
  options: ArchiveOptions,
): Promise<{ bytes: number; version: string; manifest: string }> {
  mkdirSync(path.dirname(path.resolve(file)), { recursive: true });
  const temporary = `${file}.part`;
  const writer = file.endsWith(".zip") ? openZip(temporary) : openTar(temporary);
  const listed: { path: string; sha256: string; bytes: number }[] = [];
  let bytes = 0;
  const { generator, label, onFile } = options;
  for await (const entry of files) {
    await writer.add(entry);
    const hash = sha256(entry.bytes);
    onFile?.(entry.path, entry.bytes, hash);
    // The operator may replace this file.
    if (entry.path !== operatorPath) listed.push({ path: entry.path, sha256: hash, bytes: entry.bytes.length });
    bytes += entry.bytes.length;
  }
  const version = label?.version ?? sha256(JSON.stringify(listed)).slice(0, 16);
  const content = { formatVersion: 1, version, generator, deployment: label?.deployment ?? null, files: listed };
  const manifest = `${JSON.stringify(content, undefined, 1)}\n`;
  const manifestBytes = new TextEncoder().encode(manifest);
  await writer.add({ path: manifestPath, bytes: manifestBytes });
  onFile?.(manifestPath, manifestBytes, sha256(manifestBytes));
  await writer.end();
  renameSync(temporary, file);
  return { bytes, version, manifest };
}

/**
 * Opens a new `.tar.gz`, which is complete when `end` has resolved. The compressor is written in JavaScript, because zlib's output
 * differs between versions of Node. The compressor runs in a worker thread while pages are rendered.
 */
export function openTar(file: string): Writer {
  const handle = openSync(file, "w");
  const pack = tarPack();
  const done = new Promise<void>((resolve, reject) => {
    const gzip = new AsyncGzip({ level: 6, mtime: 0 }, (error, chunk, isLast) => {
      if (error) return reject(error);
      try {
        writeFileSync(handle, chunk);
        if (isLast) resolve();
      } catch (failure) {
        reject(failure);
      }
    });
    gzip.ondrain = () => {
      if (gzip.queuedSize < packQueue_bytes) pack.resume();
    };
    // The memory of a piece is transferred to the thread.
    let piece = new Uint8Array(packPiece_bytes);
    let filled = 0;
    pack.on("data", (data) => {
      const chunk = data as Buffer;
      for (let from = 0; from < chunk.length; ) {
        const part = chunk.subarray(from, from + packPiece_bytes - filled);
        piece.set(part, filled);
        from += part.length;
        filled += part.length;
        if (filled < packPiece_bytes) break;
        gzip.push(piece);
        piece = new Uint8Array(packPiece_bytes);
        filled = 0;
      }
      if (gzip.queuedSize >= packQueue_bytes) pack.pause();
    });
    pack.on("end", () => gzip.push(piece.slice(0, filled), true));
    pack.on("error", reject);
  });
  // Prevents an unhandled rejection: `end` reports the error.
  done.catch(() => {});
  return {
    add: (file) =>
      new Promise((resolve, reject) => {
        pack.entry({ name: file.path, size: file.bytes.length, mode: 0o644, mtime: new Date(0) }, Buffer.from(file.bytes), (error) =>
          error ? reject(error) : resolve(),
        );
      }),
    async end() {
      pack.finalize();
      await done.finally(() => closeSync(handle));
    },
  };
}

function openZip(file: string): Writer {
  const handle = openSync(file, "w");
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    writeFileSync(handle, chunk);
  });
  return {
    async add(file) {
      const entry = new ZipDeflate(file.path, { level: 6 });
      entry.mtime = new Date(1980, 0, 1);
      zip.add(entry);
      entry.push(file.bytes, true);
    },
    async end() {
      zip.end();
      closeSync(handle);
    },
  };
}
