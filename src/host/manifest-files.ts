/** The files of a site as its manifest has them, and who may read each. */
import type { Access } from "../base/access.ts";
import type { ManifestEntry, SiteManifest } from "../layout/site-manifest.ts";
import type { HostedSite } from "./hosted-site.ts";
import { signInPage } from "./sign-in/sign-in-pages.ts";

/** What a browser needs to show any page, also the one to sign in: names that tell their content, and nothing of the site's texts. */
export const frame = /^_octavo\/(?:[\w-]+-[0-9a-f]{10}\.\w+|favicon\.svg)$/;

/** Who may read a file of the site; for one that is not there, nobody. */
export function accessOf({ signIn, manifest }: HostedSite, path: string): Access {
  const access = fileAt(manifest, path)?.access ?? [];
  // A deployment from before readers had to sign in: what was for anyone is for them now.
  const isFromBefore = signIn !== undefined && fileAt(manifest, signInPage) === undefined;
  return isFromBefore && access === "anyone" && !frame.test(path) ? "readers" : access;
}

export function fileAt(manifest: SiteManifest, path: string): ManifestEntry | undefined {
  return Object.hasOwn(manifest.files, path) ? manifest.files[path] : undefined;
}
