import { isFileValue } from "../../engine/openapi/request-model.ts";

/** A value without the files in it: they cannot be kept, and those of an example are none. */
export function withoutFiles(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutFiles).filter((item) => item !== undefined);
  if (typeof value !== "object" || value === null) return value;
  if (isFileValue(value)) return undefined;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutFiles(item)]));
}
