/** Checks the caller's rights again while a body arrives, which can take minutes. */

import { pipeline, type Readable, Transform } from "node:stream";

/** Time between two checks. A handler may write parts of a body before the rest has arrived. */
const check_ms = 1_000;

/**
 * Returns the body as a stream that fails with the error of `check`, which runs every second while the body
 * arrives, and before the stream ends.
 */
export function checkedBody(body: Readable | AsyncIterable<Buffer>, check: () => Promise<void>): Readable {
  let checked_ms = performance.now();
  const checked = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (performance.now() - checked_ms < check_ms) return done(null, chunk);
      checked_ms = performance.now();
      check().then(() => done(null, chunk), done);
    },
    flush(done) {
      check().then(() => done(), done);
    },
  });

  // Its errors are those of `checked`.
  pipeline(body, checked, () => {});
  return checked;
}
