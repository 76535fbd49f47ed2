/** Labels with the versions in which operations and fields changed. */
export interface FieldMarks {
  /** `key`: the operation's `operationKey`. */
  ofOperation(key: string): string[];
  /** `pointers`: the nodes of the field's schema, and its parameter. */
  ofField(pointers: readonly string[]): string[];
}
