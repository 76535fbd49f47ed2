import { isImmutableAsset } from "../../layout/site-layout.ts";
import type { SiteManifest } from "../../layout/site-manifest.ts";

const adjustedManifests = new WeakMap<SiteManifest, SiteManifest>();

/**
 * Adjusts the access of files if sign-in was turned on or off after the build. Until the next deployment,
 * public files except assets require sign-in, or files for all readers become public. Files for groups stay
 * restricted.
 */
export function withCurrentAccess(manifest: SiteManifest, hasSignIn: boolean): SiteManifest {
  if (manifest.hasSignIn === hasSignIn) return manifest;
  let other = adjustedManifests.get(manifest);
  if (!other) {
    const [from, to] = hasSignIn ? (["anyone", "readers"] as const) : (["readers", "anyone"] as const);
    const files: SiteManifest["files"] = Object.create(null);
    for (const [path, entry] of Object.entries(manifest.files))
      files[path] = entry.access === from && !isImmutableAsset(path) ? { ...entry, access: to } : entry;
    other = { ...manifest, hasSignIn, files };
    adjustedManifests.set(manifest, other);
  }
  return other;
}
