/** The folder or S3 prefix that a copy of a change feed is in. */

import { constants } from "node:fs";
import { lstat, mkdir, open, readdir, rename, rm } from "node:fs/promises";
import path from "node:path";
import { megabytes } from "../../base/megabytes.ts";
import { parseUrl } from "../../base/url.ts";
import type { Objects } from "../../io/objects.ts";
import { openS3 } from "../../io/open-objects.ts";
import { UsageError } from "../command.ts";

/** Maximum size of a file in a local folder. The files of `copyFeed` are much smaller. */
const file_bytes = 500_000_000;
/** Doesn't follow a link, and doesn't wait for the writer of a pipe. */
const read_flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Thrown for a file that isn't read. The message comes after the name, such as "isn't a regular file". */
export class UnreadableFile extends Error {}

export interface FeedFolder {
  /** Names of all files. */
  names(): Promise<string[]>;
  /**
   * Reads a file. Undefined if it doesn't exist. A local file must be a regular one, and not larger than
   * `file_bytes`. Otherwise, rejects with an `UnreadableFile`.
   */
  read(name: string): Promise<Uint8Array | undefined>;
  /** Writes a file completely or not at all. Replaces a file with the same name. */
  write(name: string, bytes: Uint8Array): Promise<void>;
}

/**
 * Opens a folder, or `s3://bucket/prefix?endpoint=…&region=…` with the usual AWS environment variables.
 * Rejects with a `UsageError` if the URL is invalid.
 */
export async function openFeedFolder(location: string): Promise<FeedFolder> {
  if (!/^\w+:\/\//.test(location)) return new LocalFolder(path.resolve(location));
  const url = parseUrl(location);
  if (url?.protocol !== "s3:" || !url.hostname)
    throw new UsageError(`${location} isn't a folder or a URL like s3://bucket/prefix`);
  const prefix = url.pathname.replace(/^\/+|\/+$/g, "");
  if (prefix && !/^[a-z0-9_][a-z0-9._-]*(?:\/[a-z0-9_][a-z0-9._-]*)*$/.test(prefix))
    throw new UsageError(
      `The prefix ${prefix} may only contain lowercase letters, digits, periods, hyphens, underscores, and slashes`,
    );
  return new S3Folder(await openS3(url), prefix && `${prefix}/`);
}

class LocalFolder implements FeedFolder {
  private readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  async names(): Promise<string[]> {
    return readdir(this.folder).catch(ifExists([]));
  }

  async read(name: string): Promise<Uint8Array | undefined> {
    const file = path.join(this.folder, name);
    // Opening a device can already have an effect.
    const isRegular = await lstat(file).then((found) => found.isFile(), ifExists(undefined));
    if (isRegular === undefined) return undefined;
    if (!isRegular) throw new UnreadableFile("isn't a regular file");
    const opened = await open(file, read_flags);
    try {
      const found = await opened.stat();
      if (!found.isFile()) throw new UnreadableFile("isn't a regular file");
      if (found.size > file_bytes) throw new UnreadableFile(`is larger than ${megabytes(file_bytes)}`);
      return await opened.readFile();
    } finally {
      await opened.close();
    }
  }

  async write(name: string, bytes: Uint8Array): Promise<void> {
    await mkdir(this.folder, { recursive: true });
    const file = path.join(this.folder, name);
    await rm(`${file}.part`, { force: true });
    // Doesn't follow a link.
    const part = await open(`${file}.part`, "wx");
    try {
      await part.writeFile(bytes);
      await part.sync();
    } finally {
      await part.close();
    }
    await rename(`${file}.part`, file);
  }
}

class S3Folder implements FeedFolder {
  private readonly objects: Objects;
  private readonly prefix: string;

  constructor(objects: Objects, prefix: string) {
    this.objects = objects;
    this.prefix = prefix;
  }

  async names(): Promise<string[]> {
    const names: string[] = [];
    for await (const key of this.objects.keys(this.prefix)) names.push(key.slice(this.prefix.length));
    return names;
  }

  read(name: string): Promise<Uint8Array | undefined> {
    return this.objects.get(this.prefix + name);
  }

  write(name: string, bytes: Uint8Array): Promise<void> {
    return this.objects.put(this.prefix + name, bytes);
  }
}

/** Returns a value for a file or folder that doesn't exist, and rethrows other errors. */
function ifExists<T>(otherwise: T) {
  return (error: NodeJS.ErrnoException): T => {
    if (error.code === "ENOENT") return otherwise;
    throw error;
  };
}
