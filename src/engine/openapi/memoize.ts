/** What was made of a document's nodes before: its pages show the same schemas again and again. */
import type { Refs } from "./refs.ts";

interface Made<T> {
  value: T;
  /** Pointers that were followed to make it: whoever gets it anew depends on them, too. */
  asked: ReadonlySet<string>;
}

export class Kept<T> {
  private readonly byDocument = new WeakMap<object, Map<string, Made<T>>>();
  private readonly most: number;

  /** `most`: values that are kept of one document. */
  constructor(most: number) {
    this.most = most;
  }

  get(refs: Refs, key: string, make: () => T): T {
    // Who does not ask for pointers may hold a part of the document only, which changes.
    const { asked } = refs;
    if (!asked) return make();
    let kept = this.byDocument.get(refs.root);
    if (!kept) this.byDocument.set(refs.root, (kept = new Map()));
    let found = kept.get(key);
    if (!found) {
      refs.asked = new Set();
      found = { value: make(), asked: refs.asked };
      refs.asked = asked;
      if (kept.size >= this.most) kept.clear();
      kept.set(key, found);
    }
    for (const pointer of found.asked) asked.add(pointer);
    return found.value;
  }
}
