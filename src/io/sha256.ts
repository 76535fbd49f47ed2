/** Computes SHA-256 hashes in hex, which identify stored content. */

import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import type { Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";

export function sha256(content: Uint8Array | string): string {
  return createHash("sha256").update(content).digest("hex");
}

/** Number of bytes that are hashed before other work of the process continues. */
const step_bytes = 4 * 1024 * 1024;

/** Like `sha256`, but lets other work of the process run after every `step_bytes`. */
export async function sha256InSteps(content: Uint8Array): Promise<string> {
  const hash = createHash("sha256");
  for (let at = 0; at < content.length; at += step_bytes) {
    if (at > 0) await setImmediate();
    hash.update(content.subarray(at, at + step_bytes));
  }
  return hash.digest("hex");
}

/** Like `sha256`, for a stream. Rejects if the stream fails. */
export async function sha256OfStream(stream: Readable): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of stream) hash.update(chunk as Buffer);
  return hash.digest("hex");
}

export function sha256OfFile(file: string): Promise<string> {
  return sha256OfStream(createReadStream(file));
}
