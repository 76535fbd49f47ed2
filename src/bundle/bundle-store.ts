/**
 * The bundles of a server's volume: the one that is served, and the one before. A new one is unpacked and checked beside them,
 * and becomes current by the renaming of one small file.
 *
 *     current.json                 { current, previous }
 *     bundles/<hash of archive>/   site/  its files     packed/  the same, compressed
 */
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { mkdir, open, readdir, rename, rm } from "node:fs/promises";
import path from "node:path";
import { limits } from "../base/limits.ts";
import { sha256OfFile } from "../io/sha256.ts";
import { BadArchive, type UnpackedFile, unpackArchive } from "../io/unpack-archive.ts";
import { applyDelta } from "./apply-delta.ts";
import { BadBundle, type BundleManifest } from "./bundle-manifest.ts";
import { checkBundle, checkFound } from "./check-bundle.ts";

export interface Bundle {
  /** Hash of the archive that it came in, whole or as a delta. */
  id: string;
  /** Where `site/` and `packed/` lie. */
  folder: string;
  manifest: BundleManifest;
}

/** What the operator pinned. */
export interface Wanted {
  version: string | undefined;
  /** Of the archive, in hex. */
  sha256: string | undefined;
}

export function isWanted({ id, manifest }: Bundle, { version, sha256 }: Wanted): boolean {
  return (version === undefined || manifest.version === version) && (sha256 === undefined || id === sha256);
}

interface Pointer {
  current: string;
  previous?: string;
}

export class BundleStore {
  private readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
    mkdirSync(this.bundles, { recursive: true });
  }

  /** What was served last, if it is still whole, or the one before it; of both rather the one that is wanted. */
  async lastGood(wanted: Wanted, report: (problem: string) => void): Promise<Bundle | undefined> {
    const pointer = this.pointer();
    const good: Bundle[] = [];
    for (const id of [pointer?.current, pointer?.previous]) {
      if (id === undefined) continue;
      try {
        const bundle = await this.read(id);
        if (isWanted(bundle, wanted)) return bundle;
        good.push(bundle);
      } catch (error) {
        report(`The bundle on the volume is not served: ${(error as Error).message}`);
      }
    }
    return good[0];
  }

  /** Takes an archive in, beside what is served: the one that is wanted, or any. Throws `BadBundle`. */
  async takeIn(archive: string, { version, sha256 }: Wanted): Promise<Bundle> {
    const id = await sha256OfFile(archive);
    if (sha256 !== undefined && id !== sha256) throw new BadBundle(`Its hash is ${id}; ${sha256} is wanted`);
    return requireVersion(version, await this.known(id, (folder) => unpack(archive, folder)));
  }

  /** Takes in what leads on from the current bundle. Throws `BadBundle`. */
  async takeInDelta(delta: string, { version }: { version: string | undefined }): Promise<Bundle> {
    const current = this.pointer()?.current;
    if (current === undefined) throw new BadBundle("There is no bundle here that it could lead on from");
    const before = path.join(this.bundles, current, "site");
    return requireVersion(version, await this.known(await sha256OfFile(delta), (folder) => unpackDelta(delta, before, folder)));
  }

  /** As it lies on the volume. What is not there, or was damaged there, is made anew. */
  private async known(id: string, make: (folder: string) => Promise<BundleManifest>): Promise<Bundle> {
    const folder = path.join(this.bundles, id);
    if (existsSync(folder)) {
      const bundle = await this.read(id).catch(() => undefined);
      if (bundle) return bundle;
    }
    const fresh = path.join(this.bundles, "incoming");
    await rm(fresh, { recursive: true, force: true });
    await mkdir(fresh);
    try {
      const manifest = await make(fresh);
      await rm(folder, { recursive: true, force: true });
      await rename(fresh, folder);
      return { id, folder, manifest };
    } catch (error) {
      await rm(fresh, { recursive: true, force: true });
      throw error instanceof BadArchive ? new BadBundle(error.message) : error;
    }
  }

  private async read(id: string): Promise<Bundle> {
    const folder = path.join(this.bundles, id);
    return { id, folder, manifest: await checkBundle(path.join(folder, "site")) };
  }

  /** From now on this one is served after a restart; all but it and the one before are removed. */
  async makeCurrent({ id }: Bundle): Promise<void> {
    const before = this.pointer();
    if (before?.current !== id) await this.point({ current: id, ...(before ? { previous: before.current } : {}) });
    await this.removeOthers();
  }

  /** The one before becomes the current one, and the other way round. */
  async rollBack(): Promise<Bundle> {
    const { current, previous } = this.pointer() ?? {};
    if (current === undefined || previous === undefined) throw new BadBundle("There is no bundle before this one on the volume");
    const bundle = await this.read(previous);
    await this.point({ current: previous, previous: current });
    return bundle;
  }

  private get bundles(): string {
    return path.join(this.folder, "bundles");
  }

  private pointer(): Pointer | undefined {
    try {
      return JSON.parse(readFileSync(path.join(this.folder, "current.json"), "utf8")) as Pointer;
    } catch {
      // Nothing was ever taken in, or the file is damaged: the next bundle writes it anew.
      return undefined;
    }
  }

  /** Whole or not at all, also when the power fails. */
  private async point(pointer: Pointer): Promise<void> {
    const file = path.join(this.folder, "current.json");
    const handle = await open(`${file}.part`, "w");
    await handle.writeFile(JSON.stringify(pointer));
    await handle.sync();
    await handle.close();
    await rename(`${file}.part`, file);
  }

  private async removeOthers(): Promise<void> {
    const { current, previous } = this.pointer()!;
    for (const name of await readdir(this.bundles))
      if (name !== current && name !== previous) await rm(path.join(this.bundles, name), { recursive: true, force: true });
  }
}

function requireVersion(version: string | undefined, bundle: Bundle): Bundle {
  const found = bundle.manifest.version;
  if (version !== undefined && found !== version)
    throw new BadBundle(`The bundle has the version ${JSON.stringify(found)}; ${JSON.stringify(version)} is wanted`);
  return bundle;
}

async function unpack(archive: string, folder: string): Promise<BundleManifest> {
  await requireOwnHead(archive);
  const site = path.join(folder, "site");
  const found = new Map<string, UnpackedFile>();
  await unpackArchive(archive, site, limits.bundle, { onFile: (file) => found.set(file.path, file) });
  return checkFound(site, found);
}

async function unpackDelta(delta: string, before: string, folder: string): Promise<BundleManifest> {
  await requireOwnHead(delta);
  await unpackArchive(delta, path.join(folder, "delta"), limits.bundle);
  await applyDelta(before, path.join(folder, "delta"), path.join(folder, "site"));
  return checkBundle(path.join(folder, "site"));
}

/**
 * The head of a gzip, as an export writes it: no name, no time, no comment. What follows is covered by checksums and the
 * manifest, and these ten bytes by nothing else: so no byte of an archive can differ from what was exported.
 */
const head = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]);

async function requireOwnHead(archive: string): Promise<void> {
  const handle = await open(archive);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(head.length), 0, head.length, 0);
    if (!buffer.subarray(0, bytesRead).equals(head))
      throw new BadBundle("It is not an archive as an export writes it; hand it on as it was downloaded");
  } finally {
    await handle.close();
  }
}
