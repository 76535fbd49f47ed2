/**
 * Keeps the live sites and previews in memory, by domain. Each process polls for changes, so a request
 * doesn't query the database, and processes usually serve a change within a second. While the database is
 * unavailable, the known sites are still served.
 */

import type { Readable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import { basePath_chars } from "../../base/base-path.ts";
import { limits } from "../../base/limits.ts";
import { type SignIn, type SignInChoice, signInOf } from "../../base/reader-sign-in.ts";
import type { SiteFeatures } from "../../engine/site/features.ts";
import type { PendingState } from "../../host/hosted-site.ts";
import {
  type ContentEncoding,
  fileKey,
  type ManifestEntry,
  type SiteManifest,
} from "../../layout/site-manifest.ts";
import { decrypted } from "../core/project-secrets.ts";
import { defaultHost, type Service } from "../core/service.ts";
import { siteFeatures } from "../core/site-features.ts";
import { type DeploymentAttempt, readAssets, readManifest } from "../storage/manifests.ts";
import { forgetFile, hasContent } from "../storage/verify-files.ts";
import { withCurrentAccess } from "./current-access.ts";

/** Time between two polls for changes. */
const changesPoll_ms = 300;
/** Overlap of the polled periods, because transactions don't commit in the order of their timestamps. */
const changesOverlap_ms = 20_000;
/** Maximum number of projects that are read with one query. */
const changedProjects_count = 1_000;
/** Maximum time that a switch to a new deployment waits for its manifest to be loaded. */
const manifestWait_ms = 500;
/** Time for which the state of a site without a live deployment is cached. */
const pendingState_ms = 1_000;
/** Maximum estimated memory of the cached manifests in bytes. */
const cachedManifests_bytes = 96 * 1024 * 1024;
/** Estimated memory of a file's entry in a manifest in bytes, without its path. */
const manifestEntry_bytes = 250;

/** A site with its manifest, as served to readers. */
export interface LiveSite {
  projectId: string;
  organizationId: string;
  deploymentId: string;
  manifest: SiteManifest;
  signIn?: SignIn;
  isPreview: boolean;
  features: SiteFeatures;
}

/** The site of a host name. Compact, because a process has an entry for each host name of all sites. */
interface HostEntry {
  projectId: string;
  organizationId: string;
  /**
   * ID and attempt of the deployment, as `id:attempt`, followed by those of the project's other kept
   * deployments, separated by spaces. The assets of these deployments are also served, because readers may
   * still have their pages open. A preview has only one entry.
   */
  builds: string;
  signIn: SignIn | undefined;
  isPreview: boolean;
  features: SiteFeatures;
  /** Time at which a preview expires. Undefined for other sites. */
  endsAt_ms: number | undefined;
}

interface KnownProject {
  revision: number;
  hosts: readonly string[];
  /** Hosts that will show the site when it has a live deployment. Empty if it has one. */
  pendingHosts: readonly string[];
}

interface LiveProjectRow {
  id: string;
  organization_id: string;
  subdomain: string;
  revision: number;
  sign_in: SignInChoice | null;
  has_assistant: boolean;
  domains: string[];
  /** `builds` of the live site; null if nothing is live. */
  live: string | null;
  previews: { host: string; builds: string; endsAt_ms: number }[];
}

interface Changes {
  /** Time of the poll, by the database's clock. */
  at: Date;
  /** Revisions by project ID. */
  changed: Record<string, number>;
  deleted: string[];
}

/**
 * After this time without a successful poll, the known projects are compared with all existing ones, because
 * `deleted_projects` only keeps rows for a day.
 */
const fullReadAfter_ms = 12 * 60 * 60 * 1_000;

export class LiveSites {
  private readonly service: Pick<Service, "db" | "objects" | "settings" | "secrets">;
  private readonly projects = new Map<string, KnownProject>();
  /** Sites by host name or, for sites that share a host with others, by host name and path. */
  private readonly hosts = new Map<string, HostEntry>();
  /** IDs of the projects without a live deployment, by host name, with or without a path. */
  private readonly pending = new Map<string, string>();
  /** States of these projects. Entries are removed after `pendingState_ms`. */
  private readonly pendingStates = new Map<string, Promise<PendingState>>();
  /** Manifests by deployment ID, least recently used first. */
  private readonly manifests = new Map<string, Promise<SiteManifest>>();
  private readonly sizes = new Map<string, number>();
  private readonly features = new Map<string, SiteFeatures>();
  private cached_bytes = 0;
  /** Time of the last poll, by the database's clock. */
  private changedAt = new Date(0);
  private polledAt_ms = Date.now();
  private timer: NodeJS.Timeout | undefined;
  private reading: Promise<void> = Promise.resolve();

  private constructor(service: Pick<Service, "db" | "objects" | "settings" | "secrets">) {
    this.service = service;
  }

  /**
   * Reads all sites and starts polling for changes. `report` receives the first error of each database
   * outage.
   */
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

  /**
   * Resolves when this process has read all changes that were committed before the call. Rejects if the
   * database is unavailable. Polls don't overlap.
   */
  catchUp(): Promise<void> {
    const polled = this.reading.then(() => this.readChanges());
    this.reading = polled.catch(() => {});
    return polled;
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  /** Whether there is a site at a host name. */
  serves(host: string): boolean {
    return (
      this.hosted(host, "") !== undefined ||
      [...this.hosts.keys()].some((domain) => domain.startsWith(`${host}/`))
    );
  }

  private hosted(host: string, path: string): HostEntry | undefined {
    const hosted = valueAt(this.hosts, host, path);
    return hosted?.endsAt_ms !== undefined && Date.now() > hosted.endsAt_ms ? undefined : hosted;
  }

  /**
   * Returns the site at a path of a host name. Undefined if there is none. Rejects if the site's manifest
   * can't be loaded.
   */
  async byHost(host: string, path: string): Promise<LiveSite | undefined> {
    const hosted = this.hosted(host, path);
    if (!hosted) return undefined;
    const { projectId, organizationId, builds, signIn, isPreview, features } = hosted;
    const manifest = withCurrentAccess(await this.manifestOf(builds), signIn !== undefined);
    return {
      projectId,
      organizationId,
      deploymentId: deploymentOf(builds),
      manifest,
      isPreview,
      features,
      ...(signIn ? { signIn } : {}),
    };
  }

  /** Returns the entry of the host name, which is a new one after each change of its project. */
  versionOf(host: string, path: string): unknown {
    return this.hosted(host, path);
  }

  /**
   * Returns the state of a site without a live deployment; undefined if the host name is unknown. Other than
   * requests to live sites, this queries the database, at most once per project and second.
   */
  async pendingAt(host: string, path: string): Promise<PendingState | undefined> {
    const projectId = valueAt(this.pending, host, path);
    if (projectId === undefined) return undefined;
    let state = this.pendingStates.get(projectId);
    if (!state) {
      this.pendingStates.set(projectId, (state = pendingState(this.service, projectId)));
      setTimeout(() => this.pendingStates.delete(projectId), pendingState_ms).unref();
    }
    return state;
  }

  /** Opens a stored file or, with `range`, a part of it. Rejects if the file is missing. */
  async open(
    entry: ManifestEntry,
    encoding: ContentEncoding | undefined,
    range?: { start: number; end: number },
  ): Promise<Readable> {
    const stream = await this.service.objects.open(fileKey(entry.hash, encoding), range);
    if (!stream) throw new Error(`The stored file ${entry.hash} is missing`);
    return stream;
  }

  /** Rejects if a stored file is damaged. The next deployment with the file then stores it again. */
  async verify(
    entry: ManifestEntry,
    encoding: ContentEncoding | undefined,
    stored: Uint8Array,
  ): Promise<void> {
    if (await hasContent(entry, encoding, stored)) return;
    await forgetFile(this.service, entry.hash);
    throw new Error(`The stored file ${entry.hash} is damaged`);
  }

  private manifestOf(builds: string): Promise<SiteManifest> {
    const id = deploymentOf(builds);
    let manifest = this.manifests.get(id);
    if (manifest) this.manifests.delete(id);
    else {
      const loading = this.load(builds);
      // While this manifest was loading, it may have been forgotten and requested again.
      const isCurrent = () => this.manifests.get(id) === loading;
      loading.then(
        ({ files }) => isCurrent() && this.count(id, files),
        () => isCurrent() && this.manifests.delete(id),
      );
      manifest = loading;
    }

    this.manifests.set(id, manifest);
    return manifest;
  }

  private async load(builds: string): Promise<SiteManifest> {
    const { objects } = this.service;
    const [built, ...earlier] = builds.split(" ").map(readBuild);
    const [own, ...before] = await Promise.all([
      readManifest(objects, built!),
      ...earlier.map((one) => readAssets(objects, one)),
    ]);
    const files: SiteManifest["files"] = Object.create(null);
    for (const assets of before.reverse()) Object.assign(files, assets);
    return { ...own, files: Object.assign(files, own.files) };
  }

  /** Adds a manifest's memory to the total, and evicts the least recently used manifests above the limit. */
  private count(id: string, files: SiteManifest["files"]): void {
    let bytes = 0;
    for (const path in files) bytes += path.length + manifestEntry_bytes;
    this.cached_bytes += bytes;
    this.sizes.set(id, bytes);
    for (const oldest of this.manifests.keys()) {
      if (this.cached_bytes <= cachedManifests_bytes || oldest === id) return;
      this.forget(oldest);
    }
  }

  private forget(id: string): void {
    this.manifests.delete(id);
    this.cached_bytes -= this.sizes.get(id) ?? 0;
    this.sizes.delete(id);
  }

  /**
   * Reads and applies the changes since the last poll. Transactions don't commit in the order of their
   * timestamps, so the periods overlap, and the revision shows whether a change is new. All queries use
   * indexes, so the cost of a poll depends on the number of recent changes and not on the number of projects.
   * The first call reads all projects, in several queries.
   */
  private async readChanges(): Promise<void> {
    const isLate = Date.now() - this.polledAt_ms > fullReadAfter_ms;
    const since = new Date(this.changedAt.getTime() - changesOverlap_ms);
    const { rows } = await sql<Changes>`
      select clock_timestamp() as at,
        (select coalesce(jsonb_object_agg(id, revision), '{}') from projects where changed_at > ${since}) as changed,
        array(select id from deleted_projects where deleted_at > ${since}) as deleted`.execute(
      this.service.db,
    );

    const { at, changed, deleted } = rows[0]!;
    const ids = Object.keys(changed).filter((id) => this.projects.get(id)?.revision !== changed[id]);
    for (let from = 0; from < ids.length; from += changedProjects_count) {
      const projects = await this.projectRows(ids.slice(from, from + changedProjects_count));
      await Promise.all(projects.map((row) => this.apply(row)));
    }

    for (const id of deleted) this.forgetProject(id);
    if (isLate) await this.forgetMissing();
    this.changedAt = at;
    this.polledAt_ms = Date.now();
  }

  private async projectRows(ids: readonly string[]): Promise<LiveProjectRow[]> {
    const { rows } = await sql<LiveProjectRow>`
      select p.id, p.organization_id, p.subdomain, p.revision, p.sign_in,
        coalesce((p.assistant ->> 'isEnabled')::boolean, true) as has_assistant,
        array(select domain from domains where project_id = p.id and verified_at is not null order by domain) as domains,
        (select live.id || ':' || live.attempt || coalesce(' ' || string_agg(kept.id || ':' || kept.attempt, ' ' order by kept.number desc), '')
          from deployments live left join lateral (
            select id, attempt, number from deployments
            where project_id = p.id and status = 'success' and preview_branch is null and purged_at is null and id <> live.id
            order by number desc limit ${limits.keptDeployments_count}
          ) kept on true
          where live.id = p.live_deployment_id group by live.id) as live,
        array(
          select distinct on (preview_host) jsonb_build_object('host', preview_host, 'builds', id || ':' || attempt,
            'endsAt_ms', floor(extract(epoch from ended_at) * 1000) + ${limits.preview_ms}::bigint)
          from deployments
          where project_id = p.id and status = 'success' and preview_host is not null and purged_at is null
            and ended_at > now() - ${limits.preview_ms} * interval '1 millisecond'
          order by preview_host, number desc
        ) as previews
      from projects p where p.id = any(${ids}::text[])`.execute(this.service.db);

    return rows;
  }

  /**
   * Switches the site to a changed row. If the previous manifest is cached, loads the new one before the
   * switch, so that requests don't wait for it. Delays the switch by at most `manifestWait_ms` per host.
   */
  private async apply(row: LiveProjectRow): Promise<void> {
    const { settings, secrets } = this.service;
    const signIn = signInOf(decrypted(secrets, row.id, { sign_in: row.sign_in }).sign_in);

    // Written without object spread, which would store the names of the properties with each entry.
    const entry = (builds: string, endsAt_ms: number | undefined): HostEntry => {
      const isPreview = endsAt_ms !== undefined;
      return {
        projectId: row.id,
        organizationId: row.organization_id,
        builds,
        signIn,
        isPreview,
        features: this.featuresOf(isPreview, row.has_assistant),
        endsAt_ms,
      };
    };

    const hosts = new Map<string, HostEntry>();
    const ownHosts = [defaultHost(settings, row.subdomain), ...row.domains];

    if (row.live) {
      const live = entry(row.live, undefined);
      for (const host of ownHosts) hosts.set(host, live);
    }

    for (const { host, builds, endsAt_ms } of row.previews) hosts.set(host, entry(builds, endsAt_ms));

    const known = this.projects.get(row.id)?.hosts ?? [];

    for (const [host, hosted] of hosts) {
      const before = this.hosts.get(host);
      if (!before || !this.manifests.has(deploymentOf(before.builds))) continue;
      const id = deploymentOf(hosted.builds);
      // Load the manifest again, so that files of purged deployments are no longer served.
      if (deploymentOf(before.builds) === id && before.builds !== hosted.builds) this.forget(id);
      await Promise.race([
        this.manifestOf(hosted.builds).catch(() => {}),
        wait(manifestWait_ms, undefined, { ref: false }),
      ]);
    }

    const inUse = new Set([...hosts.values()].map(({ builds }) => deploymentOf(builds)));
    for (const host of known) {
      const before = this.hosts.get(host);
      if (before?.projectId !== row.id) continue;
      if (!inUse.has(deploymentOf(before.builds))) this.forget(deploymentOf(before.builds));
      if (!hosts.has(host)) this.hosts.delete(host);
    }

    for (const [host, hosted] of hosts) this.hosts.set(host, hosted);
    this.forgetPending(row.id);
    const pendingHosts = row.live ? [] : ownHosts;
    for (const host of pendingHosts) this.pending.set(host, row.id);
    this.projects.set(row.id, { revision: row.revision, hosts: [...hosts.keys()], pendingHosts });
  }

  /** Returns the features of a site. Sites with the same features share one object, to save memory. */
  private featuresOf(isPreview: boolean, isEnabled: boolean): SiteFeatures {
    const key = `${isPreview} ${isEnabled}`;
    let features = this.features.get(key);
    if (!features)
      this.features.set(
        key,
        (features = siteFeatures(this.service.settings, { isPreview, assistant: { isEnabled } })),
      );
    return features;
  }

  private forgetProject(id: string): void {
    for (const host of this.projects.get(id)?.hosts ?? [])
      if (this.hosts.get(host)?.projectId === id) this.hosts.delete(host);
    this.forgetPending(id);
    this.projects.delete(id);
  }

  private forgetPending(id: string): void {
    for (const host of this.projects.get(id)?.pendingHosts ?? [])
      if (this.pending.get(host) === id) this.pending.delete(host);
  }

  /**
   * Removes projects that don't exist anymore, in case their rows in `deleted_projects` have already been
   * deleted.
   */
  private async forgetMissing(): Promise<void> {
    const rows = await this.service.db.selectFrom("projects").select("id").execute();
    const existing = new Set(rows.map(({ id }) => id));
    for (const id of this.projects.keys()) if (!existing.has(id)) this.forgetProject(id);
  }
}

/** Deletes rows about deleted projects after a day. */
export async function sweepDeletedProjects({ db }: Pick<Service, "db">): Promise<void> {
  await db
    .deleteFrom("deleted_projects")
    .where("deleted_at", "<", sql<Date>`now() - interval '1 day'`)
    .execute();
}

async function pendingState({ db }: Pick<Service, "db">, projectId: string): Promise<PendingState> {
  const latest = await db
    .selectFrom("deployments")
    .select("status")
    .where("project_id", "=", projectId)
    .where("preview_branch", "is", null)
    .orderBy("number", "desc")
    .limit(1)
    .executeTakeFirst();
  if (!latest) return "empty";
  return latest.status === "queued" || latest.status === "in_progress" ? "building" : "failed";
}

/** Returns the value of a host name or, if it has none, of the host name with the start of the path. */
function valueAt<Value>(values: ReadonlyMap<string, Value>, host: string, path: string): Value | undefined {
  const whole = values.get(host);
  if (whole !== undefined) return whole;
  for (let slash = path.indexOf("/", 1); ; slash = path.indexOf("/", slash + 1)) {
    const value = values.get(host + (slash < 0 ? path : path.slice(0, slash)));
    if (value !== undefined || slash < 0 || slash > basePath_chars) return value;
  }
}

function deploymentOf(builds: string): string {
  return builds.slice(0, builds.indexOf(":"));
}

function readBuild(text: string): DeploymentAttempt {
  const [id, attempt] = text.split(":");
  return { id: id!, attempt: Number(attempt) };
}
