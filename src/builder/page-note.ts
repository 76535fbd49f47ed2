/**
 * A file in which a build process notes the page that it is reading. After a crash, the parent process finds out which page caused it.
 * Unlike a message, a note doesn't wake up the parent process, which would take more CPU time than compiling a short page.
 */

import { randomUUID } from "node:crypto";
import { closeSync, openSync, readSync, unlinkSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type PageMessage, page_descriptor } from "./build-protocol.ts";

/** Maximum length of a note. The name of a longer one isn't known after a crash. */
const note_bytes = 8_192;

/** Replaces the note of this build process. */
export function notePage(message: PageMessage): void {
  writeSync(page_descriptor, `${JSON.stringify(message)}\n`, 0);
}

/** The note of a build process, for its parent process. */
export class PageNote {
  private opened = openUnnamed();
  private readonly bytes = Buffer.alloc(note_bytes);

  /** The file. Undefined if none can be created: the build then works, but it isn't known which page crashes it. */
  get descriptor(): number | undefined {
    return this.opened;
  }

  /** Removes the note of an earlier build. */
  clear(): void {
    if (this.opened !== undefined) writeSync(this.opened, "\n", 0);
  }

  /** Returns the page that the process started to read last. Undefined if there is none. */
  read(): PageMessage | undefined {
    if (this.opened === undefined) return undefined;
    const text = this.bytes.toString("utf8", 0, readSync(this.opened, this.bytes, 0, note_bytes, 0));
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
    if (this.opened !== undefined) closeSync(this.opened);
    this.opened = undefined;
  }
}

/** Opens a file without a name, which no other process can open, and which the operating system removes when it is closed. */
function openUnnamed(): number | undefined {
  const file = path.join(tmpdir(), `octavo-${randomUUID()}`);
  try {
    const descriptor = openSync(file, "wx+", 0o600);
    unlinkSync(file);
    return descriptor;
  } catch {
    return undefined;
  }
}
