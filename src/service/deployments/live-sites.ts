/**
 * Live sites by host name, in memory. Changes are polled, so a request makes no query and all processes agree within a second.
 * While the database is unavailable, the known sites are still served.
 */
import type { Readable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import { limits } from "../../base/limits.ts";
import { type SignIn, type SignInChoice, signInOf } from "../../base/sign-in.ts";
import type { SiteFeatures } from "../../engine/site/features.ts";
import { isImmutableAsset } from "../../layout/site-layout.ts";
import { type ContentEncoding, fileKey, type ManifestEntry, type SiteManifest } from "../../layout/site-manifest.ts";
import { decrypted } from "../core/project-secrets.ts";
import { defaultHost, type Service } from "../core/service.ts";
import { siteFeatures } from "../core/site-features.ts";
import { type Built, readAssets, readManifest } from "../storage/manifests.ts";

/** A site as hosts serve it. */
export interface LiveSite {
  projectId: string;
  deploymentId: string;
  manifest: SiteManifest;
  signIn?: SignIn;
  isPreview: boolean;
  features: SiteFeatures;
}

interface HostedSite {
  projectId: string;
  built: Built;
  /** Earlier deployments: pages of theirs that are still open request their files. */
  earlier: readonly Built[];
  signIn: SignIn | undefined;
  isPreview: boolean;
  features: SiteFeatures;
  endsAt_ms: number;
}

interface Known {
  revision: number;
  hosts: readonly string[];
}

interface ProjectRow {
  id: string;
  subdomain: string;
  revision: number;
  changed_at: Date;
  sign_in: SignInChoice | null;
  has_assistant: boolean;
  domains: string[];
  live: Built | null;
  earlier: Built[];
  previews: (Built & { host: string; endsAt_ms: number })[];
}

export class LiveSites {
  private readonly service: Pick<Service, "db" | "objects" | "settings" | "secrets">;
  private readonly projects = new Map<string, Known>();
  private readonly hostedSites = new Map<string, HostedSite>();
  /** By deployment, in the order of their use. */
  private readonly manifests = new Map<string, Promise<SiteManifest>>();
  private readonly sizes = new Map<string, number>();
  private held_count = 0;
  private changedAt = new Date(0);
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
    let isAway = false;
    const next = () => {
      sites.timer = setTimeout(async () => {
        try {
          await sites.catchUp();
          isAway = false;
        } catch (error) {
          if (!isAway) report(error);
          isAway = true;
        }
        if (sites.timer) next();
      }, limits.changesPoll_ms);
    };
    next();
    return sites;
  }

  /** Resolves when this process knows all changes that were committed before the call. Polls don't overlap. */
  catchUp(): Promise<void> {
    const looked = this.reading.then(() => this.readChanges());
    this.reading = looked.catch(() => {});
    return looked;
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  async byHost(host: string): Promise<LiveSite | undefined> {
    const hosted = this.hostedSites.get(host);
    if (!hosted || Date.now() > hosted.endsAt_ms) return undefined;
    const { projectId, built, signIn, isPreview, features } = hosted;
    const manifest = accessible(await this.manifestOf(hosted), signIn !== undefined);
    return { projectId, deploymentId: built.id, manifest, isPreview, features, ...(signIn ? { signIn } : {}) };
  }

  async open(entry: ManifestEntry, encoding: ContentEncoding | undefined, range?: { start: number; end: number }): Promise<Readable> {
    const stream = await this.service.objects.open(fileKey(entry.hash, encoding), range);
    if (!stream) throw new Error(`The stored file ${entry.hash} is missing`);
    return stream;
  }

  private manifestOf(hosted: HostedSite): Promise<SiteManifest> {
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

  private async load({ built, earlier }: HostedSite): Promise<SiteManifest> {
    const { objects } = this.service;
    const [own, ...before] = await Promise.all([readManifest(objects, built), ...earlier.map((one) => readAssets(objects, one))]);
    const files: SiteManifest["files"] = Object.create(null);
    for (const assets of before.reverse()) Object.assign(files, assets);
    return { ...own, files: Object.assign(files, own.files) };
  }

  /** Evicts the least recently used manifests. */
  private count(id: string, files: number): void {
    this.held_count += files;
    this.sizes.set(id, files);
    for (const oldest of this.manifests.keys()) {
      if (this.held_count <= limits.heldManifests_count || oldest === id) return;
      this.forget(oldest);
    }
  }

  private forget(id: string): void {
    this.manifests.delete(id);
    this.held_count -= this.sizes.get(id) ?? 0;
    this.sizes.delete(id);
  }

  /** Changes that are committed late have earlier times: each poll overlaps the one before, and the revision shows what is new. */
  private async readChanges(): Promise<void> {
    const since = new Date(this.changedAt.getTime() - limits.changesOverlap_ms);
    const { rows: counted } = await sql<{ all: number; changed: number }>`
      select count(*) as all, count(*) filter (where changed_at > ${since}) as changed from projects`.execute(this.service.db);
    const { all = 0, changed = 0 } = counted[0] ?? {};
    const rows = changed ? await this.changedSince(since) : [];
    await Promise.all(rows.map((row) => (this.projects.get(row.id)?.revision === row.revision ? undefined : this.apply(row))));
    for (const { changed_at } of rows) if (changed_at > this.changedAt) this.changedAt = changed_at;
    if (all !== this.projects.size) await this.forgetDeleted();
  }

  private async changedSince(since: Date): Promise<ProjectRow[]> {
    const { rows } = await sql<ProjectRow>`
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

  /** Loads the new manifest before the switch, so that requests don't wait for it, but waits a limited time only. */
  private async apply(row: ProjectRow): Promise<void> {
    const { settings, secrets } = this.service;
    const features = (isPreview: boolean) => ({
      isPreview,
      features: siteFeatures(settings, { isPreview, assistant: { isEnabled: row.has_assistant } }),
    });
    const own = { projectId: row.id, signIn: signInOf(decrypted(secrets, row.id, { sign_in: row.sign_in }).sign_in) };
    const hostedSites = new Map<string, HostedSite>();
    if (row.live) {
      const live: HostedSite = { ...own, built: row.live, earlier: row.earlier, ...features(false), endsAt_ms: Number.POSITIVE_INFINITY };
      for (const host of [defaultHost(settings, row.subdomain), ...row.domains]) hostedSites.set(host, live);
    }
    for (const { host, id, attempt, endsAt_ms } of row.previews)
      hostedSites.set(host, { ...own, built: { id, attempt }, earlier: [], ...features(true), endsAt_ms });

    const known = this.projects.get(row.id)?.hosts ?? [];
    for (const [host, hosted] of hostedSites) {
      const before = this.hostedSites.get(host);
      if (!before || !this.manifests.has(before.built.id)) continue;
      // Files of purged deployments aren't served any more.
      if (before.built.id === hosted.built.id && !isSame(before.earlier, hosted.earlier)) this.forget(hosted.built.id);
      await Promise.race([this.manifestOf(hosted).catch(() => {}), wait(limits.manifestWait_ms, undefined, { ref: false })]);
    }
    const kept = new Set([...hostedSites.values()].map(({ built }) => built.id));
    for (const host of known) {
      const before = this.hostedSites.get(host);
      if (before?.projectId !== row.id) continue;
      if (!kept.has(before.built.id)) this.forget(before.built.id);
      if (!hostedSites.has(host)) this.hostedSites.delete(host);
    }
    for (const [host, hosted] of hostedSites) this.hostedSites.set(host, hosted);
    this.projects.set(row.id, { revision: row.revision, hosts: [...hostedSites.keys()] });
  }

  private async forgetDeleted(): Promise<void> {
    const rows = await this.service.db.selectFrom("projects").select("id").execute();
    const there = new Set(rows.map(({ id }) => id));
    for (const [id, { hosts }] of this.projects) {
      if (there.has(id)) continue;
      for (const host of hosts) if (this.hostedSites.get(host)?.projectId === id) this.hostedSites.delete(host);
      this.projects.delete(id);
    }
  }
}

const accessibles = new WeakMap<SiteManifest, SiteManifest>();

/**
 * Sign-in was switched on or off after the deployment was made. Until the next one, readers who sign in are needed for all of it,
 * or for what no group has to itself.
 */
function accessible(manifest: SiteManifest, hasSignIn: boolean): SiteManifest {
  if (manifest.hasSignIn === hasSignIn) return manifest;
  let other = accessibles.get(manifest);
  if (!other) {
    const [from, to] = hasSignIn ? (["anyone", "readers"] as const) : (["readers", "anyone"] as const);
    const files: SiteManifest["files"] = Object.create(null);
    for (const [path, entry] of Object.entries(manifest.files))
      files[path] = entry.access === from && !isImmutableAsset(path) ? { ...entry, access: to } : entry;
    other = { ...manifest, hasSignIn, files };
    accessibles.set(manifest, other);
  }
  return other;
}

function isSame(a: readonly Built[], b: readonly Built[]): boolean {
  return a.length === b.length && a.every(({ id }, index) => id === b[index]!.id);
}
