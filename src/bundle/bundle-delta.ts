/**
 * A delta from one bundle to the next, as `bundle.delta.tar.gz`:
 *
 *     delta.json       hashes of the two manifests
 *     whole/<path>     a new file, or a changed file without a smaller patch
 *     patch/<path>     a patch of a file, in Fossil's delta format
 *
 * `manifest.json` and, if the bundle has it, the operator's file are always included. Files of the next
 * bundle that are in neither folder are unchanged.
 */

import { BadBundle } from "./bundle-manifest.ts";

export interface DeltaIndex {
  formatVersion: 1;
  /** SHA-256 of the previous bundle's manifest, in hex. */
  from: string;
  /** SHA-256 of the next bundle's manifest, in hex. */
  to: string;
}

export const deltaPath = "delta.json";
export const wholeFolder = "whole/";
export const patchFolder = "patch/";

/** Parses `delta.json`. Throws `BadBundle` if it is damaged. */
export function readDeltaIndex(text: string): DeltaIndex {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {}
  const { formatVersion, from, to } = (value ?? {}) as Record<string, unknown>;
  if (formatVersion !== 1 || !isHash(from) || !isHash(to))
    throw new BadBundle(`The delta's ${deltaPath} is damaged`);
  return { formatVersion, from, to };
}

function isHash(value: unknown): value is string {
  return typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
}
