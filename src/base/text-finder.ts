/** Finds many texts in one pass over bytes, with a rolling hash of the first bytes of each text. */

/** Number of bytes that are hashed. */
export const hashed_bytes = 24;
const factor = 31;
/** Factor of the first hashed byte. */
const firstFactor = Array.from({ length: hashed_bytes - 1 }).reduce<number>(
  (product) => Math.imul(product, factor),
  1,
);

export class TextFinder {
  private readonly texts: readonly Buffer[];
  /** Numbers of the texts, by the hash of their first bytes. */
  private readonly byHash = new Map<number, number[]>();

  /** `texts`: each must have at least `hashed_bytes` bytes. */
  constructor(texts: readonly string[]) {
    this.texts = texts.map((text) => Buffer.from(text));
    for (const [number, text] of this.texts.entries()) {
      let hash = 0;
      for (let at = 0; at < hashed_bytes; at++) hash = (Math.imul(hash, factor) + text[at]!) | 0;
      this.byHash.set(hash, [...(this.byHash.get(hash) ?? []), number]);
    }
  }

  /** Returns the numbers of the texts that the bytes contain. */
  findIn(bytes: Uint8Array): Set<number> {
    const found = new Set<number>();
    const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let hash = 0;
    for (let at = 0; at < content.length; at++) {
      if (at >= hashed_bytes) hash = (hash - Math.imul(firstFactor, content[at - hashed_bytes]!)) | 0;
      hash = (Math.imul(hash, factor) + content[at]!) | 0;
      const start = at - hashed_bytes + 1;
      const numbers = start < 0 ? undefined : this.byHash.get(hash);
      if (!numbers) continue;
      for (const number of numbers) {
        const text = this.texts[number]!;
        if (content.subarray(start, start + text.length).equals(text)) found.add(number);
      }
    }

    return found;
  }
}
