/** The files of a site as its manifest has them, and who may read each. */

import type { Access } from "../base/access.ts";
import { faviconPath, isImmutableAsset, signInPagePath } from "../layout/site-layout.ts";
import type { ManifestEntry, SiteManifest } from "../layout/site-manifest.ts";
import type { HostedSite } from "./hosted-site.ts";

/** Files that every page needs, the sign-in page included. They contain none of the site's content. */
export function isFrameFile(path: string): boolean {
  return isImmutableAsset(path) || path === faviconPath;
}

/** Who may read a file of the site; for one that is not there, nobody. */
export function accessOf({ signIn, manifest }: HostedSite, path: string): Access {
  const access = fileAt(manifest, path)?.access ?? [];
  // A deployment from before readers had to sign in: what was for anyone is for them now.
  const isFromBefore = signIn !== undefined && fileAt(manifest, signInPagePath) === undefined;
  return isFromBefore && access === "anyone" && !isFrameFile(path) ? "readers" : access;
}

export function fileAt(manifest: SiteManifest, path: string): ManifestEntry | undefined {
  return Object.hasOwn(manifest.files, path) ? manifest.files[path] : undefined;
}
