/** Events of a change feed as NDJSON and as Parquet. */

import type { FeedEvent, FeedFormat } from "./feed-file.ts";

export async function encodeEvents(events: readonly FeedEvent[], format: FeedFormat): Promise<Uint8Array> {
  return format === "ndjson"
    ? Buffer.from(events.map((event) => `${JSON.stringify(event)}\n`).join(""))
    : toParquet(events);
}

/**
 * Reads events. Rejects if the bytes aren't of this format. NDJSON must be exactly what `encodeEvents`
 * writes, because programs can read other spellings, such as a key twice, in another way.
 */
export async function decodeEvents(bytes: Uint8Array, format: FeedFormat): Promise<FeedEvent[]> {
  if (format === "parquet") return fromParquet(bytes);
  const lines = Buffer.from(bytes).toString().split("\n").slice(0, -1);
  const events = lines.map((line) => JSON.parse(line) as FeedEvent);
  if (Buffer.compare(await encodeEvents(events, format), bytes) !== 0)
    throw new Error("The lines aren't those that this command writes");
  return events;
}

async function toParquet(events: readonly FeedEvent[]): Promise<Uint8Array> {
  const { parquetWriteBuffer } = await import("hyparquet-writer");
  const texts = (name: "id" | "kind" | "recordType" | "recordId" | "digest") => ({
    name,
    type: "STRING" as const,
    nullable: false,
    data: events.map((event) => event[name]),
  });
  const columnData = [
    {
      name: "sequence",
      type: "INT64" as const,
      nullable: false,
      data: events.map(({ sequence }) => BigInt(sequence)),
    },
    texts("id"),
    {
      name: "timestamp",
      type: "TIMESTAMP" as const,
      nullable: false,
      data: events.map(({ timestamp }) => new Date(timestamp)),
    },
    texts("kind"),
    texts("recordType"),
    texts("recordId"),
    { name: "contentHash", type: "STRING" as const, data: events.map(({ contentHash }) => contentHash) },
    texts("digest"),
    { name: "data", type: "JSON" as const, data: events.map(({ data }) => data ?? undefined) },
  ];
  return new Uint8Array(parquetWriteBuffer({ columnData }));
}

async function fromParquet(bytes: Uint8Array): Promise<FeedEvent[]> {
  const { parquetReadObjects } = await import("hyparquet");
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
  const rows = await parquetReadObjects({ file });
  return rows.map((row) => ({
    ...row,
    sequence: Number(row.sequence),
    timestamp: (row.timestamp as Date).toISOString(),
    contentHash: row.contentHash ?? null,
    data: row.data ?? null,
  })) as unknown as FeedEvent[];
}
