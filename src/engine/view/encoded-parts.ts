/**
 * Long parts of one page that are already in UTF-8. While the page is rendered as text, short marks stand for them, so that they don't have
 * to be decoded, copied and encoded again.
 */

import type { FileContent } from "../plan/file-content.ts";

/** Start of each mark. Authors can't write it: `<` is escaped in all texts and attributes, and no tag name starts with this character. */
const start = "<\0";
const marks = new RegExp(`${start}(\\d+)>`);

export class EncodedParts {
  private readonly parts: Uint8Array[] = [];

  /** Adds a part and returns its mark. Returns an empty text for an empty part. */
  add(part: Uint8Array): string {
    return part.length ? `${start}${this.parts.push(part) - 1}>` : "";
  }

  /** Returns a document with the parts in place of their marks. */
  insertInto(html: string): FileContent {
    if (this.parts.length === 0) return html;
    // Every second element is the number of a part.
    return html.split(marks).map((piece, index) => (index % 2 ? this.parts[Number(piece)]! : piece));
  }
}
