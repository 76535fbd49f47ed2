/** Builds long texts of ASCII characters outside the heap. */

import { enlarged } from "./enlarged.ts";

/** A text of ASCII characters that grows. */
export class AsciiText {
  length = 0;
  private bytes = new Uint8Array(4_096);

  add(text: string): void {
    this.makeRoom(text.length);
    for (let index = 0; index < text.length; index++) this.bytes[this.length++] = text.charCodeAt(index);
  }

  /** Adds the part of another text from `start` to `end` (exclusive). */
  copy({ bytes }: AsciiText, start: number, end: number): void {
    this.makeRoom(end - start);
    for (let at = start; at < end; at++) this.bytes[this.length++] = bytes[at]!;
  }

  clear(): void {
    this.length = 0;
  }

  toString(): string {
    return Buffer.from(this.bytes.buffer, 0, this.length).toString("latin1");
  }

  private makeRoom(length: number): void {
    if (this.length + length > this.bytes.length) this.bytes = enlarged(this.bytes, this.length + length);
  }
}
