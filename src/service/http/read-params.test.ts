import type { FastifyRequest } from "fastify";
import { expect, test } from "vitest";
import { readParams } from "./read-params.ts";

const read = (id: string) => readParams({ params: { id } } as FastifyRequest);

test.each(["\0", "a\0b", "a\nb", "\x7f", "\ud800"])("%j can't be the id of anything", (id) => {
  expect(() => read(id)).toThrow("Not found");
});

test.each(["01K9J5C7Z0000000000000000A", "docs.example.com", "Größe", "🌳", "%00"])("%j is read", (id) => {
  expect(read(id)).toEqual({ id });
});
