/** Tests that pages of real documents stay within limits for size and build time. */

import { describe, expect, test } from "vitest";
import { hasSpecs, operationsOf } from "../../../test/engine/operation.ts";
import { contextOf, countElements } from "../../../test/engine/reference-page.ts";
import { renderOperation } from "./operation-page.tsx";
import { renderSchemaFragment } from "./schema-page.tsx";

const documents = [
  "adyen-balance-platform-v2-3.1.json",
  "twilio-api-v2010-3.0.json",
  "figma-3.1.yaml",
  "box-2025.0-3.0.json",
  "galaxy-3.1.yaml",
  "redoc-demo-3.1.yaml",
  "circular-slowdown-3.0.json",
  "schema-circular-3.0.json",
  "recursive-discriminator-3.0.yaml",
  "polymorphism-3.0.json",
];
/** Allowance for the elements of the page layout. */
const frame_count = 500;

describe.skipIf(!hasSpecs)("pages of", () => {
  test.each(documents)("%s stay within the limits", (file) => {
    const weights: number[] = [];
    for (const { operation, refs } of operationsOf(file)) {
      const context = {
        ...contextOf({}),
        refs,
        languages: ["bash", "python", "javascript", "php", "go", "java", "ruby"],
      };
      const page = renderOperation(operation, context);
      const html = page.html + page.aside;
      weights.push(html.length);
      expect(html.length, operation.path).toBeLessThan(250_000);
      expect(countElements(html) + frame_count, operation.path).toBeLessThan(3_000);
      expect(new Set(page.anchors).size).toBe(page.anchors.length);
      for (const cut of page.cuts.slice(0, 5))
        expect(renderSchemaFragment(cut, context).html.length).toBeLessThan(100_000);
    }
    weights.sort((a, b) => a - b);
    expect(weights[weights.length >> 1]).toBeLessThan(60_000);
  });
});
