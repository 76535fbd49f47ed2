import { expect, test } from "vitest";
import { similarPassages } from "./meaning.ts";
import { PassageVectors, quantized, rowsOf, type VectorRow, writeParts } from "./passage-vectors.ts";

const head = { model: "tiny", dimensions: 3 };
const row = (hash: string, ...vector: number[]): VectorRow => ({
  hash,
  vector: quantized(Float32Array.from(vector)),
});
const rows = new Map([
  [0, row("00000000000000aa", 1, 0, 0)],
  [3, row("00000000000000bb", 0.6, 0.8, 0)],
  [1_200, row("00000000000000cc", 0, 0, -1)],
]);

const noPause = async () => {};

test("written vectors are read again, by passage number and by hash", async () => {
  const parts = writeParts(head, rows);
  const vectors = new PassageVectors(parts);
  expect(vectors.model).toBe("tiny");
  const cosines = await vectors.cosines(Float32Array.of(1, 0, 0), noPause);
  expect([...cosines.entries()].filter(([, cosine]) => cosine !== 0).map(([number]) => number)).toEqual([
    0, 3,
  ]);
  expect([cosines[0], cosines[3]]).toEqual([expect.closeTo(1, 2), expect.closeTo(0.6, 2)]);
  expect((await vectors.cosines(Float32Array.of(0, 0, 1), noPause))[1_200]).toBeCloseTo(-1);
  expect(parts.flatMap((part) => [...rowsOf(part, "tiny")])).toEqual([...rows.values()]);
});

test("an edit of a passage changes one part", () => {
  const before = writeParts(head, rows);
  const after = writeParts(head, new Map([...rows, [3, row("00000000000000dd", 0, 1, 0)]]));
  expect(after.map((part, place) => Buffer.compare(part, before[place]!) === 0)).toEqual([false, true, true]);
});

test("vectors of another model or another length aren't used", async () => {
  const parts = writeParts(head, rows);
  expect([...rowsOf(parts[0]!, "other")]).toEqual([]);
  expect(
    (await new PassageVectors(parts).cosines(Float32Array.of(1, 0), noPause)).every((cosine) => cosine === 0),
  ).toBe(true);
});

test("the vectors of a large index are written, and other work runs while they are compared", async () => {
  const many = new Map(
    Array.from({ length: 200_000 }, (_, number) => [number, row("00000000000000aa", 1, 0, 0)]),
  );
  let pauses = 0;
  const cosines = await new PassageVectors(writeParts(head, many)).cosines(
    Float32Array.of(1, 0, 0),
    async () => void pauses++,
  );
  expect(cosines[199_999]).toBeCloseTo(1);
  expect(pauses).toBeGreaterThan(20);
});

test("a question that is unlike all passages finds no passage without a vector", async () => {
  const unlike = new PassageVectors(
    writeParts(
      head,
      new Map([
        [0, row("00000000000000aa", 1, 0, 0)],
        [2, row("00000000000000bb", 1, 1, 0)],
      ]),
    ),
  );
  const [similar] = await similarPassages([unlike], Float32Array.of(-1, 0, 0), noPause);
  // The index has three passages, each in a section of its own.
  const found = similar!.addTo([], Uint32Array.of(0, 1, 2), () => 1);
  expect(found.map(({ passage }) => passage)).toEqual([2]);
});

test("passages that the index doesn't have aren't found", async () => {
  const [similar] = await similarPassages(
    [new PassageVectors(writeParts(head, rows))],
    Float32Array.of(0.6, 0, -0.8),
    noPause,
  );
  const found = similar!.addTo([], Uint32Array.of(0, 0, 1, 1), () => 1);
  expect(found.map(({ passage }) => passage)).toEqual([0]);
});
