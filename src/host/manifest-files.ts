/** Files of a site's manifest, and who may read them. */

import type { Access } from "../base/access.ts";
import { faviconPath, isImmutableAsset, signInPagePath } from "../layout/site-layout.ts";
import type { ManifestEntry, SiteManifest } from "../layout/site-manifest.ts";
import type { HostedSite } from "./hosted-site.ts";

/** Files that every page needs, including the sign-in page. They contain no content of the site. */
export function isFrameFile(path: string): boolean {
  return isImmutableAsset(path) || path === faviconPath;
}

/** Access to a file of the site. A missing file has no readers. */
export function accessOf({ signIn, manifest }: HostedSite, path: string): Access {
  const access = fileAt(manifest, path)?.access ?? [];
  // The site was deployed before sign-in was enabled: its public files are restricted to readers now.
  const isFromBefore = signIn !== undefined && fileAt(manifest, signInPagePath) === undefined;
  return isFromBefore && access === "anyone" && !isFrameFile(path) ? "readers" : access;
}

export function fileAt(manifest: SiteManifest, path: string): ManifestEntry | undefined {
  return Object.hasOwn(manifest.files, path) ? manifest.files[path] : undefined;
}
