/** Stores objects in a folder on one machine. Files are written with a temporary name, synced and renamed. */

import { randomBytes } from "node:crypto";
import { copyFile, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Readable } from "node:stream";
import { checkKey } from "./object-key.ts";
import { type LinkSigner, signLink } from "./object-link.ts";
import type { Objects } from "./objects.ts";
import { privateFolder } from "./private-folder.ts";

/** Folder of temporary files. Keys can't start with a dot. */
const partsFolder = ".parts";

/**
 * Minimum age of temporary files that are deleted when the store is opened. Younger files may belong to a
 * running process.
 */
const deadPart_ms = 3_600_000;

export class FolderObjects implements Objects {
  private readonly root: string;
  private readonly signer: LinkSigner;

  private constructor(root: string, signer: LinkSigner) {
    this.root = root;
    this.signer = signer;
  }

  /**
   * Opens the store and creates its folder. Deletes old temporary files. Throws `FolderNotPrivate` if the
   * folder can't be made private.
   */
  static async open(root: string, signer: LinkSigner): Promise<FolderObjects> {
    privateFolder(root, { isNamed: true });
    const parts = path.join(root, partsFolder);
    await mkdir(parts, { recursive: true });
    for (const name of await readdir(parts)) {
      const touched = await stat(path.join(parts, name)).catch(missing);
      if (touched && Date.now() - touched.mtimeMs > deadPart_ms)
        await rm(path.join(parts, name), { force: true });
    }
    return new FolderObjects(root, signer);
  }

  async put(key: string, body: Uint8Array | { file: string }): Promise<void> {
    const target = this.at(key);
    const part = path.join(this.root, partsFolder, randomBytes(12).toString("hex"));
    try {
      if (body instanceof Uint8Array) await writeFile(part, body, { flush: true });
      else {
        await copyFile(body.file, part);
        await flush(part);
      }
      await mkdir(path.dirname(target), { recursive: true });
      await rename(part, target);
      await flush(path.dirname(target));
    } catch (error) {
      await rm(part, { force: true });
      throw error;
    }
  }

  async get(key: string): Promise<Uint8Array | undefined> {
    return readFile(this.at(key)).catch(missing);
  }

  async size(key: string): Promise<number | undefined> {
    return (await stat(this.at(key)).catch(missing))?.size;
  }

  async open(key: string, range?: { start: number; end: number }): Promise<Readable | undefined> {
    const handle = await open(this.at(key)).catch(missing);
    return handle?.createReadStream(range ?? {});
  }

  async delete(key: string): Promise<void> {
    await rm(this.at(key), { force: true });
  }

  async *keys(prefix: string): AsyncIterable<string> {
    const folder = prefix.slice(0, prefix.lastIndexOf("/") + 1);
    for await (const key of this.below(folder)) if (key.startsWith(prefix)) yield key;
  }

  async link(
    key: string,
    { seconds, fileName }: { seconds: number; fileName: string },
  ): Promise<{ url: string; expiresAt: Date }> {
    const expiresAt = new Date((Math.floor(Date.now() / 1_000) + seconds) * 1_000);
    return { url: signLink(this.signer, key, fileName, expiresAt), expiresAt };
  }

  private at(key: string): string {
    return path.join(this.root, checkKey(key));
  }

  private async *below(folder: string): AsyncIterable<string> {
    const entries = await readdir(path.join(this.root, folder), { withFileTypes: true }).catch(missing);
    for (const entry of entries ?? []) {
      if (entry.name === partsFolder) continue;
      if (entry.isDirectory()) yield* this.below(`${folder}${entry.name}/`);
      else yield `${folder}${entry.name}`;
    }
  }
}

/** Syncs a file or a folder to disk. */
async function flush(at: string): Promise<void> {
  const handle = await open(at);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function missing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT" && error.code !== "ENOTDIR") throw error;
}
