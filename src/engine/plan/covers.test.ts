/** Compares `covers` with `mayRead` for all readers of three groups. */

import { expect, test } from "vitest";
import { type Access, accessKey, mayRead, type Reader } from "../../base/access.ts";
import { covers } from "./audiences.ts";

const groups = [["a"], ["b"], ["c"], ["a", "b"], ["a", "c"], ["b", "c"], ["a", "b", "c"]];

const accesses: Access[] = [
  "anyone",
  "readers",
  "visitors",
  ...groups,
  ...groups.flatMap((first) => groups.map((second) => ({ allOf: [first, second] }))),
];

const readers: (Reader | undefined)[] = [undefined, { groups: [] }, ...groups.map((of) => ({ groups: of }))];

test("a file covers a page exactly if each reader of the page may read the file", () => {
  const wrong = accesses.flatMap((file) =>
    accesses
      .filter(
        (page) =>
          covers(file, page) !== readers.every((reader) => !mayRead(page, reader) || mayRead(file, reader)),
      )
      .map((page) => `${accessKey(file)} ${accessKey(page)}`),
  );
  expect(wrong).toEqual([]);
});
