/** What the host needs to know of a site. A service finds it by the host's name, a bundle server holds the one it unpacked. */
import type { Readable } from "node:stream";
import type { SignIn } from "../base/sign-in.ts";
import type { SiteFeatures } from "../engine/site/features.ts";
import type { Encoding, ManifestEntry, SiteManifest } from "../layout/site-manifest.ts";

export interface HostedSite {
  projectId: string;
  /** Changes with every switch: all files of one page view come from one deployment. */
  deploymentId: string;
  manifest: SiteManifest;
  /** How readers sign in; absent: nobody needs to. */
  signIn?: SignIn;
  /** Previews are not for search engines. */
  isPreview: boolean;
  /** What the site offers here. Absent: as its own octavo.config.js says. */
  features?: SiteFeatures;
}

/** Finds sites and opens their stored files. */
export interface SiteDirectory {
  /** By a host name in lower case without its port; undefined when no site is there. */
  byHost(host: string): Promise<HostedSite | undefined>;
  open(entry: ManifestEntry, encoding: Encoding | undefined, range?: { start: number; end: number }): Promise<Readable>;
}
