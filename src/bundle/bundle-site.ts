/**
 * Provides the site that a bundle server serves for all host names. Switches to a new bundle between two
 * requests.
 */

import { createReadStream } from "node:fs";
import path from "node:path";
import type { Readable } from "node:stream";
import type { SiteFeatures } from "../engine/site/features.ts";
import type { HostedSite, PendingState, SiteDirectory } from "../host/hosted-site.ts";
import { isSharedAsset } from "../host/manifest-files.ts";
import type { ContentEncoding, ManifestEntry } from "../layout/site-manifest.ts";
import { manifestPath } from "./bundle-manifest.ts";
import type { Bundle } from "./bundle-store.ts";

/** Sizes of the compressed files in bytes, by path. */
export type CompressedSizes = ReadonlyMap<string, number>;

interface Stored {
  folder: string;
  path: string;
}

export class BundleSite implements SiteDirectory {
  private readonly featuresOf: (bundle: Bundle) => Promise<SiteFeatures>;
  /**
   * Stored files by hash: files of the served bundle and shared assets of the previous one. For a minute
   * after a switch, all files of previous bundles are included.
   */
  private stored = new Map<string, Stored>();
  private site: HostedSite | undefined;
  private served: Bundle | undefined;

  /** `featuresOf` resolves with a bundle's features, based on the operator's settings. */
  constructor(featuresOf: (bundle: Bundle) => Promise<SiteFeatures>) {
    this.featuresOf = featuresOf;
  }

  /** The served bundle. Undefined until `show` has been called. */
  get bundle(): Bundle | undefined {
    return this.served;
  }

  /**
   * Serves a bundle. `packed`: sizes of its compressed files. `before`: the previously served bundle, whose
   * assets stay available.
   */
  async show(bundle: Bundle, packed: CompressedSizes, before: Bundle | undefined): Promise<void> {
    const files: Record<string, ManifestEntry> = {};
    const stored = new Map<string, Stored>();

    // Pages that were loaded before the switch may still request these assets.
    for (const file of before?.manifest.files ?? [])
      if (isSharedAsset(file.path)) {
        files[file.path] = entryOf(file.sha256, file.bytes, undefined);
        stored.set(file.sha256, { folder: before!.folder, path: file.path });
      }

    for (const file of bundle.manifest.files) {
      files[file.path] = entryOf(file.sha256, file.bytes, packed.get(file.path));
      stored.set(file.sha256, { folder: bundle.folder, path: file.path });
    }

    const features = await this.featuresOf(bundle);
    delete files[manifestPath];
    this.stored = new Map([...this.stored, ...stored]);
    this.served = bundle;
    const isPacked = packed.size > 0 ? " packed" : "";
    this.site = {
      projectId: "bundle",
      deploymentId: bundle.id + isPacked,
      manifest: { formatVersion: 1, hasSignIn: false, files },
      isPreview: false,
      features,
    };

    // Files of older bundles stay available for a minute, because requests for them may be pending.
    setTimeout(() => {
      if (this.served === bundle) this.stored = stored;
    }, 60_000).unref();
  }

  byHost(): Promise<HostedSite | undefined> {
    return Promise.resolve(this.site);
  }

  versionOf(): unknown {
    return this.site;
  }

  pendingAt(): Promise<PendingState | undefined> {
    return Promise.resolve(this.site ? undefined : "no-bundle");
  }

  async open(
    { hash }: ManifestEntry,
    encoding: ContentEncoding | undefined,
    range?: { start: number; end: number },
  ): Promise<Readable> {
    const { folder, path: name } = this.stored.get(hash)!;
    return createReadStream(
      encoding ? path.join(folder, "packed", `${name}.gz`) : path.join(folder, "site", name),
      range,
    );
  }
}

function entryOf(hash: string, bytes: number, packed_bytes: number | undefined): ManifestEntry {
  return {
    hash,
    bytes,
    encodings: packed_bytes === undefined ? {} : { gzip: packed_bytes },
    access: "anyone",
  };
}
