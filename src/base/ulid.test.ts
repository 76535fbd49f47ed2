/** Tests that ids from one generator are in order, and that the next id can't be guessed from them. */

import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { readUlid, ulidMaker, ulidTime } from "./ulid.ts";

test("ids of one millisecond sort in the order of their creation, with large gaps", () => {
  const time = Date.UTC(2026, 0, 1);
  const make = ulidMaker(() => time, randomBytes);
  const ids = Array.from({ length: 10_000 }, make);
  expect([...ids].sort()).toEqual(ids);
  expect(new Set(ids.map(ulidTime))).toEqual(new Set([time]));
  expect(ids.every((id) => readUlid(id) === id)).toBe(true);
  const number = (id: string) =>
    [...id.slice(10)].reduce(
      (sum, letter) => sum * 32n + BigInt("0123456789ABCDEFGHJKMNPQRSTVWXYZ".indexOf(letter)),
      0n,
    );
  const steps = ids.slice(1).map((id, index) => number(id) - number(ids[index]!));
  expect(new Set(steps).size).toBe(steps.length);
  expect(steps.every((step) => step > 0n)).toBe(true);
  expect(steps.filter((step) => step < 2n ** 30n)).toEqual([]);
});

test("ids stay in order if the clock is set back or a millisecond has no room", () => {
  let now = 1_000;
  const make = ulidMaker(
    () => now,
    (bytes) => new Uint8Array(bytes).fill(255),
  );
  // All random bytes are 255, so each step is the largest possible one. A millisecond has room for about half
  // a million.
  const ids = Array.from({ length: 600_000 }, make);
  now = 500;
  ids.push(make());
  expect(ids.every((id, index) => index === 0 || id > ids[index - 1]!)).toBe(true);
  expect(ulidTime(ids.at(-1)!)).toBe(1_001);
});
