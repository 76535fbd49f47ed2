/**
 * Stores the files of a built site. Files with the same content are stored once, together with their
 * compressed forms.
 */

import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { sql } from "kysely";
import pLimit, { type LimitFunction } from "p-limit";
import type { Access } from "../../base/access.ts";
import { sha256InSteps } from "../../io/sha256.ts";
import { type ContentEncoding, fileKey, type ManifestEntry } from "../../layout/site-manifest.ts";
import type { Service } from "../core/service.ts";
import { type StoredForms as Forms, hasSizes, isIntact, verifyLimits } from "./verify-files.ts";

/** Minimum size of a file that is compressed, in bytes. */
const packedFrom_bytes = 1_024;
/** Maximum size in bytes of a file that is compressed with the higher Brotli quality, which is slower. */
const packedWell_bytes = 1024 * 1024;
/** Maximum number of files that are stored concurrently. */
const storedAtOnce_count = 8;
/**
 * Maximum number of files that are compressed concurrently: half of Node's default thread pool, so that the
 * other threads can serve readers.
 */
const packedAtOnce_count = 2;

export interface SiteFile {
  path: string;
  access: Access;
}

export interface Stored {
  files: Record<string, ManifestEntry>;
  /** Number of new files, whose content was not stored before. */
  added: number;
  /** Total size of the new files and of their compressed forms. */
  added_bytes: number;
}

/** Maximum number of files that are read and looked up together. */
const batch_count = 200;
/** Maximum total size in bytes of files that are read and looked up together. A larger file is read alone. */
const batch_bytes = 32 * 1024 * 1024;

/**
 * Stores the files in `folder`, and marks files that are already stored as used. Verifies the sizes of these,
 * and the content of some, and stores missing and damaged ones again. Rejects if `signal` is aborted.
 * `onProgress` receives the number of files that have been processed.
 */
export async function storeFiles(
  service: Service,
  folder: string,
  files: readonly SiteFile[],
  options: { signal: AbortSignal; onProgress(done: number): void },
): Promise<Stored> {
  const stored: Stored = { files: {}, added: 0, added_bytes: 0 };
  const handling = pLimit(storedAtOnce_count);
  const packing = pLimit(packedAtOnce_count);
  let done = 0;
  const left = { ...verifyLimits };
  for await (const batch of batchesOf(folder, files)) {
    options.signal.throwIfAborted();
    const hashes = new Map<string, string>();
    const contents = new Map<string, Content>();
    await handling.map(batch, async (file) => {
      // An author can have many empty files.
      const bytes = file.bytes === 0 ? Buffer.alloc(0) : await readFile(path.join(folder, file.path));
      const hash = await sha256InSteps(bytes);
      hashes.set(file.path, hash);
      contents.set(hash, { name: file.path, bytes });
    });
    const known = await touch(service, [...contents.keys()]);
    await handling.map([...known], async ([hash, forms]) => {
      left.count--;
      left.bytes -= forms.bytes;
      const isRight = left.count >= 0 && left.bytes >= 0 ? isIntact : hasSizes;
      if (!(await isRight(service, hash, forms))) known.delete(hash);
    });
    const missing = [...contents].filter(([hash]) => !known.has(hash));
    await handling.map(missing, async ([hash, content]) => {
      options.signal.throwIfAborted();
      const forms = await store(service, hash, content, packing);
      known.set(hash, forms);
      stored.added_bytes += Object.values(forms.encodings).reduce((sum, packed) => sum + packed, forms.bytes);
    });
    stored.added += missing.length;
    for (const file of batch) {
      const hash = hashes.get(file.path)!;
      stored.files[file.path] = { hash, ...known.get(hash)!, access: file.access };
    }
    done += batch.length;
    options.onProgress(done);
  }

  return stored;
}

async function* batchesOf(
  folder: string,
  files: readonly SiteFile[],
): AsyncGenerator<(SiteFile & { bytes: number })[]> {
  let batch: (SiteFile & { bytes: number })[] = [];
  let bytes = 0;
  for (const file of files) {
    const { size } = await stat(path.join(folder, file.path));
    if (batch.length === batch_count || (batch.length > 0 && bytes + size > batch_bytes)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push({ ...file, bytes: size });
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}

interface Content {
  /** Path of a file with this content. The extension determines whether the content is compressed. */
  name: string;
  bytes: Buffer;
}

/**
 * Marks the stored files with these hashes as used, and returns their sizes. If a sweep is deleting one of
 * them, waits for the sweep.
 */
async function touch({ db }: Service, hashes: readonly string[]): Promise<Map<string, Forms>> {
  const rows = await db
    .updateTable("stored_files")
    .set({ used_at: sql`clock_timestamp()` })
    .where("hash", "in", (query) =>
      query
        .selectFrom("stored_files")
        .select("hash")
        .where("hash", "=", sql<string>`any(${hashes})`)
        .orderBy("hash")
        .forUpdate(),
    )
    .returning(["hash", "bytes", "encodings"])
    .execute();

  return new Map(rows.map(({ hash, bytes, encodings }) => [hash, { bytes, encodings }]));
}

/**
 * Stores a file and its compressed forms. The row is written last, so that the file exists if its row exists.
 */
async function store(
  service: Service,
  hash: string,
  { name, bytes }: Content,
  packing: LimitFunction,
): Promise<Forms> {
  const packed =
    isText(name) && bytes.length >= packedFrom_bytes ? await packing(() => packedForms(bytes)) : {};
  await service.objects.put(fileKey(hash), bytes);
  const encodings: Forms["encodings"] = {};
  for (const [encoding, form] of Object.entries(packed) as [ContentEncoding, Uint8Array][]) {
    await service.objects.put(fileKey(hash, encoding), form);
    encodings[encoding] = form.length;
  }

  const row = { hash, bytes: bytes.length, encodings: JSON.stringify(encodings) };
  await service.db
    .insertInto("stored_files")
    .values(row)
    .onConflict((conflict) =>
      conflict.column("hash").doUpdateSet({ encodings: row.encodings, used_at: sql`clock_timestamp()` }),
    )
    .execute();

  return { bytes: bytes.length, encodings };
}

function isText(file: string): boolean {
  return /\.(?:html?|css|m?js|json|map|svg|txt|md|mdx|xml|ya?ml|csv|wasm|webmanifest|ttf|otf|ico)$/i.test(
    file,
  );
}

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

/** Returns the compressed forms. A form that isn't more than 5% smaller is omitted. */
async function packedForms(bytes: Buffer): Promise<Partial<Record<ContentEncoding, Uint8Array>>> {
  const quality = bytes.length > packedWell_bytes ? 5 : 9;
  const br = await brotli(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      // A window of the file's size: the default of 4 MiB takes more than ten times as long for a small file,
      // and saves nothing.
      [constants.BROTLI_PARAM_LGWIN]: Math.min(22, Math.max(16, Math.ceil(Math.log2(bytes.length + 16)))),
    },
  });

  const gz = await gzipped(bytes, { level: 7 });
  const most = bytes.length * 0.95;
  return { ...(br.length < most ? { br } : {}), ...(gz.length < most ? { gzip: gz } : {}) };
}
