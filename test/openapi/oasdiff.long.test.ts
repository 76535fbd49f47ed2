/**
 * Compares `octavo api diff` with the command oasdiff, on the documents of oasdiff's own tests and with both
 * orders of each pair. The documents come from the Go module proxy and aren't in this repository. Needs Go.
 */

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { compareDocuments } from "../../src/engine/openapi/changes/compare-documents.ts";
import { readDocument } from "../../src/engine/openapi/document/api-document.ts";
import { type JudgedChange, openOasdiff } from "./oasdiff.ts";

const oasdiff = openOasdiff();

/** Breaking changes according to oasdiff that Octavo doesn't report as breaking or as may-break. */
const unreported: Readonly<Record<string, string>> = {
  "request-parameter-x-extensible-enum-value-removed":
    "an extension of other tools, which Octavo doesn't read",
  "request-property-x-extensible-enum-value-removed":
    "an extension of other tools, which Octavo doesn't read",
  "request-body-all-of-added": "the added part has only optional properties",
  "request-property-all-of-added": "the added part has only optional properties",
  "request-property-enum-value-removed": "the enum is replaced by alternatives that allow all of its values",
  "response-body-media-type-item-schema-removed": "`schema` replaces `itemSchema`, which aren't told apart",
  "request-body-type-changed": "the document's type `int` isn't a type of JSON Schema",
};

/** Reasons why changes that break clients according to oasdiff may break them according to Octavo. */
const milder: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/enum/, "clients are expected to accept new values in responses"],
  [
    /^response-.*(?:pattern|min|max|length|contains|unset|decreased|increased)/,
    "few clients rely on limits of responses",
  ],
  [/content-(?:encoding|media-type|schema)/, "how content is read isn't known"],
  [/^request-body-removed$/, "servers usually ignore bodies"],
  [/wrapped-in/, "the alternatives can allow the earlier values"],
  [/^response-.*(?:removed|not-false)$/, "few clients rely on limits of responses"],
  [/./, "the change is inside a condition, such as `not` or `if`, which isn't compared further"],
];

/** Whether a change affects the operation or the webhook of a judged change. */
function affects(operations: readonly string[], { path }: JudgedChange): boolean {
  if (path === undefined || operations.length === 0) return true;
  const ending = ` ${path.replace(/^webhook:/, "")}`;
  return operations.some((name) => name.endsWith(ending));
}

test.skipIf(typeof oasdiff === "string")(
  `finds the breaking changes that oasdiff finds${typeof oasdiff === "string" ? ` (skipped: ${oasdiff})` : ""}`,
  { timeout: 900_000 },
  async () => {
    if (typeof oasdiff === "string") return;
    const counts = { breaking: 0, "may-break": 0, unreported: 0 };
    const reasons = new Map<string, number>();
    const unexplained: string[] = [];
    const both = oasdiff.pairs.flatMap(([a, b]): [string, string][] => [
      [a, b],
      [b, a],
    ]);
    for (const [before, after] of both) {
      const [earlier, later] = await Promise.all(
        [before, after].map((file) => readDocument(file, readFileSync(file, "utf8"), { isChecked: false })),
      );
      const changes = compareDocuments(earlier!.document!, later!.document!);
      for (const judged of oasdiff.changes(before, after).filter(({ level }) => level === 3)) {
        const levels = changes
          .filter(({ operations }) => affects(operations, judged))
          .map(({ level }) => level);
        const level =
          (["breaking", "may-break"] as const).find((name) => levels.includes(name)) ?? "unreported";
        counts[level]++;
        const reason =
          level === "may-break"
            ? milder.find(([pattern]) => pattern.test(judged.id))![1]
            : level === "unreported"
              ? unreported[judged.id]
              : undefined;
        if (reason !== undefined)
          reasons.set(`${level}: ${reason}`, (reasons.get(`${level}: ${reason}`) ?? 0) + 1);
        else if (level === "unreported") unexplained.push(`${judged.id}: ${before} ${after}: ${judged.text}`);
      }
    }

    console.log(counts, Object.fromEntries(reasons));
    expect(unexplained).toEqual([]);
    const total = counts.breaking + counts["may-break"] + counts.unreported;
    expect(total).toBeGreaterThan(500);
    expect((counts.breaking + counts["may-break"]) / total).toBeGreaterThan(0.95);
    expect(counts.breaking / total).toBeGreaterThan(0.7);
  },
);
