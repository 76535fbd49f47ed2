/**
 * Fields, parameters and variants of a document that name groups of readers. A page is printed once for all who read
 * it, so they are on none, and neither are they in the document that readers download.
 */
import { platformExtension, texts } from "./extensions.ts";
import { referencesIn } from "./inspect.ts";
import { isRaw, own, type Raw } from "./refs.ts";

const lists = ["oneOf", "anyOf", "allOf", "parameters"];

/** Takes them out of the document. Answers with the references inside of them; undefined when there are none. */
export function takeOutGated(root: Raw): ReadonlySet<string> | undefined {
  const references = new Set<string>();
  let count = 0;
  const taken = (node: unknown) => {
    count++;
    for (const ref of referencesIn(node)) references.add(ref);
  };
  const isGated = (node: unknown): boolean => {
    const { groups } = platformExtension(node);
    if (groups === undefined || groups === null) return false;
    taken(node);
    return true;
  };
  const seen = new Set<unknown>([root]);
  const visit = (node: Raw | unknown[]) => {
    if (!Array.isArray(node)) takeOutOf(node, isGated, taken);
    for (const below of Object.values(node)) {
      if (typeof below !== "object" || below === null || seen.has(below)) continue;
      seen.add(below);
      visit(below as Raw | unknown[]);
    }
  };
  visit(root);
  return count ? references : undefined;
}

function takeOutOf(node: Raw, isGated: (node: unknown) => boolean, taken: (node: unknown) => void): void {
  const properties = own(node, "properties");
  if (isRaw(properties)) {
    const gated = Object.keys(properties).filter((name) => isGated(properties[name]));
    for (const name of gated) delete properties[name];
    if (gated.length && Array.isArray(own(node, "required")))
      node.required = (node.required as unknown[]).filter((name) => !gated.includes(name as string));
  }
  for (const key of lists) {
    const list = own(node, key);
    if (Array.isArray(list)) node[key] = list.filter((entry) => !isGated(entry));
  }
  for (const key of ["x-platform-enum", "x-mint-enum"]) {
    const values = own(node, key);
    if (!isRaw(values) || !Array.isArray(own(node, "enum"))) continue;
    const gated = Object.keys(values).filter((value) => texts(values[value]).length > 0);
    for (const value of gated) taken(value);
    node.enum = (node.enum as unknown[]).filter((value) => !gated.includes(String(value)));
    delete node[key];
  }
}
