/**
 * The bundles on a server's volume: the current and the previous one. A new bundle is unpacked and checked in
 * its own folder, and becomes the current bundle when `current.json` is replaced.
 *
 *     current.json                          { current, previous }
 *     bundles/<hash of archive or delta>/   site/  files     packed/  compressed files     packed.json  sizes of compressed files
 */

import { existsSync, readFileSync } from "node:fs";
import { mkdir, open, readdir, readFile, rename } from "node:fs/promises";
import path from "node:path";
import { limits } from "../base/limits.ts";
import { BadArchive } from "../io/archive-limits.ts";
import { privateFolder } from "../io/private-folder.ts";
import { removeFolder } from "../io/remove-folder.ts";
import { sha256OfFile } from "../io/sha256.ts";
import { type UnpackedFile, unpackArchive } from "../io/unpack-archive.ts";
import { applyDelta } from "./apply-delta.ts";
import { BadBundle, type BundleManifest, manifestPath, signaturePath } from "./bundle-manifest.ts";
import { checkBundle, checkFiles } from "./check-bundle.ts";
import { requireSignature } from "./signature.ts";

export interface Bundle {
  /** SHA-256 of the archive or delta that the bundle was created from, in hex. */
  id: string;
  /** Folder with `site/` and `packed/`. */
  folder: string;
  manifest: BundleManifest;
}

/** The version and the archive that the operator has pinned. Undefined fields match all bundles. */
export interface PinnedBundle {
  version: string | undefined;
  /** SHA-256 of the archive, in hex. */
  sha256: string | undefined;
}

/**
 * Whether a bundle is the pinned one. A bundle that was created from a delta never matches the hash of an
 * archive.
 */
export function matchesPin({ id, manifest }: Bundle, { version, sha256 }: PinnedBundle): boolean {
  return (version === undefined || manifest.version === version) && (sha256 === undefined || id === sha256);
}

interface Pointer {
  current: string;
  previous?: string;
}

export class BundleStore {
  private readonly folder: string;
  private readonly publicKey: string | undefined;

  /** `publicKey`: Ed25519 key in PEM format that bundles must be signed with, if set. */
  constructor(folder: string, publicKey?: string) {
    this.folder = folder;
    this.publicKey = publicKey;
    privateFolder(this.bundles);
  }

  /**
   * Checks the current and then the previous bundle. Resolves with the first intact one that matches the pin,
   * or else with the first intact one. Undefined if there is none.
   */
  async lastGood(pinned: PinnedBundle, report: (problem: string) => void): Promise<Bundle | undefined> {
    const pointer = this.pointer();
    const good: Bundle[] = [];
    for (const id of [pointer?.current, pointer?.previous]) {
      if (id === undefined) continue;
      try {
        const bundle = await this.read(id);
        if (matchesPin(bundle, pinned)) return bundle;
        good.push(bundle);
      } catch (error) {
        report(`The stored bundle can't be served: ${(error as Error).message}`);
      }
    }
    return good[0];
  }

  /** Unpacks and checks an archive. Throws `BadBundle` if it is damaged or doesn't match the pin. */
  async addArchive(archive: string, { version, sha256 }: PinnedBundle): Promise<Bundle> {
    const id = await sha256OfFile(archive);
    if (sha256 !== undefined && id !== sha256)
      throw new BadBundle(`The SHA-256 is ${id}, expected ${sha256}`);
    return requireVersion(version, await this.readOrCreate(id, (folder) => unpack(archive, folder)));
  }

  /**
   * Applies a delta to the current bundle. Throws `BadBundle` if this fails or the result doesn't have the
   * pinned version.
   */
  async addDelta(delta: string, { version }: { version: string | undefined }): Promise<Bundle> {
    const current = this.pointer()?.current;
    if (current === undefined) throw new BadBundle("There is no stored bundle to apply the delta to");
    const before = path.join(this.bundles, current, "site");
    return requireVersion(
      version,
      await this.readOrCreate(await sha256OfFile(delta), (folder) => unpackDelta(delta, before, folder)),
    );
  }

  /**
   * Returns the bundle with this ID from the volume. Creates the bundle with `create` if it is missing or
   * damaged.
   */
  private async readOrCreate(
    id: string,
    create: (folder: string) => Promise<BundleManifest>,
  ): Promise<Bundle> {
    const folder = path.join(this.bundles, id);
    if (existsSync(folder)) {
      const bundle = await this.read(id).catch(() => undefined);
      if (bundle) return bundle;
    }

    const incoming = path.join(this.bundles, "incoming");
    await removeFolder(incoming);
    await mkdir(incoming);

    try {
      const manifest = await create(incoming);
      await this.requireSigned(path.join(incoming, "site"));
      await removeFolder(folder);
      await rename(incoming, folder);
      return { id, folder, manifest };
    } catch (error) {
      await removeFolder(incoming);
      throw error instanceof BadArchive ? new BadBundle(error.message) : error;
    }
  }

  private async read(id: string): Promise<Bundle> {
    const folder = path.join(this.bundles, id);
    const manifest = await checkBundle(path.join(folder, "site"));
    await this.requireSigned(path.join(folder, "site"));
    return { id, folder, manifest };
  }

  private async requireSigned(site: string): Promise<void> {
    if (this.publicKey === undefined) return;
    const signature = await readFile(path.join(site, signaturePath)).catch(() => undefined);
    requireSignature(await readFile(path.join(site, manifestPath)), signature, this.publicKey);
  }

  /** Makes a bundle the current one. Removes all bundles except the current and the previous one. */
  async setCurrent({ id }: Bundle): Promise<void> {
    const before = this.pointer();
    if (before?.current !== id)
      await this.writePointer({ current: id, ...(before ? { previous: before.current } : {}) });
    await this.removeOthers();
  }

  /** Keeps a bundle that isn't the current one yet. Removes others that aren't in use. */
  keepWaiting({ id }: Bundle): Promise<void> {
    return this.removeOthers(id);
  }

  /** Swaps the current and the previous bundle. Throws `BadBundle` if there is no intact previous bundle. */
  async rollBack(): Promise<Bundle> {
    const { current, previous } = this.pointer() ?? {};
    if (current === undefined || previous === undefined)
      throw new BadBundle("There is no previous bundle on the volume");
    const bundle = await this.read(previous);
    await this.writePointer({ current: previous, previous: current });
    return bundle;
  }

  private get bundles(): string {
    return path.join(this.folder, "bundles");
  }

  private pointer(): Pointer | undefined {
    try {
      return JSON.parse(readFileSync(path.join(this.folder, "current.json"), "utf8")) as Pointer;
    } catch {
      // There is no bundle yet, or the file is damaged. `setCurrent` writes it.
      return undefined;
    }
  }

  /** Replaces `current.json` atomically, so that a power failure can't damage it. */
  private async writePointer(pointer: Pointer): Promise<void> {
    const file = path.join(this.folder, "current.json");
    const handle = await open(`${file}.part`, "w");
    await handle.writeFile(JSON.stringify(pointer));
    await handle.sync();
    await handle.close();
    await rename(`${file}.part`, file);
  }

  private async removeOthers(waiting?: string): Promise<void> {
    const { current, previous } = this.pointer() ?? {};
    for (const name of await readdir(this.bundles))
      if (![current, previous, waiting].includes(name)) await removeFolder(path.join(this.bundles, name));
  }
}

function requireVersion(version: string | undefined, bundle: Bundle): Bundle {
  const found = bundle.manifest.version;
  if (version !== undefined && found !== version)
    throw new BadBundle(`The version is ${JSON.stringify(found)}, expected ${JSON.stringify(version)}`);
  return bundle;
}

async function unpack(archive: string, folder: string): Promise<BundleManifest> {
  await requireExportHeader(archive);
  const site = path.join(folder, "site");
  const found = new Map<string, UnpackedFile>();
  await unpackArchive(archive, site, limits.bundle, { onFile: (file) => found.set(file.path, file) });
  return checkFiles(site, found);
}

async function unpackDelta(delta: string, before: string, folder: string): Promise<BundleManifest> {
  await requireExportHeader(delta);
  await unpackArchive(delta, path.join(folder, "delta"), limits.bundle);
  await applyDelta(before, path.join(folder, "delta"), path.join(folder, "site"));
  return checkBundle(path.join(folder, "site"));
}

/**
 * The gzip header that an export writes, without name, time and comment. Checksums and the manifest don't
 * cover the header of an archive, so the whole header must be equal to this one.
 */
const head = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]);

async function requireExportHeader(archive: string): Promise<void> {
  const handle = await open(archive);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(head.length), 0, head.length, 0);
    if (!buffer.subarray(0, bytesRead).equals(head))
      throw new BadBundle(
        "It isn't an archive from an export, or it was repacked. Use the file exactly as you downloaded it.",
      );
  } finally {
    await handle.close();
  }
}
