/** Finds files in a site's manifest and determines the access to them. */

import type { Access } from "../base/access.ts";
import { faviconPath, isImmutableAsset, signInPagePath } from "../layout/site-layout.ts";
import type { ManifestEntry, SiteManifest } from "../layout/site-manifest.ts";
import type { HostedSite } from "./hosted-site.ts";

/**
 * Whether a file is the favicon or a generated asset, such as a style sheet. The sign-in page uses these
 * files, so they stay public.
 */
export function isSharedAsset(path: string): boolean {
  return isImmutableAsset(path) || path === faviconPath;
}

/**
 * Returns the access to a file of the site. For a missing file, returns an empty list: no reader has access.
 */
export function accessOf({ signIn, manifest }: HostedSite, path: string): Access {
  const access = fileAt(manifest, path)?.access ?? [];
  // The deployment is from before sign-in was enabled. Its public files are now only for signed-in readers.
  const isFromBefore = signIn !== undefined && fileAt(manifest, signInPagePath) === undefined;
  return isFromBefore && access === "anyone" && !isSharedAsset(path) ? "readers" : access;
}

/**
 * Returns the entry for a path from a request. Undefined if the site doesn't have the file, even if the path
 * is the name of an object property, such as `__proto__`.
 */
export function fileAt(manifest: SiteManifest, path: string): ManifestEntry | undefined {
  return Object.hasOwn(manifest.files, path) ? manifest.files[path] : undefined;
}
