/** Settings of V8 for processes that should use little memory. */

import { setFlagsFromString } from "node:v8";

/**
 * Makes V8 collect garbage when the heap has grown to 1.5 times the size of the live objects. By default, it
 * can grow to more than three times their size.
 */
export function keepHeapSmall(): void {
  setFlagsFromString("--heap-growing-percent=50");
}
