/** The content of an exported file. */

/**
 * The content of a file. A text isn't encoded yet, because a writer can encode all texts in the same memory.
 * A long text is generated in chunks, each of which is valid until the next one is requested.
 */
export type FileContent = FilePart | readonly FilePart[] | Iterable<Uint8Array>;

export type FilePart = Uint8Array | string;

/** Whether a file's content is a list of parts. All of them are valid until the file is written. */
export function isInParts(content: FileContent): content is readonly FilePart[] {
  return Array.isArray(content);
}

/** Joins parts in UTF-8. */
export function joinedParts(parts: readonly FilePart[]): Buffer {
  return Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : part)));
}

/** Joins the chunks. Stops when the length exceeds `most_bytes`. */
export function joinedBytes(chunks: Iterable<Uint8Array>, most_bytes = Number.POSITIVE_INFINITY): Uint8Array {
  let joined = Buffer.allocUnsafe(1_000_000);
  let length = 0;
  for (const chunk of chunks) {
    if (length + chunk.length > joined.length) {
      const longer = Buffer.allocUnsafe(2 * (length + chunk.length));
      joined.copy(longer, 0, 0, length);
      joined = longer;
    }
    joined.set(chunk, length);
    length += chunk.length;
    if (length > most_bytes) break;
  }
  return joined.subarray(0, length);
}
