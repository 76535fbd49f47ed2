/**
 * Keeps values for later builds. A value is found by its name and a key. The key is a hash of the inputs that
 * are known before the value is computed, so builds of different versions of a site can use the same store.
 * It's empty if the last build's value counts.
 */

/** A value is damaged, for example by a failing disk. The next build doesn't find it. */
export class DamagedValueError extends Error {}

export interface Store {
  /** Whether later builds can read the values. */
  readonly isLasting: boolean;
  has(name: string, key: string): boolean;
  /**
   * Returns the value that was kept last with this name and key. Throws a DamagedValueError if it can't be
   * read.
   */
  get(name: string, key: string): Buffer | undefined;
  /** Keeps a value: a text, bytes, or the bytes of its parts. */
  keep(name: string, key: string, value: string | Uint8Array | readonly Uint8Array[]): void;
}

/** Keeps values in memory. `isLasting`: whether several builds use the store. */
export class MemoryStore implements Store {
  readonly isLasting: boolean;
  private readonly values = new Map<string, Buffer>();

  constructor(isLasting = false) {
    this.isLasting = isLasting;
  }

  has(name: string, key: string): boolean {
    return this.values.has(`${key}\n${name}`);
  }

  get(name: string, key: string): Buffer | undefined {
    return this.values.get(`${key}\n${name}`);
  }

  keep(name: string, key: string, value: string | Uint8Array | readonly Uint8Array[]): void {
    this.values.set(`${key}\n${name}`, bytesOfValue(value));
  }
}

/** Copies a value that is given to `Store.keep`. */
export function bytesOfValue(value: string | Uint8Array | readonly Uint8Array[]): Buffer {
  if (typeof value === "string") return Buffer.from(value);
  return Buffer.concat(value instanceof Uint8Array ? [value] : value);
}
