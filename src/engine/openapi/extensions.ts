/** The extension of this platform, and what others call it. */
import { isRaw, own, type Raw } from "./refs.ts";

/** `x-platform` of a node with its alias `x-mint`: the first wins key by key. */
export function platformExtension(node: unknown): Raw {
  const [ours, alias] = [own(node, "x-platform"), own(node, "x-mint")];
  return { ...(isRaw(alias) ? alias : {}), ...(isRaw(ours) ? ours : {}) };
}

export function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === "string") : [];
}
