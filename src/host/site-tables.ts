/** Parses the tables that an export contains for its host, and caches them per deployment. */

import { LRUCache } from "lru-cache";
import { type Access, accessKey } from "../base/access.ts";
import { limits } from "../base/limits.ts";
import type { DeploymentKind, SiteFeatures } from "../engine/site/features.ts";
import { proxyTablePath, redirectTablePath, securityTablePath } from "../layout/site-layout.ts";
import type { SiteManifest } from "../layout/site-manifest.ts";
import type { FileCache } from "./file-cache.ts";
import type { HostedSite } from "./hosted-site.ts";
import { fileAt } from "./manifest-files.ts";
import { readProxyOrigins } from "./playground-proxy.ts";
import { type RedirectTable, readRedirectTable } from "./resolve-path.ts";

export interface SiteTables {
  /** Name of the site. Undefined in older deployments. */
  name: string | undefined;
  redirects: RedirectTable;
  /** Origins that playgrounds may call, by the path of an operation's data. */
  proxyOrigins: ReadonlyMap<string, readonly string[]>;
  /** Origins of the websites that can show the assistant. */
  widgetOrigins: ReadonlySet<string>;
  /** Returns the content security policy of pages with this access on a site with these features. */
  contentSecurityPolicy(features: SiteFeatures | undefined, access: Access): string;
}

/**
 * Content of the file at `securityTablePath`: the site's name, the content security policies of its pages,
 * and the origins of its widget.
 */
export interface SecurityTable extends Policies {
  /** The kind of deployment that the site was built for. */
  kind?: DeploymentKind;
  /** Name of the site. Absent in older deployments. */
  name?: string;
  /** Policies by `accessKey(access)`. Absent in older deployments. */
  byAccess?: Record<string, Policies>;
  /** Origins of the websites that can show the assistant. Absent if there are none. */
  widgetOrigins?: string[];
}

interface Policies {
  contentSecurityPolicy?: string;
  /**
   * Policy for sites whose operator has turned off analytics. Absent if it is equal to
   * `contentSecurityPolicy`.
   */
  withoutServices?: string;
}

/**
 * Maximum total size of the cached tables' files in bytes. The parsed tables use several times as much
 * memory.
 */
const cachedTables_bytes = 32 * 1024 * 1024;

export class TablesOfSites {
  readonly files: FileCache;
  private readonly tables = new LRUCache<string, Promise<SiteTables>>({
    max: limits.hostedSites_count,
    maxSize: cachedTables_bytes,
  });

  constructor(files: FileCache) {
    this.files = files;
  }

  /**
   * Returns the tables of a site's deployment, from the cache if possible. Rejects if the tables can't be
   * read.
   */
  of({ projectId, deploymentId, manifest }: HostedSite): Promise<SiteTables> {
    const key = `${projectId} ${deploymentId}`;
    let tables = this.tables.get(key);
    if (!tables) {
      tables = this.read(manifest);
      const bytes = tablePaths.reduce((sum, path) => sum + (fileAt(manifest, path)?.bytes ?? 0), 1);
      this.tables.set(key, tables, { size: Math.min(bytes, cachedTables_bytes) });
      // If reading fails, the next request tries again.
      tables.catch(() => this.tables.delete(key));
    }
    return tables;
  }

  private async read(manifest: SiteManifest): Promise<SiteTables> {
    const file = async (path: string) => {
      const entry = fileAt(manifest, path);
      return entry && (await this.files.whole(entry));
    };

    const security = JSON.parse((await file(securityTablePath))?.toString() ?? "{}") as SecurityTable;
    return {
      name: security.name,
      redirects: readRedirectTable(await file(redirectTablePath)),
      proxyOrigins: readProxyOrigins(await file(proxyTablePath)),
      widgetOrigins: new Set(security.widgetOrigins),
      contentSecurityPolicy(features, access) {
        const { contentSecurityPolicy: whole = leastPolicy, withoutServices } =
          security.byAccess?.[accessKey(access)] ?? security;
        if (features?.kind === "air-gapped") return withoutHosts(whole);
        return features?.analytics === false ? (withoutServices ?? whole) : whole;
      },
    };
  }
}

const tablePaths = [securityTablePath, redirectTablePath, proxyTablePath];

/** Strict content security policy for deployments without a stored one. */
const leastPolicy = "default-src 'none'; style-src 'self' 'unsafe-inline'; img-src 'self' data:";

/** Removes other hosts from a content security policy, for air-gapped sites. */
function withoutHosts(policy: string): string {
  const directives = policy.split(";").map((directive) => directive.trim().split(/\s+/));
  const local = directives.map(([name, ...sources]) =>
    name === "default-src"
      ? [name, "'self'"]
      : [name, ...sources.filter((word) => /^'.*'$|^(?:data|blob):$/.test(word))],
  );
  return local.map((words) => words.join(" ")).join("; ");
}
