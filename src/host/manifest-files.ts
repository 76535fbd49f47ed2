/** Finds files in a site's manifest and determines who may read them. */

import type { Access } from "../base/access.ts";
import { faviconPath, isImmutableAsset, signInPagePath } from "../layout/site-layout.ts";
import type { ManifestEntry, SiteManifest } from "../layout/site-manifest.ts";
import type { HostedSite } from "./hosted-site.ts";

/** Whether a file is needed by every page, including the sign-in page. Such files contain no content of the site. */
export function isFrameFile(path: string): boolean {
  return isImmutableAsset(path) || path === faviconPath;
}

/** Who may read a file of the site. For a missing file, nobody. */
export function accessOf({ signIn, manifest }: HostedSite, path: string): Access {
  const access = fileAt(manifest, path)?.access ?? [];
  // The deployment is from before sign-in was enabled. Its public files are now only for signed-in readers.
  const isFromBefore = signIn !== undefined && fileAt(manifest, signInPagePath) === undefined;
  return isFromBefore && access === "anyone" && !isFrameFile(path) ? "readers" : access;
}

export function fileAt(manifest: SiteManifest, path: string): ManifestEntry | undefined {
  return Object.hasOwn(manifest.files, path) ? manifest.files[path] : undefined;
}
