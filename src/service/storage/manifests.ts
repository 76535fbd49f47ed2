/**
 * Stores and reads manifests. A manifest is the list of a deployment's files, stored as an object before the deployment can become live.
 */

import { readUlid } from "../../base/ulid.ts";
import type { Objects } from "../../io/objects.ts";
import { isImmutableAsset } from "../../layout/site-layout.ts";
import type { SiteManifest } from "../../layout/site-manifest.ts";

/**
 * An attempt to build a deployment. The number of the attempt is part of the object keys, so that a worker that lost its lease can't
 * overwrite the manifest of a later attempt.
 */
export interface DeploymentAttempt {
  id: string;
  attempt: number;
}

const manifestKey = ({ id, attempt }: DeploymentAttempt) => `manifests/${id.toLowerCase()}-${attempt}.json`;
const assetsKey = ({ id, attempt }: DeploymentAttempt) => `manifests/${id.toLowerCase()}-${attempt}.assets.json`;

/** Returns the deployment ID in the object key of a manifest or an archive of sources. Undefined if the key contains none. */
export function deploymentIdInKey(key: string): string | undefined {
  return readUlid(/^\w+\/([0-9a-z]{26})[-.]/.exec(key)?.[1] ?? "");
}

type ManifestFiles = SiteManifest["files"];

/** Stores a manifest. Also stores a separate copy with only the assets, because later deployments serve these assets, too. */
export async function putManifest(objects: Objects, built: DeploymentAttempt, manifest: SiteManifest): Promise<void> {
  const assets = Object.fromEntries(Object.entries(manifest.files).filter(([path]) => isImmutableAsset(path)));
  await Promise.all([
    objects.put(manifestKey(built), encode(manifest)),
    objects.put(assetsKey(built), encode({ ...manifest, files: assets })),
  ]);
}

/** Reads a manifest. Throws if the manifest is missing. */
export async function readManifest(objects: Objects, built: DeploymentAttempt): Promise<SiteManifest> {
  const bytes = await objects.get(manifestKey(built));
  if (!bytes) throw new Error(`The manifest of deployment ${built.id} is missing`);
  return decode(bytes);
}

/** Returns the files of an earlier deployment that have a content hash in their name. Empty if the manifest was deleted. */
export async function readAssets(objects: Objects, built: DeploymentAttempt): Promise<ManifestFiles> {
  const bytes = await objects.get(assetsKey(built));
  return bytes ? decode(bytes).files : {};
}

export async function deleteManifest(objects: Objects, built: DeploymentAttempt): Promise<void> {
  await objects.delete(manifestKey(built));
  await objects.delete(assetsKey(built));
}

function encode(manifest: SiteManifest): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(manifest));
}

function decode(bytes: Uint8Array): SiteManifest {
  return JSON.parse(new TextDecoder().decode(bytes)) as SiteManifest;
}
