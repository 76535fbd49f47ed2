/** Finds the positions of nodes in the source text of a document, for reported problems. */

import { EVENT_ID, type Event, getScalarValue, parseEvents, SCALAR_STYLE, type ScalarEvent } from "js-yaml";
import { limits } from "../../../base/limits.ts";
import { JsonPositions, type TextSpan } from "../../json-positions.ts";

/** A node to find: the keys of its path, and whether to return the position of its value or its key. */
export interface Wanted {
  keys: readonly string[];
  what: "key" | "value";
}

interface Range {
  start: number;
  end: number;
}

/** A node on the path of a wanted node, with the positions that were found. */
interface Step {
  below: Map<string, Step>;
  key?: Range;
  value?: Range;
  isScalar?: boolean;
}

/**
 * Returns the positions of nodes, or of the nearest parents that exist. In YAML, reads a text only once, and
 * the position of an object or list is the position of its key. The text must be valid, except for commas
 * before closing brackets in JSON.
 */
export function findPositions(
  text: string,
  isJson: boolean,
  wanted: readonly Wanted[],
): (TextSpan | undefined)[] {
  if (wanted.length === 0) return [];

  if (isJson) {
    const positions = new JsonPositions(text);
    return wanted.map(({ keys, what }) => positions.of(keys, what));
  }

  const root: Step = { below: new Map() };
  const paths = wanted.map(({ keys }) => {
    const path = [root];
    for (const key of keys) {
      const { below } = path.at(-1)!;
      if (!below.has(key)) below.set(key, { below: new Map() });
      path.push(below.get(key)!);
    }
    return path;
  });

  new YamlFinder(text).visit(root);

  const ranges = wanted.map(({ what }, index) => {
    const path = paths[index]!;
    const found = path.findLast(({ value }) => value !== undefined);
    const isWanted = found === path.at(-1);
    const isKey = (isWanted && what === "key") || !(isWanted && found?.isScalar);
    return (isKey ? found?.key : undefined) ?? found?.value;
  });

  return spansOf(text, ranges);
}

/** Converts ranges to lines and columns. Counts the lines only once. */
function spansOf(text: string, ranges: readonly (Range | undefined)[]): (TextSpan | undefined)[] {
  const spans: (TextSpan | undefined)[] = ranges.map(() => undefined);
  const sorted = [...ranges.entries()].sort(([, a], [, b]) => (a?.start ?? 0) - (b?.start ?? 0));
  let line = 1;
  let lineStart = 0;
  let lineEnd = text.indexOf("\n");
  for (const [index, range] of sorted) {
    if (!range) continue;
    for (; lineEnd >= 0 && lineEnd < range.start; lineEnd = text.indexOf("\n", lineStart)) {
      line++;
      lineStart = lineEnd + 1;
    }
    const room = (lineEnd < 0 ? text.length : lineEnd) - range.start;
    const length = Math.max(1, Math.min(range.end - range.start, room));
    spans[index] = { line, column: range.start - lineStart + 1, length };
  }

  return spans;
}

/** Returns the range of a scalar, with its quotation marks. */
function rangeOf({ valueStart, valueEnd, style }: ScalarEvent): Range {
  const quotes_chars = style === SCALAR_STYLE.SINGLE_QUOTED || style === SCALAR_STYLE.DOUBLE_QUOTED ? 1 : 0;
  return { start: valueStart - quotes_chars, end: valueEnd + quotes_chars };
}

/** Maximum number of aliases that are followed. */
const aliases_count = 1_000;

/** Reads the events of YAML. Follows the aliases on a path. */
class YamlFinder {
  private readonly text: string;
  private readonly events: readonly Event[];
  private readonly anchors = new Map<string, number>();
  private aliases = 0;

  constructor(text: string) {
    this.text = text;
    this.events = parseEvents(text, { maxDepth: limits.apiNesting_levels });
    for (const [index, event] of this.events.entries())
      if ("anchorStart" in event && event.anchorStart >= 0 && event.type !== EVENT_ID.ALIAS)
        this.anchors.set(this.anchorOf(event), index);
  }

  visit(root: Step): void {
    this.node(1, root);
  }

  private anchorOf({ anchorStart, anchorEnd }: { anchorStart: number; anchorEnd: number }): string {
    return this.text.slice(anchorStart, anchorEnd).replace(/^[&*]/, "");
  }

  /** Reads the node at an event. Returns the index of the event after it. */
  private node(index: number, step: Step | undefined): number {
    const event = this.events[index];
    if (event?.type === EVENT_ID.SCALAR && step) {
      step.value = rangeOf(event);
      step.isScalar = true;
    }

    if (event?.type === EVENT_ID.ALIAS && step && ++this.aliases < aliases_count) {
      const target = this.anchors.get(this.anchorOf(event));
      if (target !== undefined && target < index) this.node(target, step);
    }

    if (event?.type !== EVENT_ID.MAPPING && event?.type !== EVENT_ID.SEQUENCE) return index + 1;
    if (step) step.value = { start: event.start, end: event.start + 1 };
    if (!step?.below.size) return this.behind(index);

    let at = index + 1;
    for (let item = 0; this.events[at] && this.events[at]!.type !== EVENT_ID.POP; item++) {
      let below = step.below.get(String(item));
      if (event.type === EVENT_ID.MAPPING) {
        const key = this.events[at]!;
        below = key.type === EVENT_ID.SCALAR ? step.below.get(getScalarValue(this.text, key)) : undefined;
        if (below && key.type === EVENT_ID.SCALAR) below.key = rangeOf(key);
        at = this.behind(at);
      }
      at = this.node(at, below);
    }

    return at + 1;
  }

  /** Returns the index of the event after a node. */
  private behind(index: number): number {
    let depth = 0;
    for (let at = index; at < this.events.length; at++) {
      const { type } = this.events[at]!;
      if (type === EVENT_ID.MAPPING || type === EVENT_ID.SEQUENCE) depth++;
      else if (type === EVENT_ID.POP) depth--;
      if (depth <= 0) return at + 1;
    }
    return this.events.length;
  }
}
