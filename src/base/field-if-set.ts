/** Returns an object with the field. Empty if the value is undefined. */
export function fieldIfSet<K extends string, V>(key: K, value: V | undefined): Partial<Record<K, V>> {
  return value === undefined ? {} : ({ [key]: value } as Record<K, V>);
}
