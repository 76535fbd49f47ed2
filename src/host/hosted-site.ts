/** A site as the host serves it. A service finds it by host name; a bundle server has one site. */

import type { Readable } from "node:stream";
import type { SignIn } from "../base/sign-in.ts";
import type { SiteFeatures } from "../engine/site/features.ts";
import type { ContentEncoding, ManifestEntry, SiteManifest } from "../layout/site-manifest.ts";

export interface HostedSite {
  projectId: string;
  /** Changes with every deployment. All files of a request are from one deployment. */
  deploymentId: string;
  manifest: SiteManifest;
  /** How readers sign in; absent: the site is public. */
  signIn?: SignIn;
  /** Previews get `noindex`. */
  isPreview: boolean;
  /** Enabled features. Absent: those in the site's octavo.config.js. */
  features?: SiteFeatures;
}

/** Finds sites and opens their stored files. */
export interface SiteDirectory {
  /** By a host name in lower case without its port; undefined when no site is there. */
  byHost(host: string): Promise<HostedSite | undefined>;
  open(entry: ManifestEntry, encoding: ContentEncoding | undefined, range?: { start: number; end: number }): Promise<Readable>;
}
