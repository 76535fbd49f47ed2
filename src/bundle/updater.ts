/**
 * Brings bundles in and puts them in the place of the one that is served, if they are good. Whatever is wrong with a new one,
 * the last good one goes on, and `problem` says what to do.
 */
import { copyFile, rm } from "node:fs/promises";
import path from "node:path";
import { parseUrl } from "../base/url.ts";
import { DownloadRefused, download, TooLarge } from "../io/download.ts";
import { BadBundle } from "./bundle-manifest.ts";
import type { BundleSite } from "./bundle-site.ts";
import { type Bundle, type BundleStore, isWanted } from "./bundle-store.ts";
import { packBundle, packedSizes } from "./pack-bundle.ts";

/** A bundle as it is downloaded: larger than any documentation site, too small to fill a volume by accident. */
const bundle_bytes = 10_000_000_000;
/** Nothing came of a bundle for so long: the connection is given up, and taken up again where it broke off. */
const bundleStall_ms = 30_000;
/** Tries to fetch a bundle, and the pause after the first; each is twice the one before. */
const bundleTries_count = 5;
const bundlePause_ms = 1_000;
/** Then it is tried again after this time, for as long as the network is to blame: nobody has to notice that it is back. */
const bundleAgain_ms = 30_000;

export interface UpdaterOptions {
  store: BundleStore;
  site: BundleSite;
  /** An address, or a file of this machine. */
  source: string;
  /** The same of what leads on from the bundle that the volume holds: it is tried first. */
  deltaSource: string | undefined;
  /** The only version that is wanted. */
  version: string | undefined;
  /** The only archive that is wanted, in hex. */
  sha256: string | undefined;
  /** Where what is fetched lies until it is checked. */
  workFolder: string;
  report: { info(message: string): void; error(message: string): void };
}

export class Updater {
  private readonly options: UpdaterOptions;
  private readonly ending = new AbortController();
  private running: Promise<void> = Promise.resolve();
  /** Why what is served is not what was asked for, and what to do; undefined when it is. */
  problem: string | undefined = "The bundle is being fetched";
  private waiting: NodeJS.Timeout | undefined;
  private packing = { ending: new AbortController(), done: Promise.resolve() };

  constructor(options: UpdaterOptions) {
    this.options = options;
  }

  /** Whether what is served is what should be: nothing else may pass for it where a version is wanted. */
  get isReady(): boolean {
    const { site, version } = this.options;
    return site.bundle !== undefined && (version === undefined || site.bundle.manifest.version === version);
  }

  /** Shows what the volume holds. */
  async resume(): Promise<void> {
    const { store, version, sha256, report } = this.options;
    const bundle = await store.lastGood({ version, sha256 }, (problem) => report.error(problem));
    if (bundle) await this.show(bundle);
  }

  /** Shows the one before, and leaves it at that. */
  async rollBack(): Promise<void> {
    await this.show(await this.options.store.rollBack());
    this.problem = undefined;
  }

  /** One after the other. Never rejects: `problem` tells. `isAsked`: by somebody who waits for a word about it. */
  update(isAsked = true): Promise<void> {
    this.running = this.running.then(() => this.bringIn(isAsked));
    return this.running;
  }

  async stop(): Promise<void> {
    this.ending.abort();
    clearTimeout(this.waiting);
    await this.running;
    // It writes into the volume, whose lock is released next.
    await this.packing.done;
  }

  private async bringIn(isAsked: boolean): Promise<void> {
    const { store, site, source, report } = this.options;
    if (this.ending.signal.aborted) return;
    clearTimeout(this.waiting);
    try {
      const bundle = this.atHand() ?? (await this.byDelta(isAsked)) ?? (await this.whole());
      const isNew = bundle.id !== site.bundle?.id;
      if (isNew) await this.show(bundle);
      await store.makeCurrent(bundle);
      this.problem = undefined;
      report.info(isNew ? `version ${bundle.manifest.version} is served` : `version ${bundle.manifest.version} is served already`);
    } catch (error) {
      if (this.ending.signal.aborted) return;
      const what = reasonOf(error, source);
      const problem = site.bundle ? `${what} Version ${site.bundle.manifest.version}, which was fetched before, is served on.` : what;
      // Tried for hours, it is said once.
      if (problem !== this.problem || isAsked) report.error(problem);
      this.problem = problem;
      if (mayPass(error)) this.waiting = setTimeout(() => void this.update(false), bundleAgain_ms).unref();
    }
  }

  /** What is served, where nothing else can be behind the link: it is not asked for. */
  private atHand(): Bundle | undefined {
    const { site, version, sha256 } = this.options;
    return sha256 !== undefined && site.bundle && isWanted(site.bundle, { version, sha256 }) ? site.bundle : undefined;
  }

  private whole(): Promise<Bundle> {
    const { store, source, version, sha256 } = this.options;
    return this.fetched(source, (archive) => store.takeIn(archive, { version, sha256 }));
  }

  /** Undefined when there is none that fits. Where one archive is wanted and no other, nothing else can be it. */
  private async byDelta(isAsked: boolean): Promise<Bundle | undefined> {
    const { store, deltaSource, version, sha256, report } = this.options;
    if (deltaSource === undefined || sha256 !== undefined) return undefined;
    try {
      return await this.fetched(deltaSource, (archive) => store.takeInDelta(archive, { version }));
    } catch (error) {
      this.ending.signal.throwIfAborted();
      if (isAsked) report.info(`the delta is not taken, the whole bundle is fetched: ${messageOf(error)}`);
      return undefined;
    }
  }

  private async fetched(source: string, take: (archive: string) => Promise<Bundle>): Promise<Bundle> {
    const archive = path.join(this.options.workFolder, "incoming.tar.gz");
    try {
      await this.fetch(source, archive);
      return await take(archive);
    } finally {
      await rm(archive, { force: true });
    }
  }

  private async fetch(source: string, archive: string): Promise<void> {
    const url = /^https?:/i.test(source) ? parseUrl(source) : undefined;
    if (!url) return copyFile(source.replace(/^file:\/\//, ""), archive);
    await download(url, archive, {
      most_bytes: bundle_bytes,
      stall_ms: bundleStall_ms,
      tries_count: bundleTries_count,
      pause_ms: bundlePause_ms,
      signal: this.ending.signal,
    });
  }

  private async show(bundle: Bundle): Promise<void> {
    const { site } = this.options;
    // It writes into a folder that may be removed next.
    this.packing.ending.abort();
    await this.packing.done;
    const before = site.bundle;
    const packed = await packedSizes(bundle);
    await site.show(bundle, packed, before);
    if (packed.size > 0) return;
    // Readers do not wait for it.
    const ending = new AbortController();
    this.packing = { ending, done: this.pack(bundle, before, AbortSignal.any([this.ending.signal, ending.signal])) };
  }

  /** Never rejects. */
  private async pack(bundle: Bundle, before: Bundle | undefined, signal: AbortSignal): Promise<void> {
    const { site, report } = this.options;
    try {
      const sizes = await packBundle(bundle, signal);
      if (!signal.aborted) await site.show(bundle, sizes, before);
    } catch (error) {
      if (!signal.aborted) report.error(`The files cannot be compressed: ${(error as Error).message}`);
    }
  }
}

/** A network that is down comes back. A link that has ended, a bundle that is not good and a full volume wait for a person. */
function mayPass(error: unknown): boolean {
  if (error instanceof DownloadRefused) return !error.isFinal;
  return !(error instanceof BadBundle || error instanceof TooLarge || isOfVolume(error));
}

function isOfVolume(error: unknown): boolean {
  return ["ENOSPC", "EDQUOT", "EROFS", "EFBIG", "EIO"].includes(String((error as NodeJS.ErrnoException).code));
}

/** A sentence or two, without what is secret in the address. */
function reasonOf(error: unknown, source: string): string {
  const where = parseUrl(source)?.host || path.basename(source);
  if (error instanceof BadBundle) return `The bundle from ${where} is refused: ${error.message}. Export it anew, or roll back.`;
  if (error instanceof DownloadRefused && [400, 401, 403, 404, 410].includes(error.status))
    return `The bundle cannot be fetched from ${where}: it answered ${error.status}. Links expire: ask for a new one (POST /v1/static-export/jobs/{jobId}/bundle) and upgrade with it.`;
  const message = messageOf(error);
  if (isOfVolume(error)) return `The bundle cannot be kept on the volume: ${message}. It needs room for three bundles, unpacked.`;
  const then = mayPass(error) ? `the server tries again every ${bundleAgain_ms / 1_000} seconds` : "the server does not try again";
  return `The bundle cannot be fetched from ${where}: ${message}. Check the address and the network; ${then}.`;
}

/** Where a name has several addresses, each has an error, and all together have no message. */
function messageOf(error: unknown): string {
  return error instanceof AggregateError ? error.errors.map(messageOf).join(", ") : (error as Error).message;
}
