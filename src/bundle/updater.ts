/**
 * Fetches and checks bundles, and switches the site to them. After an error, the last good bundle is still
 * served, and `problem` describes the error for the operator.
 */

import { copyFile, rm } from "node:fs/promises";
import path from "node:path";
import { parseUrl } from "../base/url.ts";
import type { AllowedHosts } from "../io/allowed-hosts.ts";
import { DownloadRefused, download, TooLarge } from "../io/download.ts";
import { RequestBlocked } from "../io/outbound.ts";
import { type Approval, type ApprovalRule, isWithin } from "./approval.ts";
import { BadBundle } from "./bundle-manifest.ts";
import type { BundleSite } from "./bundle-site.ts";
import { type Bundle, type BundleStore, matchesPin } from "./bundle-store.ts";
import { compressBundle, compressedSizes } from "./compress-bundle.ts";

/** Maximum size of a download in bytes. */
const bundle_bytes = 10_000_000_000;
/** Timeout for a download that receives no data. The download is then retried. */
const bundleStall_ms = 30_000;
/** Maximum number of attempts per download. */
const bundleTries_count = 5;

/** Interval at which a server looks whether a bundle that waits may go live. */
const approvalCheck_ms = 1_000;

/** Pauses between attempts. */
export interface RetryPauses {
  /** Pause after the first failed attempt of a download. The pause doubles after each further attempt. */
  download_ms: number;
  /** Pause before an update is retried after a transient error. */
  update_ms: number;
}

const bundleRetries: RetryPauses = { download_ms: 1_000, update_ms: 30_000 };

export interface UpdaterOptions {
  store: BundleStore;
  site: BundleSite;
  /** URL or path of the bundle. */
  source: string;
  /**
   * URL or path of the delta from the current bundle. The delta is tried first. Ignored if `sha256` is set.
   */
  deltaSource: string | undefined;
  /** The pinned version. */
  version: string | undefined;
  /** SHA-256 of the pinned archive, in hex. */
  sha256: string | undefined;
  /** Hosts in private networks that redirects of the bundle's URL may lead to. */
  allowed: AllowedHosts;
  /** When a bundle may replace another one. Undefined: at once. */
  approvalRule: ApprovalRule | undefined;
  approval: Approval;
  /** Folder for downloads. */
  workFolder: string;
  report: { info(message: string): void; error(message: string): void };
  retries?: RetryPauses;
}

export class Updater {
  private readonly options: UpdaterOptions & { retries: RetryPauses };
  private readonly ending = new AbortController();
  private running: Promise<void> = Promise.resolve();
  /**
   * Message for the operator. Set until the first update or rollback has succeeded, and after each failed
   * update.
   */
  problem: string | undefined = "Fetching the bundle";
  private waiting: NodeJS.Timeout | undefined;
  /** A bundle that may not go live yet. */
  private held: Bundle | undefined;
  private watching: NodeJS.Timeout | undefined;
  private packing = { ending: new AbortController(), done: Promise.resolve() };

  constructor(options: UpdaterOptions) {
    this.options = { retries: bundleRetries, ...options };
  }

  /**
   * Whether a bundle is served and, if a version is pinned, has that version or waits with that version for
   * its approval.
   */
  get isReady(): boolean {
    const { site, version } = this.options;
    const versions = [site.bundle?.manifest.version, this.held?.manifest.version];
    return site.bundle !== undefined && (version === undefined || versions.includes(version));
  }

  /** Serves the last good bundle on the volume, if there is one. */
  async resume(): Promise<void> {
    const { store, version, sha256, report } = this.options;
    const bundle = await store.lastGood({ version, sha256 }, (problem) => report.error(problem));
    if (bundle) await this.show(bundle);
  }

  /**
   * Serves the previous bundle, without fetching a new one. Rejects with `BadBundle` if there is no intact
   * previous bundle.
   */
  async rollBack(): Promise<void> {
    await this.show(await this.options.store.rollBack());
    this.problem = undefined;
  }

  /**
   * Fetches the bundle and serves it. Updates run one at a time. Errors are stored in `problem`. `isManual`:
   * not started by the timer, so an error is logged even if it is the same as before.
   */
  update(isManual = true): Promise<void> {
    this.running = this.running.then(() => this.runUpdate(isManual));
    return this.running;
  }

  /** Cancels a download, and waits until an update or compression in progress has ended. */
  async stop(): Promise<void> {
    this.ending.abort();
    clearTimeout(this.waiting);
    clearTimeout(this.watching);
    await this.running;
    // Packing writes to the volume, whose lock is released next.
    await this.packing.done;
  }

  private async runUpdate(isManual: boolean): Promise<void> {
    const { site, source, report, retries } = this.options;
    if (this.ending.signal.aborted) return;
    clearTimeout(this.waiting);

    try {
      const bundle = this.unchangedBundle() ?? (await this.fetchDelta(isManual)) ?? (await this.fetchWhole());
      if (this.mayGoLive(bundle)) await this.goLive(bundle);
      else await this.hold(bundle);
    } catch (error) {
      if (this.ending.signal.aborted) return;
      const what = reasonOf(error, source, retries);
      const problem = site.bundle
        ? `${what} The server keeps serving version ${site.bundle.manifest.version}, the last good version.`
        : what;
      // Repeated automatic attempts log the same problem once.
      if (problem !== this.problem || isManual) report.error(problem);
      this.problem = problem;
      if (isTransient(error))
        this.waiting = setTimeout(() => void this.update(false), retries.update_ms).unref();
    }
  }

  private async goLive(bundle: Bundle): Promise<void> {
    const { store, site, report, approval } = this.options;
    const isNew = bundle.id !== site.bundle?.id;
    if (isNew) await this.show(bundle);
    await store.setCurrent(bundle);
    approval.clear();
    this.held = undefined;
    this.problem = undefined;
    report.info(`${isNew ? "serving" : "already serving"} version ${bundle.manifest.version}`);
  }

  /** The first bundle of a volume always goes live, because there is nothing that it replaces. */
  private mayGoLive(bundle: Bundle): boolean {
    const { site, approvalRule, approval } = this.options;
    if (approvalRule === undefined || !site.bundle || site.bundle.id === bundle.id) return true;
    if (approval.isApproved(bundle)) return true;
    return approvalRule !== "required" && isWithin(approvalRule, new Date());
  }

  private async hold(bundle: Bundle): Promise<void> {
    const { store, site, report, approval, approvalRule } = this.options;
    await store.keepWaiting(bundle);
    approval.request(bundle);
    const { version } = bundle.manifest;
    const until = approvalRule === "required" ? "" : " or the hours for updates";
    const problem = `Version ${version} is waiting for approval${until}. The server keeps serving version ${site.bundle!.manifest.version}. Compare them with octavo bundle plan ${site.bundle!.folder}/site ${bundle.folder}/site, and approve with octavo bundle-server --approve ${version}.`;
    if (problem !== this.problem) report.info(problem);
    this.held = bundle;
    this.problem = problem;
    this.watch(bundle);
  }

  private watch(bundle: Bundle): void {
    clearTimeout(this.watching);
    this.watching = setTimeout(() => {
      this.running = this.running.then(() => this.release(bundle));
    }, approvalCheck_ms).unref();
  }

  /** Serves a bundle that waits as soon as it may go live. */
  private async release(bundle: Bundle): Promise<void> {
    if (this.ending.signal.aborted || this.held !== bundle) return;
    try {
      if (this.mayGoLive(bundle)) await this.goLive(bundle);
      else this.watch(bundle);
    } catch (error) {
      this.held = undefined;
      this.problem = `Version ${bundle.manifest.version} can't be served: ${messageOf(error)}`;
      this.options.report.error(this.problem);
    }
  }

  /**
   * Returns the served bundle if a SHA-256 is pinned, and the bundle has this hash and the pinned version, if
   * any. Undefined otherwise.
   */
  private unchangedBundle(): Bundle | undefined {
    const { site, version, sha256 } = this.options;
    return sha256 !== undefined && site.bundle && matchesPin(site.bundle, { version, sha256 })
      ? site.bundle
      : undefined;
  }

  private fetchWhole(): Promise<Bundle> {
    const { store, source, version, sha256 } = this.options;
    return this.withArchive(source, (archive) => store.addArchive(archive, { version, sha256 }));
  }

  /**
   * Fetches and applies the delta. Undefined if there is no usable delta, or if an archive is pinned by its
   * hash.
   */
  private async fetchDelta(isManual: boolean): Promise<Bundle | undefined> {
    const { store, deltaSource, version, sha256, report } = this.options;
    if (deltaSource === undefined || sha256 !== undefined) return undefined;
    try {
      return await this.withArchive(deltaSource, (archive) => store.addDelta(archive, { version }));
    } catch (error) {
      this.ending.signal.throwIfAborted();
      if (isManual)
        report.info(
          `the delta wasn't applied, so the server downloads the whole bundle: ${messageOf(error)}`,
        );
      return undefined;
    }
  }

  private async withArchive(source: string, take: (archive: string) => Promise<Bundle>): Promise<Bundle> {
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
    if (!url) return copyFile(filePath(source), archive);
    await download(url, archive, {
      most_bytes: bundle_bytes,
      stall_ms: bundleStall_ms,
      tries_count: bundleTries_count,
      pause_ms: this.options.retries.download_ms,
      signal: this.ending.signal,
      allowed: this.options.allowed,
    });
  }

  private async show(bundle: Bundle): Promise<void> {
    const { site } = this.options;

    // Packing writes to a folder that may be removed next.
    this.packing.ending.abort();
    await this.packing.done;
    const before = site.bundle;
    const packed = await compressedSizes(bundle);
    await site.show(bundle, packed, before);
    if (packed.size > 0) return;

    // Compresses the files in the background.
    const ending = new AbortController();
    this.packing = {
      ending,
      done: this.pack(bundle, before, AbortSignal.any([this.ending.signal, ending.signal])),
    };
  }

  /** Compresses a bundle. Never rejects. */
  private async pack(bundle: Bundle, before: Bundle | undefined, signal: AbortSignal): Promise<void> {
    const { site, report } = this.options;
    try {
      const sizes = await compressBundle(bundle, signal);
      if (!signal.aborted) await site.show(bundle, sizes, before);
    } catch (error) {
      if (!signal.aborted) report.error(`The files can't be compressed: ${(error as Error).message}`);
    }
  }
}

/** Returns the path of a source that isn't an HTTP URL. */
function filePath(source: string): string {
  return source.replace(/^file:\/\//, "");
}

/**
 * Whether retrying may help. False for an expired link, an invalid or too large bundle, or a full volume, for
 * example.
 */
function isTransient(error: unknown): boolean {
  if (error instanceof DownloadRefused) return !error.isFinal;
  return !(
    error instanceof BadBundle ||
    error instanceof RequestBlocked ||
    error instanceof TooLarge ||
    isVolumeError(error)
  );
}

function isVolumeError(error: unknown): boolean {
  return ["ENOSPC", "EDQUOT", "EROFS", "EFBIG", "EIO"].includes(
    String((error as NodeJS.ErrnoException).code),
  );
}

/** Returns the error message for the operator, without secrets from the source URL. */
function reasonOf(error: unknown, source: string, { update_ms }: RetryPauses): string {
  const where = parseUrl(source)?.host || path.basename(source);
  if (error instanceof BadBundle)
    return `The bundle from ${where} was rejected: ${error.message.replace(/\.$/, "")}. Create a new export, or roll back.`;
  const code = error instanceof DownloadRefused && error.code !== undefined ? ` (${error.code})` : "";

  // Copied from a page's source.
  if (error instanceof DownloadRefused && /&amp;/i.test(source))
    return `The bundle can't be fetched from ${where}: the response has status ${error.status}${code}. The URL contains "&amp;". Replace each "&amp;" with "&".`;
  if (error instanceof DownloadRefused && error.code === "SignatureDoesNotMatch")
    return `The bundle can't be fetched from ${where}: the response has status ${error.status}${code}. The URL isn't the one that the store signed. Copy it again without changes.`;
  if (error instanceof DownloadRefused && [400, 401, 403, 404, 410].includes(error.status))
    return `The bundle can't be fetched from ${where}: the response has status ${error.status}${code}. Download URLs expire. Get a new one (POST /v1/static-export/jobs/{jobId}/bundle) and upgrade with it.`;

  const message = messageOf(error);
  if (isVolumeError(error))
    return `The bundle can't be stored on the volume: ${message}. The volume needs space for three unpacked bundles.`;
  if (!/^https?:/i.test(source) && (error as NodeJS.ErrnoException).code === "ENOENT")
    return `There is no file at ${filePath(source)}. Correct the path, or copy the bundle there. The server looks for it every ${update_ms / 1_000} seconds.`;

  const then = isTransient(error)
    ? `The server retries every ${update_ms / 1_000} seconds.`
    : "The server won't retry.";
  return `The bundle can't be fetched from ${where}: ${message}. Check the URL and the network. ${then}`;
}

/**
 * Returns an error's message. The `AggregateError` for a host name with several IP addresses has none, so the
 * messages of its errors are joined.
 */
function messageOf(error: unknown): string {
  return error instanceof AggregateError ? error.errors.map(messageOf).join(", ") : (error as Error).message;
}
