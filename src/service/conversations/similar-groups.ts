import { setTimeout as wait } from "node:timers/promises";
import type { Embedder } from "../../base/embedder.ts";
import type { UnansweredGroup } from "./unanswered.ts";

/**
 * Minimum cosine of two questions with the same meaning. In eval/, pairs of questions above it ask the same.
 */
const sameMeaning = 0.65;
/** Maximum time for the vectors of a list. */
const vectors_ms = 3_000;

/** A group, and less frequent groups of the same list that ask the same in different words. */
export type GroupWithSimilar = UnansweredGroup & { similar: UnansweredGroup[] };

/**
 * Joins groups whose newest questions have the same meaning, the most frequent first. If there is no
 * embedder, or it fails, no groups are joined.
 */
export async function joinSimilar(
  embedder: Embedder | undefined,
  groups: readonly UnansweredGroup[],
): Promise<GroupWithSimilar[]> {
  const vectors = embedder && groups.length > 1 ? await vectorsOf(embedder, groups) : undefined;
  const joined: { group: GroupWithSimilar; vector: Float32Array | undefined }[] = [];
  for (const [place, group] of groups.entries()) {
    const vector = vectors?.[place];
    const same = vector && joined.find((other) => cosine(other.vector!, vector) >= sameMeaning);
    if (same) same.group.similar.push(group);
    else joined.push({ group: { ...group, similar: [] }, vector });
  }
  return joined.map(({ group }) => group);
}

async function vectorsOf(
  embedder: Embedder,
  groups: readonly UnansweredGroup[],
): Promise<Float32Array[] | undefined> {
  const texts = groups.map(({ example }) => example);
  return Promise.race([
    embedder.embedPassages(texts).catch(() => undefined),
    wait(vectors_ms, undefined, { ref: false }),
  ]);
}

function cosine(one: Float32Array, other: Float32Array): number {
  return one.reduce((sum, value, place) => sum + value * other[place]!, 0);
}
