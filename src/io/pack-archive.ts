/** Packs files as a tar.gz. The same files always produce the same tar. */

import { PassThrough, pipeline, type Readable } from "node:stream";
import { createGzip } from "node:zlib";
import { pack as tarPack } from "tar-stream";
import type { Files } from "../base/files.ts";

/** Returns the archive as a stream. Files are read one at a time, while the stream is consumed. */
export function packArchive(files: Files): Readable {
  const pack = tarPack();
  const out = new PassThrough();
  pipeline(pack, createGzip(), out, () => {});

  (async () => {
    for (const name of files.paths) {
      const bytes = files.read(name);
      if (!bytes) continue;
      await new Promise<void>((resolve, reject) => {
        pack.entry(
          { name, size: bytes.length, mode: 0o644, mtime: new Date(0) },
          Buffer.from(bytes),
          (error) => (error ? reject(error) : resolve()),
        );
      });
    }
    pack.finalize();
  })().catch((error: Error) => pack.destroy(error));

  return out;
}
