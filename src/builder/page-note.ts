/**
 * A file in which a build process notes the page that it is reading, so that its parent process knows which
 * page has crashed it. A message per page would wake up the parent process each time, which uses more CPU
 * time.
 */

import { randomUUID } from "node:crypto";
import { closeSync, openSync, readSync, unlinkSync, writeSync } from "node:fs";
import { devNull, tmpdir } from "node:os";
import path from "node:path";
import { type PageMessage, page_descriptor } from "./build-protocol.ts";

/** Maximum length of a note that can be read. */
const note_bytes = 8_192;

/** Replaces the note of this build process. */
export function notePage(message: PageMessage): void {
  writeSync(page_descriptor, `${JSON.stringify(message)}\n`, 0);
}

/** The note of a build process, for its parent process. */
export class PageNote {
  readonly descriptor = openUnnamed();
  private readonly bytes = Buffer.alloc(note_bytes);
  private isClosed = false;

  /** Removes the note of an earlier build. */
  clear(): void {
    writeSync(this.descriptor, "\n", 0);
  }

  /** Returns the page that the process started to read last. Undefined if there is none. */
  read(): PageMessage | undefined {
    const text = this.bytes.toString("utf8", 0, readSync(this.descriptor, this.bytes, 0, note_bytes, 0));
    const end = text.indexOf("\n");
    if (end <= 0) return undefined;
    try {
      return JSON.parse(text.slice(0, end)) as PageMessage;
    } catch {
      // The process is replacing the note.
      return undefined;
    }
  }

  close(): void {
    if (!this.isClosed) closeSync(this.descriptor);
    this.isClosed = true;
  }
}

/**
 * Opens a file without a name, which no other process can open, and which the operating system removes when
 * it is closed. If no file can be created, opens the null device: the build then works, but it isn't known
 * which page crashes it.
 */
function openUnnamed(): number {
  const file = path.join(tmpdir(), `octavo-${randomUUID()}`);
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, "wx+", 0o600);
    unlinkSync(file);
    // Allocates the space, so that notes can be written even if the disk becomes full.
    writeSync(descriptor, "\n".repeat(note_bytes));
    return descriptor;
  } catch {
    if (descriptor !== undefined) closeSync(descriptor);
    return openSync(devNull, "r+");
  }
}
