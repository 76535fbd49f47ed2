/**
 * Reads the settings of a bundle server from environment variables. All invalid settings are reported in one
 * error.
 */

import { createPublicKey } from "node:crypto";
import { readFileSync } from "node:fs";
import { readBasePath } from "../base/base-path.ts";
import { parseUrl } from "../base/url.ts";
import { type ApprovalRule, readApprovalRule } from "../bundle/approval.ts";
import type { OperatorSettings } from "../bundle/bundle-features.ts";
import { isPrivateKey } from "../bundle/signature.ts";
import { type DeploymentKind, deploymentKinds, type FeatureChoice } from "../engine/site/features.ts";
import { readDataFolder } from "./data-folder.ts";
import { defaultPort } from "./default-port.ts";
import { readInternalPort } from "./internal-server.ts";
import {
  ConfigurationError,
  readAllowed,
  readLogLevel,
  readTrustedProxies,
} from "./service-configuration.ts";

export interface BundleConfiguration extends OperatorSettings {
  host: string;
  port: number;
  /** Port of `/status`. Undefined disables it. */
  internalPort: number | undefined;
  /** Folder for bundles, analytics and temporary files. */
  dataFolder: string;
  /** URL or path of the bundle. */
  source: string;
  /** URL or path of a delta from the stored bundle to `source`, if any. Ignored if `sha256` is set. */
  deltaSource: string | undefined;
  /** Version that the bundle must have, if set. */
  version: string | undefined;
  /** SHA-256 in hex that the archive of the bundle must have, if set. */
  sha256: string | undefined;
  /** Ed25519 key in PEM format that bundles must be signed with, if set. */
  publicKey: string | undefined;
  /** When a bundle may replace another one. Undefined: at once. */
  approvalRule: ApprovalRule | undefined;
  /** Path that the site is below, such as `/docs`. Empty at the root. */
  basePath: string;
  /**
   * IP addresses and CIDR ranges of the proxies whose `X-Forwarded-For` and `X-Forwarded-Prefix` are used.
   */
  trustedProxies: string[];
  logLevel: string;
}

const featureNames = ["search", "assistant", "analytics", "playground"] as const;
/** Values that a feature accepts in addition to `true` and `false`. */
const otherValues: { [Name in (typeof featureNames)[number]]?: string } = {
  search: "local",
  analytics: "services",
};

/** Reads all settings. Throws `ConfigurationError` with one line for each invalid setting. */
export function readBundleConfiguration(env: NodeJS.ProcessEnv): BundleConfiguration {
  const problems: string[] = [];
  const port = Number(env.PORT || defaultPort);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    problems.push("PORT must be a whole number between 1 and 65535");

  const source = env.OCTAVO_BUNDLE_URL ?? "";
  const deltaSource = env.OCTAVO_BUNDLE_DELTA_URL || undefined;
  if (source === "")
    problems.push("OCTAVO_BUNDLE_URL must be the bundleUrl from an export, or the path to a file");

  for (const [name, text] of Object.entries({
    OCTAVO_BUNDLE_URL: source,
    OCTAVO_BUNDLE_DELTA_URL: deltaSource ?? "",
  }))
    if (/^[a-z]+:\/\//i.test(text) && !/^(?:https?|file):$/.test(parseUrl(text)?.protocol ?? ""))
      problems.push(`${name} must be an http or https URL, or the path to a file`);

  const kind = (env.OCTAVO_KIND || "client-hosted") as DeploymentKind;
  if (kind === "cloud" || !deploymentKinds.includes(kind))
    problems.push("OCTAVO_KIND must be client-hosted or air-gapped");
  const features: FeatureChoice = {};
  for (const name of featureNames) {
    const text = env[`OCTAVO_${name.toUpperCase()}`] || undefined;
    const word = otherValues[name];
    if (text === undefined) continue;
    if (text === "true" || text === "false") features[name] = text === "true";
    else if (word !== undefined && text === word) Object.assign(features, { [name]: word });
    else
      problems.push(
        `OCTAVO_${name.toUpperCase()} must be true${word === undefined ? "" : `, ${word}`} or false`,
      );
  }

  if (kind === "air-gapped")
    for (const name of ["search", "assistant", "analytics"] as const)
      if (features[name] === true || (name === "analytics" && features.analytics === "services"))
        problems.push(
          `OCTAVO_${name.toUpperCase()} can't be ${features[name]} on an air-gapped site${name === "search" ? " (local is allowed)" : ""}`,
        );

  const sha256 = env.OCTAVO_BUNDLE_SHA256?.toLowerCase() || undefined;
  if (sha256 !== undefined && !/^[0-9a-f]{64}$/.test(sha256))
    problems.push("OCTAVO_BUNDLE_SHA256 must be 64 hexadecimal digits");
  const publicKey = readPublicKey(env.OCTAVO_BUNDLE_PUBLIC_KEY || undefined, problems);
  const approvalRule = readApprovalRule(env.OCTAVO_BUNDLE_APPROVAL ?? "");
  if (env.OCTAVO_BUNDLE_APPROVAL && approvalRule === undefined)
    problems.push("OCTAVO_BUNDLE_APPROVAL must be required or hours in UTC such as 22:00-04:00");
  const basePath = readBasePath(env.OCTAVO_BASE_PATH ?? "");
  if (basePath === undefined)
    problems.push(
      "OCTAVO_BASE_PATH must be a path such as /docs, whose segments consist of letters, digits, hyphens, dots, tildes, and underscores",
    );

  const internalPort = readInternalPort(env, problems);
  const allowed = readAllowed(env, problems);
  const trustedProxies = readTrustedProxies(env, problems);
  const logLevel = readLogLevel(env, problems);
  const dataFolder = readDataFolder(env, problems);
  if (problems.length) throw new ConfigurationError(problems.join("\n"));

  return {
    host: env.HOST || "127.0.0.1",
    port,
    internalPort,
    dataFolder,
    source,
    deltaSource,
    version: env.OCTAVO_BUNDLE_VERSION || undefined,
    sha256,
    publicKey,
    approvalRule,
    basePath: basePath ?? "",
    kind: env.OCTAVO_KIND ? (kind as BundleConfiguration["kind"]) : undefined,
    features,
    trustedProxies,
    allowed,
    logLevel,
  };
}

/** Reads a public key from a file in PEM format. */
function readPublicKey(file: string | undefined, problems: string[]): string | undefined {
  if (file === undefined) return undefined;
  try {
    const pem = readFileSync(file, "utf8");
    if (!isPrivateKey(pem) && createPublicKey(pem).asymmetricKeyType === "ed25519") return pem;
  } catch {}
  problems.push(
    "OCTAVO_BUNDLE_PUBLIC_KEY must be the path of a file with a public Ed25519 key in PEM format",
  );
  return undefined;
}
