/**
 * Entry point of a thread that compresses data. The compressor is written in JavaScript, because zlib's
 * output differs between versions of Node.
 */

import { parentPort } from "node:worker_threads";
import { Gzip } from "fflate";
import type { GzipOutput, GzipPiece } from "../bundle/gzip-thread.ts";

let parts: Uint8Array[] = [];
let gzip = newMember();

function newMember(): Gzip {
  return new Gzip({ level: 6, mtime: 0 }, (part) => parts.push(part));
}

parentPort!.on("message", ({ bytes, isLast }: GzipPiece) => {
  gzip.push(bytes, isLast);
  // Copied, since a part can be a view of a larger buffer.
  const output: GzipOutput = { parts: parts.map((part) => part.slice()), isLast };
  parentPort!.postMessage(
    output,
    output.parts.map(({ buffer }) => buffer as ArrayBuffer),
  );
  parts = [];
  if (isLast) gzip = newMember();
});
