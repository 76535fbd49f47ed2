/** Returns a copy of an array with room for `count` numbers, and as many again. */
export function enlarged<T extends Uint8Array | Uint32Array>(numbers: T, count: number): T {
  const copy = new (numbers.constructor as new (length: number) => T)(2 * count);
  copy.set(numbers);
  return copy;
}
