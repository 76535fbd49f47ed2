/**
 * Words that a document has only in parts that were removed because of their `groups`. What is written about
 * earlier versions of the document must not contain them.
 */

import { componentName, own, ownText, type Raw, valueText } from "../nodes/refs.ts";
import { referencesIn } from "../nodes/walk-references.ts";

export interface HiddenWords {
  /** Names of properties, parameters, and headers, and enum values as text. */
  names: ReadonlySet<string>;
  /** Titles and names of components, which describe variants and types. */
  labels: ReadonlySet<string>;
}

/** Collects words. Call `add` once for each object of a document. */
export class Words implements HiddenWords {
  readonly names = new Set<string>();
  readonly labels = new Set<string>();

  add(node: Raw): void {
    for (const map of ["properties", "headers", "patternProperties"]) {
      const entries = own(node, map);
      if (typeof entries === "object" && entries !== null)
        for (const name of Object.keys(entries)) this.names.add(name);
    }
    const parameter = own(node, "in") === undefined ? undefined : ownText(node, "name");
    if (parameter !== undefined) this.names.add(parameter);
    const values = own(node, "enum");
    for (const value of Array.isArray(values) ? values : []) this.names.add(valueText(value));
    if (own(node, "const") !== undefined) this.names.add(valueText(own(node, "const")));
    const title = ownText(node, "title");
    if (title) this.labels.add(title);
  }

  /** Adds the key of an entry of a map, such as a header or a component. `path`: keys of the map's owner. */
  addName(name: string, path: readonly string[]): void {
    (path.length === 1 && path[0] === "components" ? this.labels : this.names).add(name);
  }

  addReferences(node: unknown): void {
    for (const reference of referencesIn(node)) {
      const name = componentName(reference);
      if (name) this.labels.add(name);
    }
  }

  /** Returns the words that `shown` doesn't have. */
  without(shown: HiddenWords): HiddenWords {
    return {
      names: new Set([...this.names].filter((name) => !shown.names.has(name))),
      labels: new Set([...this.labels].filter((label) => !shown.labels.has(label))),
    };
  }
}
