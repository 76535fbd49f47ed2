/** Puts the files of a built site where hosts read them: each content once, with its packed forms beside it. */
import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { sql } from "kysely";
import pLimit, { type LimitFunction } from "p-limit";
import type { Access } from "../../base/access.ts";
import { limits } from "../../base/limits.ts";
import { type Encoding, fileKey, type ManifestEntry } from "../../base/site-manifest.ts";
import { sha256 } from "../../io/sha256.ts";
import type { Service } from "../service.ts";

export interface SiteFile {
  path: string;
  access: Access;
}

export interface Stored {
  files: Record<string, ManifestEntry>;
  /** Files whose content was not stored yet. */
  added: number;
  /** Their bytes, with the packed forms. */
  added_bytes: number;
}

/** Files that are looked up together. */
const batch_count = 200;

export async function storeFiles(
  service: Service,
  folder: string,
  files: readonly SiteFile[],
  options: { signal: AbortSignal; onProgress(done: number): void },
): Promise<Stored> {
  const stored: Stored = { files: {}, added: 0, added_bytes: 0 };
  const handling = pLimit(limits.storedAtOnce_count);
  const packing = pLimit(limits.packedAtOnce_count);
  for (let at = 0; at < files.length; at += batch_count) {
    options.signal.throwIfAborted();
    const batch = files.slice(at, at + batch_count);
    const hashes = new Map<string, string>();
    await handling.map(batch, async (file) => {
      hashes.set(file.path, sha256(await readFile(path.join(folder, file.path))));
    });
    const known = await touch(service, [...new Set(hashes.values())]);
    const missing = new Map(batch.filter((file) => !known.has(hashes.get(file.path)!)).map((file) => [hashes.get(file.path)!, file.path]));
    await handling.map(missing, async ([hash, name]) => {
      options.signal.throwIfAborted();
      const forms = await store(service, hash, path.join(folder, name), packing);
      known.set(hash, forms);
      stored.added_bytes += Object.values(forms.encodings).reduce((sum, packed) => sum + packed, forms.bytes);
    });
    stored.added += missing.size;
    for (const file of batch) {
      const hash = hashes.get(file.path)!;
      stored.files[file.path] = { hash, ...known.get(hash)!, access: file.access };
    }
    options.onProgress(Math.min(at + batch_count, files.length));
  }
  return stored;
}

type Forms = Pick<ManifestEntry, "bytes" | "encodings">;

/** Says that these contents are in use, and which of them there are. Waits for a sweeper that is about to remove one. */
async function touch({ db }: Service, hashes: readonly string[]): Promise<Map<string, Forms>> {
  const rows = await db
    .updateTable("stored_files")
    .set({ used_at: sql`clock_timestamp()` })
    .where("hash", "in", (query) =>
      query.selectFrom("stored_files").select("hash").where("hash", "=", sql<string>`any(${hashes})`).orderBy("hash").forUpdate(),
    )
    .returning(["hash", "bytes", "encodings"])
    .execute();
  return new Map(rows.map(({ hash, bytes, encodings }) => [hash, { bytes, encodings }]));
}

/** The row is written last: where there is one, there is a file. */
async function store(service: Service, hash: string, file: string, packing: LimitFunction): Promise<Forms> {
  const { size } = await stat(file);
  const bytes = await readFile(file);
  const packed = isText(file) && size >= limits.packedFrom_bytes ? await packing(() => packedForms(bytes)) : {};
  await service.objects.put(fileKey(hash), bytes);
  const encodings: Forms["encodings"] = {};
  for (const [encoding, form] of Object.entries(packed) as [Encoding, Uint8Array][]) {
    await service.objects.put(fileKey(hash, encoding), form);
    encodings[encoding] = form.length;
  }
  const row = { hash, bytes: bytes.length, encodings: JSON.stringify(encodings) };
  await service.db
    .insertInto("stored_files")
    .values(row)
    .onConflict((conflict) => conflict.column("hash").doUpdateSet({ encodings: row.encodings, used_at: sql`clock_timestamp()` }))
    .execute();
  return { bytes: bytes.length, encodings };
}

function isText(file: string): boolean {
  return /\.(?:html?|css|m?js|json|map|svg|txt|md|mdx|xml|ya?ml|csv|wasm|webmanifest|ttf|otf|ico)$/i.test(file);
}

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

/** Packed once and read many times. Forms that save next to nothing are left out. */
async function packedForms(bytes: Buffer): Promise<Partial<Record<Encoding, Uint8Array>>> {
  const quality = bytes.length > limits.packedWell_bytes ? 5 : 9;
  const br = await brotli(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
  const gz = await gzipped(bytes, { level: 7 });
  const most = bytes.length * 0.95;
  return { ...(br.length < most ? { br } : {}), ...(gz.length < most ? { gzip: gz } : {}) };
}
