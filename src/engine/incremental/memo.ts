/** Remembers the results of functions between builds, by what they depend on. */

import { hashOf } from "../hash-of.ts";
import type { Store } from "./store.ts";

/**
 * Hashes of what a function read, by the path of a file or the name of any other dependency; `null` for
 * missing dependencies.
 */
export type Dependencies = Record<string, string | null>;

/** Returns a key that identifies the state of a dependency. Null if the dependency is missing. */
export type HashOfDependency = (dependency: string) => string | null;

/** A result that is plain data, and a hash of everything that it depends on. */
export interface Remembered<T> {
  result: T;
  version: string;
}

/** Returns the value with this name and key. If there is none, makes the value and keeps it. */
export function memo(store: Store, name: string, key: string, make: () => Uint8Array): Uint8Array {
  const kept = store.get(name, key);
  if (kept) return kept;
  const value = make();
  store.keep(name, key, value);
  return value;
}

/**
 * Returns the result that `remember` kept with this name and key, unless one of its dependencies has changed.
 * Unlike in `memo`, the dependencies aren't known before the function has run, so they are kept with the
 * result.
 */
export function recall<T>(
  store: Store,
  name: string,
  key: string,
  hashOfDependency: HashOfDependency,
): Remembered<T> | undefined {
  const kept = store.get(name, key);
  if (!kept) return undefined;
  const end = kept.indexOf(10);
  const dependencies = JSON.parse(kept.toString("utf8", 0, end)) as Dependencies;
  if (!Object.entries(dependencies).every(([dependency, hash]) => hashOfDependency(dependency) === hash))
    return undefined;
  return { result: JSON.parse(kept.toString("utf8", end + 1)) as T, version: versionOf(key, dependencies) };
}

/**
 * Keeps a result, given as JSON. `key`: hash of everything that the result depends on besides the
 * dependencies.
 */
export function remember(
  store: Store,
  name: string,
  key: string,
  dependencies: Dependencies,
  json: string,
): void {
  store.keep(name, key, `${JSON.stringify(dependencies)}\n${json}`);
}

/** Returns a hash of everything that a result depends on. */
export function versionOf(key: string, dependencies: Dependencies): string {
  return hashOf(key, JSON.stringify(dependencies));
}
