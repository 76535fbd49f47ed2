/**
 * Compares `octavo api diff` with the command oasdiff, on the documents of oasdiff's own tests and with both
 * orders of each pair. The documents come from the Go module proxy and aren't in this repository. Needs Go.
 */

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Change } from "../../src/engine/openapi/changes/change.ts";
import { compareDocuments } from "../../src/engine/openapi/changes/compare-documents.ts";
import { readDocument } from "../../src/engine/openapi/document/api-document.ts";
import { type JudgedChange, openOasdiff } from "./oasdiff.ts";

const oasdiff = openOasdiff();

type Reasons = readonly (readonly [rule: RegExp, files: RegExp, reason: string])[];

/** Why Octavo disagrees that a change is breaking. `rule`: that of oasdiff. `files`: the documents compared. */
const notBreaking: Reasons = [
  [/x-extensible-enum/, /./, "An extension of other tools, which Octavo doesn't read"],
  [
    /all-of-added/,
    /./,
    "The part in `allOf` adds only optional properties, which oasdiff itself doesn't count",
  ],
  [/any-of-removed/, /any_of_media_type/, "The alternative has another name and the same content"],
  [/enum-value-removed/, /transition_claims_enum/, "One of the new alternatives allows all earlier values"],
  [
    /enum-value-added/,
    /./,
    "APIs add values to enums without a new version, and their clients are expected to accept them (may break)",
  ],
  [
    /^request-body-removed$/,
    /./,
    "Like a removed parameter, for both tools: servers usually ignore it (may break)",
  ],
  [
    /const-changed/,
    /sub_schema_traversal/,
    "The test of an `if` with `then` and `else`: whether values are still allowed isn't known (may break)",
  ],
  [
    /dependent-required-changed/,
    /./,
    "A property is required where fewer are allowed, or no longer required where more are",
  ],
  [/schema-removed/, /degenerate_false/, "The earlier schema allows no value, so there was nothing to read"],
  [/type-changed/, /enum-int/, "The document's type `int` isn't a type of JSON Schema"],
];

/** Why Octavo counts a change as breaking and oasdiff doesn't. `rule`: that of Octavo. */
const onlyBreakingHere: Reasons = [
  [
    /response-type-widened/,
    /original_preserved/,
    "A response can have an alternative that clients don't know. oasdiff warns about it",
  ],
  [/operation-removed|security-required/, /clone_diff|alpha/, "oasdiff ignores operations marked as alpha"],
  [/server-removed/, /./, "oasdiff doesn't compare servers"],
  [
    /response-property-removed/,
    /./,
    "A field is removed. That it was optional says little: most documents don't list what responses require",
  ],
  [
    /response-media-type-removed/,
    /add_new_media_type/,
    "Clients that read `application/json` don't read `application/problem+json`",
  ],
  [
    /-type-(?:narrowed|widened)|limit-/,
    /prefix_items/,
    "The items at a position have another type. oasdiff warns that `prefixItems` changed",
  ],
  [
    /request-(?:type|limit|property)|required-request|response-(?:type|limit|property)/,
    /allof|x-of/,
    "oasdiff warns about changes next to `allOf`, because another part can have the same limit. Parts are merged here",
  ],
  [
    /-type-(?:narrowed|widened)/,
    /xml_type_compatible/,
    "An object isn't a text, even if XML without tags can look the same",
  ],
  [/request-type-narrowed/, /array_31/, "A list of several values isn't a single value"],
  [/limit-/, /max_items_updated|nil_revision|unevaluated_bool/, "oasdiff doesn't compare this place"],
  [
    /response-limit-loosened/,
    /pattern-/,
    "The new pattern `.*` allows all values. oasdiff doesn't read patterns",
  ],
  [
    /required-request-property-added/,
    /read_only/,
    "The required property was read-only, and clients left it out, as OpenAPI 3.0 says",
  ],
];

function reasonFor(reasons: Reasons, rule: string, files: string): string | undefined {
  return reasons.find(([pattern, names]) => pattern.test(rule) && names.test(files))?.[2];
}

/** Whether changes are about the same operation or webhook, and both about requests or both about responses. */
function isSameSubject({ rule, operations }: Change, { id, path: place }: JudgedChange): boolean {
  const ofResponse = (name: string) => /^(?:success-|error-)?response-/.test(name);
  const ofAny = (name: string) => /^(?:limit|format|default|content|api|security)-/.test(name);
  if (ofResponse(rule) !== ofResponse(id) && !ofAny(rule) && !ofAny(id)) return false;
  if (place === undefined || operations.length === 0) return true;
  const ending = ` ${place.replace(/^webhook:/, "")}`;
  return operations.some((name) => name.endsWith(ending));
}

/** Counts agreements, and collects the changes without a reason for a disagreement. */
class Agreement {
  private same = 0;
  private readonly explained = new Map<string, number>();
  readonly unexplained: string[] = [];

  add(isSame: boolean, reason: string | undefined, change: string): void {
    if (isSame) this.same++;
    else if (reason === undefined) this.unexplained.push(change);
    else this.explained.set(reason, (this.explained.get(reason) ?? 0) + 1);
  }

  get counts() {
    const explained = [...this.explained.values()].reduce((sum, count) => sum + count, 0);
    const total = this.same + explained + this.unexplained.length;
    return {
      total,
      same: this.same,
      share: this.same / total,
      explained,
      reasons: Object.fromEntries(this.explained),
    };
  }
}

test.skipIf(typeof oasdiff === "string")(
  `agrees with oasdiff on what is breaking${typeof oasdiff === "string" ? ` (skipped: ${oasdiff})` : ""}`,
  { timeout: 900_000 },
  async () => {
    if (typeof oasdiff === "string") return;
    const [theirs, ours] = [new Agreement(), new Agreement()];
    const both = oasdiff.pairs.flatMap(([a, b]): [string, string][] => [
      [a, b],
      [b, a],
    ]);
    for (const [before, after] of both) {
      const [earlier, later] = await Promise.all(
        [before, after].map((file) => readDocument(file, readFileSync(file, "utf8"), { isChecked: false })),
      );
      const found = compareDocuments(earlier!.document!, later!.document!);
      const files = [before, after].map((file) => file.split("/").slice(-2).join("/")).join(" ");
      const judged = oasdiff.changes(before, after);
      const breaking = found.filter(({ level }) => level === "breaking");
      const judgedBreaking = judged.filter(({ level }) => level === 3);
      for (const change of judgedBreaking)
        theirs.add(
          breaking.some((one) => isSameSubject(one, change)),
          reasonFor(notBreaking, change.id, files),
          `${change.id}: ${files}: ${change.text}`,
        );
      for (const change of breaking)
        ours.add(
          judgedBreaking.some((one) => isSameSubject(change, one)),
          reasonFor(onlyBreakingHere, change.rule, files),
          `${change.rule}: ${files}: ${change.message}`,
        );
    }

    console.log({ "breaking in oasdiff": theirs.counts, "breaking here": ours.counts });
    expect([...theirs.unexplained, ...ours.unexplained]).toEqual([]);
    expect(theirs.counts.total).toBeGreaterThan(500);
    expect(theirs.counts.share).toBeGreaterThanOrEqual(0.95);
    expect(ours.counts.share).toBeGreaterThan(0.85);
  },
);
