/** Splits git's output into records, such as lines, while it arrives. */

import { GitRefused } from "./check-git-source.ts";

/**
 * Maximum size of a record in bytes. The path of a file is the longest text in a record, and longer paths are
 * never copied.
 */
const record_bytes = 4_096;

/** `end`: the byte after each record. `most_bytes`: maximum size of the output. */
export interface RecordFormat {
  end: "\0" | "\n";
  most_bytes: number;
}

/**
 * Returns a function that receives chunks of output, and calls `take` with each record. It throws
 * `GitRefused` if a record or the output is too long. A record without an end isn't passed on.
 */
export function recordReader(
  { end, most_bytes }: RecordFormat,
  take: (record: Buffer) => void,
): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  let bytes = 0;
  return (chunk) => {
    bytes += chunk.length;
    if (bytes > most_bytes)
      throw new GitRefused(`Git lists more than ${Math.round(most_bytes / 1_000)} KB of names`);
    let start = 0;
    for (let at = chunk.indexOf(end); at >= 0; at = chunk.indexOf(end, start)) {
      const part = chunk.subarray(start, at);
      requireShort(rest.length + part.length);
      take(rest.length ? Buffer.concat([rest, part]) : part);
      rest = Buffer.alloc(0);
      start = at + 1;
    }
    requireShort(rest.length + chunk.length - start);
    rest = Buffer.concat([rest, chunk.subarray(start)]);
  };
}

function requireShort(bytes: number): void {
  if (bytes > record_bytes)
    throw new GitRefused(
      `The repository contains a name that is longer than ${record_bytes.toLocaleString("en-US")} bytes`,
    );
}
