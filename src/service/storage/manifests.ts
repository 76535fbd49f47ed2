/**
 * Stores and reads manifests. A manifest is the list of a deployment's files, stored as an object before the
 * deployment can become live.
 */

import { setImmediate } from "node:timers/promises";
import { readUlid } from "../../base/ulid.ts";
import type { Objects } from "../../io/objects.ts";
import { isImmutableAsset } from "../../layout/site-layout.ts";
import type { SiteManifest } from "../../layout/site-manifest.ts";

/**
 * An attempt to build a deployment. The number of the attempt is part of the object keys, so that a worker
 * that lost its lease can't overwrite the manifest of a later attempt.
 */
export interface DeploymentAttempt {
  id: string;
  attempt: number;
}

const manifestKey = ({ id, attempt }: DeploymentAttempt) => `manifests/${id.toLowerCase()}-${attempt}.json`;
const assetsKey = ({ id, attempt }: DeploymentAttempt) =>
  `manifests/${id.toLowerCase()}-${attempt}.assets.json`;

/**
 * Returns the deployment ID in the object key of a manifest or an archive of sources. Undefined if the key
 * contains none.
 */
export function deploymentIdInKey(key: string): string | undefined {
  return readUlid(/^\w+\/([0-9a-z]{26})[-.]/.exec(key)?.[1] ?? "");
}

type ManifestFiles = SiteManifest["files"];

/**
 * Stores a manifest. Also stores a separate copy with only the assets, because later deployments serve these
 * assets, too.
 */
export async function putManifest(
  objects: Objects,
  built: DeploymentAttempt,
  manifest: SiteManifest,
): Promise<void> {
  const assets = Object.fromEntries(
    Object.entries(manifest.files).filter(([path]) => isImmutableAsset(path)),
  );
  await objects.put(manifestKey(built), await encode(manifest));
  await objects.put(assetsKey(built), await encode({ ...manifest, files: assets }));
}

/** Reads a manifest. Throws if the manifest is missing. */
export async function readManifest(objects: Objects, built: DeploymentAttempt): Promise<SiteManifest> {
  const bytes = await objects.get(manifestKey(built));
  if (!bytes) throw new Error(`The manifest of deployment ${built.id} is missing`);
  return decode(bytes);
}

/**
 * Returns the files of an earlier deployment that have a content hash in their name. Empty if the manifest
 * was deleted.
 */
export async function readAssets(objects: Objects, built: DeploymentAttempt): Promise<ManifestFiles> {
  const bytes = await objects.get(assetsKey(built));
  return bytes ? (await decode(bytes)).files : {};
}

export async function deleteManifest(objects: Objects, built: DeploymentAttempt): Promise<void> {
  await objects.delete(manifestKey(built));
  await objects.delete(assetsKey(built));
}

/** Number of files whose entries are written or read before other work of the process continues. */
const step_count = 2_000;

/** Returns the manifest as JSON with one line for each file. */
async function encode({ files, ...rest }: SiteManifest): Promise<Uint8Array> {
  const parts = [`${JSON.stringify({ ...rest, files: {} }).slice(0, -filesEnd.length)}\n`];
  const entries = Object.entries(files);
  for (let at = 0; at < entries.length; at += step_count) {
    if (at > 0) await setImmediate();
    const lines = entries
      .slice(at, at + step_count)
      .map(([path, entry]) => `${JSON.stringify(path)}:${JSON.stringify(entry)}`);
    parts.push(`${at > 0 ? "," : ""}${lines.join("\n,")}\n`);
  }
  return Buffer.from(`${parts.join("")}${filesEnd}\n`);
}

const filesEnd = "}}";

async function decode(bytes: Uint8Array): Promise<SiteManifest> {
  const [start = "", ...lines] = new TextDecoder().decode(bytes).trimEnd().split("\n");
  // Earlier versions wrote manifests on one line.
  if (lines.pop() !== filesEnd) return JSON.parse(start) as SiteManifest;
  const files: ManifestFiles = Object.create(null);
  for (let at = 0; at < lines.length; at += step_count) {
    if (at > 0) await setImmediate();
    const entries = lines
      .slice(at, at + step_count)
      .join("")
      .replace(/^,/, "");
    Object.assign(files, JSON.parse(`{${entries}}`));
  }
  return { ...(JSON.parse(start + filesEnd) as SiteManifest), files };
}
