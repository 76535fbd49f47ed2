/** Reads Octavo's vendor extension `x-platform` and its alias `x-mint`. */

import { isRaw, own, type Raw } from "./refs.ts";

/**
 * Returns the `x-platform` extension of a node, merged with `x-mint`. Keys of `x-platform` take precedence.
 * Empty if there is neither.
 */
export function platformExtension(node: unknown): Raw {
  const [ours, alias] = [own(node, "x-platform"), own(node, "x-mint")];
  return { ...(isRaw(alias) ? alias : {}), ...(isRaw(ours) ? ours : {}) };
}
