import { expect, test } from "vitest";
import { Refs } from "../nodes/refs.ts";
import { CombinedSchemas } from "./combined-schemas.ts";

test("schemas in a long chain of references are combined", () => {
  const count = 20_000;
  const schemas = Object.fromEntries(
    Array.from({ length: count }, (_, i) => [
      `S${i}`,
      { allOf: i + 1 < count ? [{ $ref: `#/components/schemas/S${i + 1}` }] : [] },
    ]),
  );
  const last = schemas[`S${count - 1}`]!;
  const restricted = new Map([[last, { names: new Set(["canary"]), values: new Set<string>() }]]);
  const combined = new CombinedSchemas(new Refs({ components: { schemas } }), restricted).of(schemas.S0);
  expect([...combined.names]).toEqual(["canary"]);
});
