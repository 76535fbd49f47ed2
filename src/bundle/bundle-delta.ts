/**
 * What leads from one bundle to the next, as `bundle.delta.tar.gz`:
 *
 *     delta.json       which two bundles
 *     whole/<path>     a file that the bundle before lacks, or that has little of what it was
 *     patch/<path>     how a file of the bundle before becomes the one after, in the format of Fossil's deltas
 *
 * `manifest.json` and the operator's file are among them as any other. What neither folder holds is as it was.
 */
import { BadBundle } from "./bundle-manifest.ts";

export interface DeltaIndex {
  formatVersion: 1;
  /** SHA-256 of the manifest of the bundle before, and of the one after, in hex. */
  from: string;
  to: string;
}

export const deltaPath = "delta.json";
export const wholeFolder = "whole/";
export const patchFolder = "patch/";

export function readDeltaIndex(text: string): DeltaIndex {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {}
  const { formatVersion, from, to } = (value ?? {}) as Record<string, unknown>;
  if (formatVersion !== 1 || !isHash(from) || !isHash(to)) throw new BadBundle(`The delta's ${deltaPath} is damaged`);
  return { formatVersion, from, to };
}

function isHash(value: unknown): value is string {
  return typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
}
