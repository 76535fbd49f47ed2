import type { ServerResponse } from "node:http";
import { Writable } from "node:stream";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Access, mayRead, type Reader } from "../base/access.ts";
import { type GuardedItem, navigationLines } from "../engine/view/guarded-navigation.ts";
import { sendReaderNavigation } from "./section-navigation.ts";

const staff: Reader = { groups: ["staff"] };

/** Returns the parts of the response. `chunk_bytes`: size of the parts that the table is read in. */
async function answer(table: string, chunk_bytes: number): Promise<string[]> {
  const parts: string[] = [];
  const response = new Writable({
    write: (chunk: Buffer, _, done) => done(void parts.push(chunk.toString())),
  });
  Object.assign(response, { setHeader: () => response });
  const bytes = Buffer.from(table);
  const chunks = async function* () {
    for (let at = 0; at < bytes.length; at += chunk_bytes) yield bytes.subarray(at, at + chunk_bytes);
  };
  await sendReaderNavigation(response as unknown as ServerResponse, chunks(), staff);
  return parts;
}

/** What readers of the group `staff` see. */
function expected(items: readonly GuardedItem[]): unknown[] {
  return items.flatMap((item): unknown[] => {
    if ("page" in item) return mayRead(item.access, staff) ? [item.page] : [];
    const { p: landing, ...group } = item.group;
    const opens = landing !== undefined && item.landing !== undefined && mayRead(item.landing, staff);
    const below = expected(item.items);
    return below.length || opens ? [{ ...group, ...(opens ? { p: landing } : {}), c: below }] : [];
  });
}

const access = fc.constantFrom<Access>("anyone", "readers", ["staff"], ["board"], {
  allOf: [["staff"], ["board"]],
});
/** Labels with everything that ends a line or a group in a table. */
const label = fc.oneof(fc.string(), fc.constantFrom("]", "[", "]}", '{"items":[', "a\nb", "ü€😀", "\u2028"));
const { tree } = fc.letrec<{ tree: GuardedItem[]; item: GuardedItem }>((tie) => ({
  item: fc.oneof(
    { maxDepth: 4 },
    fc.record({ access, page: fc.tuple(label, label) }),
    fc.record(
      {
        group: fc.record({ g: label, p: label, x: fc.constant(1 as const) }, { requiredKeys: ["g"] }),
        landing: access,
        items: tie("tree"),
      },
      { requiredKeys: ["group", "items"] },
    ),
  ) as fc.Arbitrary<GuardedItem>,
  tree: fc.array(tie("item"), { maxLength: 5 }),
}));

test("readers get exactly what they may see, however the table is divided into parts", async () => {
  const cases = fc.asyncProperty(tree, fc.integer({ min: 1, max: 60 }), async (items, chunk_bytes) => {
    const text = `${[...navigationLines(items)].join("\n")}\n`;
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(items)));
    // Older exports have the whole table on one line.
    for (const table of [text, `${JSON.stringify(items)}\n`])
      expect(JSON.parse((await answer(table, chunk_bytes)).join(""))).toEqual(
        JSON.parse(JSON.stringify(expected(items))),
      );
  });
  await fc.assert(cases, { numRuns: 300 });
});

test("the work for each part doesn't depend on the size of the table", async () => {
  const pages = (count: number): GuardedItem[] =>
    Array.from({ length: count }, (_, i) => ({ access: ["staff"], page: [`Page ${i}`, `p/${i}`] }));
  const items: GuardedItem[] = Array.from({ length: 50 }, (_, i) => ({
    group: { g: `Group ${i}` },
    items: pages(200),
  }));
  const parts = await answer(`${[...navigationLines(items)].join("\n")}\n`, 65_536);
  expect(JSON.parse(parts.join(""))).toHaveLength(50);
  expect(Math.max(...parts.map(({ length }) => length))).toBeLessThan(66_000);
});
