/**
 * The files of a copy of a change feed. Each file with events has a manifest, which is written after it. A
 * file without a manifest is incomplete, and the next run replaces it.
 */

import { createHash } from "node:crypto";
import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { canonicalJson } from "../../base/canonical-json.ts";
import { sha256 } from "../../io/sha256.ts";
import { ChangeEvent } from "../../service/changes/contract.ts";
import type { FeedFolder } from "./feed-folder.ts";

export type FeedEvent = Static<typeof ChangeEvent>;

export const feedFormats = ["ndjson", "parquet"] as const;
export type FeedFormat = (typeof feedFormats)[number];

const Hash = Type.String({ pattern: "^[0-9a-f]{64}$" });
const FeedManifest = Type.Object({
  formatVersion: Type.Literal(1),
  projectId: Type.String(),
  file: Type.String({ pattern: "^changes-\\d{15}\\.(?:ndjson|parquet)$" }),
  format: Type.Union(feedFormats.map((format) => Type.Literal(format))),
  /** Numbers of the first and the last event, and how many there are. */
  first: Type.Integer({ minimum: 1 }),
  last: Type.Integer({ minimum: 1 }),
  count: Type.Integer({ minimum: 1 }),
  sha256: Hash,
  /** Running digests of the event before the first one, and of the last one. */
  previousDigest: Hash,
  digest: Hash,
  /** Cursor for the events after the last one. */
  nextCursor: Type.String(),
});
export type FeedManifest = Static<typeof FeedManifest>;

/** Digest before the first event of a feed. */
export const firstDigest = "0".repeat(64);

/** Returns the name of the file whose first event has this number. Names sort in the order of the events. */
export function feedFileName(first: number, format: FeedFormat | "json"): string {
  return `changes-${String(first).padStart(15, "0")}.${format}`;
}

/** Whether a name is that of a manifest, or of a file with events. */
export function isManifestName(name: string): boolean {
  return /^changes-\d{15}\.json$/.test(name);
}
export function isFeedFileName(name: string): boolean {
  return /^changes-\d{15}\.(?:ndjson|parquet)$/.test(name);
}

/** Names of an event's fields. */
const eventFields: ReadonlySet<string> = new Set(
  ChangeEvent.anyOf.flatMap(({ properties }) => Object.keys(properties)),
);

/** Returns an event without fields that this version doesn't know. Its digest doesn't cover them. */
export function knownFields(event: FeedEvent): FeedEvent {
  return Object.fromEntries(Object.entries(event).filter(([name]) => eventFields.has(name))) as FeedEvent;
}

/** Whether an event has exactly the known fields, with values that can't be taken for others in a digest. */
export function hasOwnFields(event: FeedEvent): boolean {
  if (event === null || typeof event !== "object") return false;
  const { sequence, contentHash, data, ...texts } = event;
  return (
    Object.keys(event).length === eventFields.size &&
    Object.keys(event).every((name) => eventFields.has(name)) &&
    Number.isSafeInteger(sequence) &&
    Object.values(texts).every((text) => typeof text === "string") &&
    (contentHash === null || Value.Check(Hash, contentHash)) &&
    typeof data === "object"
  );
}

/**
 * Reads a manifest. Undefined if it's missing or isn't valid. Rejects with an `UnreadableFile` if it isn't a
 * regular file.
 */
export async function readFeedManifest(folder: FeedFolder, name: string): Promise<FeedManifest | undefined> {
  const bytes = await folder.read(name);
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes ?? []).toString());
    return Value.Check(FeedManifest, value) && name === feedFileName(value.first, "json") ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Writes a file with events, and then its manifest. */
export async function writeFeedFile(
  folder: FeedFolder,
  events: readonly FeedEvent[],
  bytes: Uint8Array,
  about: Pick<FeedManifest, "projectId" | "format" | "previousDigest" | "nextCursor">,
): Promise<FeedManifest> {
  const [first, last] = [events[0]!, events.at(-1)!];
  const manifest: FeedManifest = {
    formatVersion: 1,
    projectId: about.projectId,
    file: feedFileName(first.sequence, about.format),
    format: about.format,
    first: first.sequence,
    last: last.sequence,
    count: events.length,
    sha256: sha256(bytes),
    previousDigest: about.previousDigest,
    digest: last.digest,
    nextCursor: about.nextCursor,
  };
  await folder.write(manifest.file, bytes);
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  await folder.write(feedFileName(first.sequence, "json"), Buffer.from(text));
  return manifest;
}

/** Returns the running digest after an event (see `ChangeEvent`). */
export function digestAfter(previous: string, event: FeedEvent): string {
  const { sequence, id, timestamp, kind, recordType, recordId, contentHash } = event;
  const values = [previous, sequence, id, timestamp, kind, recordType, recordId, contentHash ?? ""];
  return createHash("sha256").update(values.join("\n")).digest("hex");
}

/** Whether the event's data, if there is any, is what its content hash says. */
export function hasOwnContent({ data, contentHash }: FeedEvent): boolean {
  return data === null || createHash("sha256").update(canonicalJson(data)).digest("hex") === contentHash;
}
