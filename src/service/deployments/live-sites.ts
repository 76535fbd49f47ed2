/**
 * Live sites by host name, in memory. Each process polls for changes, so a request doesn't query the database, and processes
 * usually serve a change within a second. While the database is unavailable, the known sites are still served.
 */

import type { Readable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import { limits } from "../../base/limits.ts";
import { type SignIn, type SignInChoice, signInOf } from "../../base/sign-in.ts";
import type { SiteFeatures } from "../../engine/site/features.ts";
import { type ContentEncoding, fileKey, type ManifestEntry, type SiteManifest } from "../../layout/site-manifest.ts";
import { decrypted } from "../core/project-secrets.ts";
import { defaultHost, type Service } from "../core/service.ts";
import { siteFeatures } from "../core/site-features.ts";
import { type DeploymentAttempt, readAssets, readManifest } from "../storage/manifests.ts";
import { withCurrentAccess } from "./current-access.ts";

/** Time between two polls for changes. */
const changesPoll_ms = 300;
/** Overlap of the polled periods, because transactions don't commit in the order of their timestamps. */
const changesOverlap_ms = 10_000;
/** Maximum time that a switch to a new deployment waits for its manifest to be loaded. */
const manifestWait_ms = 500;
/** Maximum total number of files in the cached manifests. */
const heldManifests_count = 2_000_000;

/** A site with its manifest, as it is served. */
export interface LiveSite {
  projectId: string;
  deploymentId: string;
  manifest: SiteManifest;
  signIn?: SignIn;
  isPreview: boolean;
  features: SiteFeatures;
}

interface HostEntry {
  projectId: string;
  built: DeploymentAttempt;
  /** Earlier deployments. Their assets are served too, because readers may still have their pages open. */
  earlier: readonly DeploymentAttempt[];
  signIn: SignIn | undefined;
  isPreview: boolean;
  features: SiteFeatures;
  endsAt_ms: number;
}

interface KnownProject {
  revision: number;
  hosts: readonly string[];
}

interface LiveProjectRow {
  id: string;
  subdomain: string;
  revision: number;
  changed_at: Date;
  sign_in: SignInChoice | null;
  has_assistant: boolean;
  domains: string[];
  live: DeploymentAttempt | null;
  earlier: DeploymentAttempt[];
  previews: (DeploymentAttempt & { host: string; endsAt_ms: number })[];
}

/** After this time without a successful poll, all projects are read, because `deleted_projects` only keeps rows for a day. */
const fullReadAfter_ms = 12 * 60 * 60 * 1_000;

export class LiveSites {
  private readonly service: Pick<Service, "db" | "objects" | "settings" | "secrets">;
  private readonly projects = new Map<string, KnownProject>();
  private readonly hosts = new Map<string, HostEntry>();
  /** Manifests by deployment id, least recently used first. */
  private readonly manifests = new Map<string, Promise<SiteManifest>>();
  private readonly sizes = new Map<string, number>();
  private cachedFiles_count = 0;
  /** Time of the newest change that this process knows, by the database's clock. */
  private changedAt = new Date(0);
  private polledAt_ms = Date.now();
  private timer: NodeJS.Timeout | undefined;
  private reading: Promise<void> = Promise.resolve();

  private constructor(service: Pick<Service, "db" | "objects" | "settings" | "secrets">) {
    this.service = service;
  }

  /** `report` receives the first error of each outage of the database. */
  static async start(
    service: Pick<Service, "db" | "objects" | "settings" | "secrets">,
    report: (error: unknown) => void,
  ): Promise<LiveSites> {
    const sites = new LiveSites(service);
    await sites.catchUp();
    let isUnavailable = false;
    const next = () => {
      sites.timer = setTimeout(async () => {
        try {
          await sites.catchUp();
          isUnavailable = false;
        } catch (error) {
          if (!isUnavailable) report(error);
          isUnavailable = true;
        }
        if (sites.timer) next();
      }, changesPoll_ms);
    };
    next();
    return sites;
  }

  /** Resolves when this process knows all changes that were committed before the call. Rejects if the database is unavailable. Polls don't overlap. */
  catchUp(): Promise<void> {
    const polled = this.reading.then(() => this.readChanges());
    this.reading = polled.catch(() => {});
    return polled;
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  async byHost(host: string): Promise<LiveSite | undefined> {
    const hosted = this.hosts.get(host);
    if (!hosted || Date.now() > hosted.endsAt_ms) return undefined;
    const { projectId, built, signIn, isPreview, features } = hosted;
    const manifest = withCurrentAccess(await this.manifestOf(hosted), signIn !== undefined);
    return { projectId, deploymentId: built.id, manifest, isPreview, features, ...(signIn ? { signIn } : {}) };
  }

  async open(entry: ManifestEntry, encoding: ContentEncoding | undefined, range?: { start: number; end: number }): Promise<Readable> {
    const stream = await this.service.objects.open(fileKey(entry.hash, encoding), range);
    if (!stream) throw new Error(`The stored file ${entry.hash} is missing`);
    return stream;
  }

  private manifestOf(hosted: HostEntry): Promise<SiteManifest> {
    const { id } = hosted.built;
    let manifest = this.manifests.get(id);
    if (manifest) this.manifests.delete(id);
    else {
      manifest = this.load(hosted);
      manifest.then(
        ({ files }) => this.count(id, Object.keys(files).length),
        () => this.manifests.delete(id),
      );
    }
    this.manifests.set(id, manifest);
    return manifest;
  }

  private async load({ built, earlier }: HostEntry): Promise<SiteManifest> {
    const { objects } = this.service;
    const [own, ...before] = await Promise.all([readManifest(objects, built), ...earlier.map((one) => readAssets(objects, one))]);
    const files: SiteManifest["files"] = Object.create(null);
    for (const assets of before.reverse()) Object.assign(files, assets);
    return { ...own, files: Object.assign(files, own.files) };
  }

  /** Adds a manifest's files to the total, and evicts the least recently used manifests above the limit. */
  private count(id: string, files: number): void {
    this.cachedFiles_count += files;
    this.sizes.set(id, files);
    for (const oldest of this.manifests.keys()) {
      if (this.cachedFiles_count <= heldManifests_count || oldest === id) return;
      this.forget(oldest);
    }
  }

  private forget(id: string): void {
    this.manifests.delete(id);
    this.cachedFiles_count -= this.sizes.get(id) ?? 0;
    this.sizes.delete(id);
  }

  /**
   * Reads and applies the changes since the last poll. Transactions don't commit in the order of their timestamps, so the periods
   * overlap, and the revision shows whether a row is new. Both queries use an index, so the cost of a poll depends on the number
   * of changes and not on the number of projects.
   */
  private async readChanges(): Promise<void> {
    const isLate = Date.now() - this.polledAt_ms > fullReadAfter_ms;
    const since = new Date(this.changedAt.getTime() - changesOverlap_ms);
    const [rows, deleted] = await Promise.all([this.changedSince(since), this.deletedSince(since)]);
    await Promise.all(rows.map((row) => (this.projects.get(row.id)?.revision === row.revision ? undefined : this.apply(row))));
    for (const { id } of deleted) this.forgetProject(id);
    for (const time of [...rows.map(({ changed_at }) => changed_at), ...deleted.map(({ deleted_at }) => deleted_at)])
      if (time > this.changedAt) this.changedAt = time;
    if (isLate) await this.forgetMissing();
    this.polledAt_ms = Date.now();
  }

  private deletedSince(since: Date) {
    return this.service.db.selectFrom("deleted_projects").selectAll().where("deleted_at", ">", since).execute();
  }

  private async changedSince(since: Date): Promise<LiveProjectRow[]> {
    const { rows } = await sql<LiveProjectRow>`
      select p.id, p.subdomain, p.revision, p.changed_at, p.sign_in,
        coalesce((p.assistant ->> 'isEnabled')::boolean, true) as has_assistant,
        array(select domain from domains where project_id = p.id and verified_at is not null order by domain) as domains,
        (select jsonb_build_object('id', id, 'attempt', attempt) from deployments where id = p.live_deployment_id) as live,
        array(
          select jsonb_build_object('id', id, 'attempt', attempt) from deployments
          where project_id = p.id and status = 'success' and preview_branch is null and purged_at is null and id <> p.live_deployment_id
          order by number desc limit ${limits.keptDeployments_count}
        ) as earlier,
        array(
          select distinct on (preview_host) jsonb_build_object('id', id, 'attempt', attempt, 'host', preview_host,
            'endsAt_ms', floor(extract(epoch from ended_at) * 1000) + ${limits.preview_ms}::bigint)
          from deployments
          where project_id = p.id and status = 'success' and preview_host is not null and purged_at is null
            and ended_at > now() - ${limits.preview_ms} * interval '1 millisecond'
          order by preview_host, number desc
        ) as previews
      from projects p where p.changed_at > ${since}`.execute(this.service.db);
    return rows;
  }

  /** Switches to the changed row. Loads the new manifest before the switch, so that requests don't wait for it, but only waits for a limited time. */
  private async apply(row: LiveProjectRow): Promise<void> {
    const { settings, secrets } = this.service;
    const features = (isPreview: boolean) => ({
      isPreview,
      features: siteFeatures(settings, { isPreview, assistant: { isEnabled: row.has_assistant } }),
    });
    const own = { projectId: row.id, signIn: signInOf(decrypted(secrets, row.id, { sign_in: row.sign_in }).sign_in) };
    const hosts = new Map<string, HostEntry>();
    if (row.live) {
      const live: HostEntry = { ...own, built: row.live, earlier: row.earlier, ...features(false), endsAt_ms: Number.POSITIVE_INFINITY };
      for (const host of [defaultHost(settings, row.subdomain), ...row.domains]) hosts.set(host, live);
    }
    for (const { host, id, attempt, endsAt_ms } of row.previews)
      hosts.set(host, { ...own, built: { id, attempt }, earlier: [], ...features(true), endsAt_ms });

    const known = this.projects.get(row.id)?.hosts ?? [];
    for (const [host, hosted] of hosts) {
      const before = this.hosts.get(host);
      if (!before || !this.manifests.has(before.built.id)) continue;
      // Load the manifest again, so that files of purged deployments are no longer served.
      if (before.built.id === hosted.built.id && !isSame(before.earlier, hosted.earlier)) this.forget(hosted.built.id);
      await Promise.race([this.manifestOf(hosted).catch(() => {}), wait(manifestWait_ms, undefined, { ref: false })]);
    }
    const inUse = new Set([...hosts.values()].map(({ built }) => built.id));
    for (const host of known) {
      const before = this.hosts.get(host);
      if (before?.projectId !== row.id) continue;
      if (!inUse.has(before.built.id)) this.forget(before.built.id);
      if (!hosts.has(host)) this.hosts.delete(host);
    }
    for (const [host, hosted] of hosts) this.hosts.set(host, hosted);
    this.projects.set(row.id, { revision: row.revision, hosts: [...hosts.keys()] });
  }

  private forgetProject(id: string): void {
    for (const host of this.projects.get(id)?.hosts ?? []) if (this.hosts.get(host)?.projectId === id) this.hosts.delete(host);
    this.projects.delete(id);
  }

  /** Removes projects that don't exist anymore, after an outage that was too long for `deleted_projects`. */
  private async forgetMissing(): Promise<void> {
    const rows = await this.service.db.selectFrom("projects").select("id").execute();
    const existing = new Set(rows.map(({ id }) => id));
    for (const id of this.projects.keys()) if (!existing.has(id)) this.forgetProject(id);
  }
}

export async function sweepDeletedProjects({ db }: Pick<Service, "db">): Promise<void> {
  await db.deleteFrom("deleted_projects").where("deleted_at", "<", sql<Date>`now() - interval '1 day'`).execute();
}

function isSame(a: readonly DeploymentAttempt[], b: readonly DeploymentAttempt[]): boolean {
  return a.length === b.length && a.every(({ id }, index) => id === b[index]!.id);
}
