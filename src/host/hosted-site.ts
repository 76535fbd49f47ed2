/**
 * Types of the sites that a host serves. A service looks up sites by host name. A bundle server has only one
 * site.
 */

import type { Readable } from "node:stream";
import type { SignIn } from "../base/reader-sign-in.ts";
import type { SiteFeatures } from "../engine/site/features.ts";
import type { ContentEncoding, ManifestEntry, SiteManifest } from "../layout/site-manifest.ts";

export interface HostedSite {
  projectId: string;
  /** Organization of the project. Absent on a bundle server. */
  organizationId?: string;
  /**
   * ID of the deployment whose files are served. Each request is answered with files of a single deployment.
   */
  deploymentId: string;
  manifest: SiteManifest;
  /** Sign-in method of readers, with its settings. Absent if the site is public. */
  signIn?: SignIn;
  /** Whether this is a preview. Previews are served with `noindex`. */
  isPreview: boolean;
  /** Enabled features. If absent, the octavo.config.js file of the site applies. */
  features?: SiteFeatures;
}

/**
 * State of a site that can't be shown yet: its latest deployment is queued or running, or has failed, or
 * there is none. `no-bundle`: a bundle server has no valid bundle.
 */
export type PendingState = "building" | "failed" | "empty" | "no-bundle";

/** Finds sites and opens their stored files. */
export interface SiteDirectory {
  /**
   * Finds the site of a host name, which must be in lowercase and without a port. Undefined if there is none.
   * `path`: path of the request, since several sites can be below different paths of a host.
   */
  byHost(host: string, path: string): Promise<HostedSite | undefined>;
  /**
   * Returns a value that is different after each change of what `byHost` returns. Undefined if there is no
   * site.
   */
  versionOf(host: string, path: string): unknown;
  /** Returns why a known host name has no site. Undefined if the host name is unknown. */
  pendingAt?(host: string, path: string): Promise<PendingState | undefined>;
  /** Opens a stored file, or its compressed version if `encoding` is set. `end` is inclusive. */
  open(
    entry: ManifestEntry,
    encoding: ContentEncoding | undefined,
    range?: { start: number; end: number },
  ): Promise<Readable>;
  /**
   * Rejects if a stored file that was read completely is damaged. Undefined if files are verified before they
   * are served.
   */
  verify?(entry: ManifestEntry, encoding: ContentEncoding | undefined, stored: Uint8Array): Promise<void>;
}

/** Paths that a site is below, such as `/docs`. Empty at the root. */
export interface BasePaths {
  /** Start of the path in the request. Proxies may have removed a part of the path that readers see. */
  received: string;
  /** Start of the path that readers see, for links, `Location` headers and cookies. */
  shown: string;
}
