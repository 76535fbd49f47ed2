/** Creates keys from data. */

import { hashOf } from "../hash-of.ts";

/**
 * The type of data whose JSON contains all of it. Functions, and therefore maps, sets and instances of
 * classes, have the type `never`, so the compiler reports data that a key would leave out.
 */
export type Plain<T> = T extends string | number | boolean | null | undefined
  ? T
  : T extends (...parameters: never) => unknown
    ? never
    : T extends readonly unknown[]
      ? { [Index in keyof T]: Plain<T[Index]> }
      : T extends object
        ? { [Key in keyof T]: Plain<T[Key]> }
        : T;

/** Returns a hash of everything in the data. */
export function hashOfData<T>(data: T & Plain<T>): string {
  return hashOf(JSON.stringify(data));
}

/** Returns an object without some of its properties. */
export function without<T extends object, K extends keyof T>(object: T, ...keys: readonly K[]): Omit<T, K> {
  const left = { ...object };
  for (const key of keys) delete left[key];
  return left;
}
