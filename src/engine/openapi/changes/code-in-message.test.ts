import fc from "fast-check";
import { expect, test } from "vitest";
import { inCode, partsOfMessage } from "./code-in-message.ts";

test("a name stays in its code span, also if it has backticks", () => {
  const name = fc.string({
    unit: fc.constantFrom("`", "a", " ", "[x](javascript:y)"),
    minLength: 1,
    maxLength: 12,
  });
  fc.assert(
    fc.property(name, name, (one, other) => {
      const parts = partsOfMessage(`The property ${inCode(one)} of ${inCode(other)} was removed`);
      expect(parts).toEqual([
        { text: "The property ", isCode: false },
        { text: one, isCode: true },
        { text: " of ", isCode: false },
        { text: other, isCode: true },
        { text: " was removed", isCode: false },
      ]);
    }),
    { seed: 3, numRuns: 500 },
  );
});
