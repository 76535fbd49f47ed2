import { isFileValue } from "../../engine/openapi/request/request-model.ts";

/** Removes files from a value, because files can't be stored and files in examples have no content. */
export function withoutFiles(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutFiles).filter((item) => item !== undefined);
  if (typeof value !== "object" || value === null) return value;
  if (isFileValue(value)) return undefined;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutFiles(item)]));
}
