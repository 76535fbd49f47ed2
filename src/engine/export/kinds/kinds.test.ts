import { expect, test } from "vitest";
import { kinds } from "./kinds.ts";

test("kinds of files have different names, and follow the kinds that they depend on", () => {
  const names = kinds.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const [index, { after = {} }] of kinds.entries())
    for (const name of Object.keys(after)) expect(names.slice(0, index)).toContain(name);
});
