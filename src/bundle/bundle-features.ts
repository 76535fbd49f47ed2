/** Determines the features of a bundle's site from its kind and the operator's settings. */

import { readFile } from "node:fs/promises";
import path from "node:path";
import {
  type DeploymentKind,
  type FeatureChoice,
  featuresOf,
  type SiteFeatures,
} from "../engine/site/features.ts";
import type { SecurityTable } from "../host/site-tables.ts";
import type { AllowedHosts } from "../io/allowed-hosts.ts";
import { securityTablePath } from "../layout/site-layout.ts";
import type { Bundle } from "./bundle-store.ts";

export interface OperatorSettings {
  /**
   * Kind that the operator has set. Default: `client-hosted`. Ignored for bundles that were built as
   * `air-gapped`.
   */
  kind: Exclude<DeploymentKind, "cloud"> | undefined;
  features: FeatureChoice;
  /**
   * Hosts in `OCTAVO_OUTBOUND_ALLOW`. If there are none, playgrounds of air-gapped sites can't send requests.
   */
  allowed: AllowedHosts;
}

/** Returns the features of a bundle's site. A bundle that was built as `air-gapped` keeps this kind. */
export async function bundleFeatures(
  { folder }: Bundle,
  { kind, features, allowed }: OperatorSettings,
): Promise<SiteFeatures> {
  const security = await readFile(path.join(folder, "site", securityTablePath), "utf8").catch(() => "{}");
  const { kind: builtFor } = JSON.parse(security) as SecurityTable;
  return featuresOf(builtFor === "air-gapped" ? builtFor : (kind ?? "client-hosted"), {
    ...features,
    ...(allowed.isEmpty ? { send: false as const } : {}),
  });
}
