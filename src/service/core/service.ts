/** Types of the service's dependencies and settings, which its functions receive as a parameter. */

import type pg from "pg";
import type { Embedder } from "../../base/embedder.ts";
import type { RateLimit } from "../../base/rate-limit.ts";
import { splitDomain } from "../../base/site-domain.ts";
import type { DeploymentKind } from "../../engine/site/features.ts";
import type { AllowedHosts } from "../../io/allowed-hosts.ts";
import type { GitOptions } from "../../io/check-git-source.ts";
import type { Objects } from "../../io/objects.ts";
import type { ServiceMailer } from "./limited-mailer.ts";
import type { Queue } from "./queue.ts";
import type { Secrets } from "./secrets.ts";
import type { Database } from "./tables.ts";

export interface Service {
  db: Database;
  pool: pg.Pool;
  objects: Objects;
  queue: Queue;
  /** Returns a new ID. IDs sort by creation time. */
  ulid(): string;
  /** Returns this number of cryptographically secure random bytes. */
  random(bytes: number): Buffer;
  /** Encrypts and decrypts secrets in the database. */
  secrets: Secrets;
  rateLimit: RateLimit;
  /**
   * Embedding model for search by meaning, and the languages that it is used for; undefined if the operator
   * configured none.
   */
  embedding?: { embedder: Embedder; languages: ReadonlySet<string> } | undefined;
  /** Sends emails; undefined if the operator configured no SMTP server. */
  mail?: ServiceMailer | undefined;
  settings: ServiceSettings;
}

export interface ServiceSettings {
  /** Public base URL of the API, without a trailing slash. */
  url: string;
  /** Parent domain of sites, which are served at `<subdomain>.<sitesDomain>`. */
  sitesDomain: string;
  /** Host name and IP addresses that custom domains must point to. Default: the site's default host. */
  domainTargets?: readonly string[];
  /** Secret that keys are derived from, for example to sign links and cookies. Shared by all processes. */
  secret: string;
  /** Maximum number of requests to the analytics API per organization and hour. */
  analyticsLimit_count: number;
  kind: DeploymentKind;
  /**
   * Whether search is available. This and the next two fields depend on the kind of deployment and the
   * operator's settings.
   */
  hasSearch: boolean;
  hasAssistant: boolean;
  hasAnalytics: boolean;
  /** Whether the operator has configured a language model. Projects without a model use it. */
  hasModel?: boolean;
  /** Whether sites have playgrounds. Default: true, unless the kind is `air-gapped`. */
  hasPlayground?: boolean;
  /**
   * Hosts that the service may call in addition to the public internet, for example for playgrounds, webhooks
   * and builds.
   */
  allowed?: AllowedHosts;
  /**
   * Issuer of the sign-in provider, if users can only sign in to the dashboard there and not with a password.
   */
  requiredIssuer?: string | undefined;
  /** Options for reading git repositories. */
  git: Omit<GitOptions, "signal">;
  /** Lifetime of download links. */
  linkLife_s: number;
  /** Maximum total size of an organization's objects in the object store, in bytes. */
  storageLimit_bytes: number;
  /** Folder for temporary files and caches of this process. */
  workFolder: string;
}

/**
 * Returns the default host name of a project's site. Previews and verified domains have different host names.
 */
export function defaultHost(
  { sitesDomain }: Pick<ServiceSettings, "sitesDomain">,
  subdomain: string,
): string {
  return `${subdomain}.${sitesDomain}`;
}

/**
 * Returns the domain that a deployment is built for: the host of its preview, or else the project's first
 * verified domain or its default host. A preview is below the same path as the verified domain.
 */
export function deploymentDomain(
  settings: Pick<ServiceSettings, "sitesDomain">,
  {
    preview_host,
    domain,
    subdomain,
  }: { preview_host: string | null; domain: string | null; subdomain: string },
): string {
  if (preview_host === null) return domain ?? defaultHost(settings, subdomain);
  return preview_host + splitDomain(domain ?? "").path;
}

/**
 * Returns the URL of a site at a domain such as `example.com/docs`. The scheme and port are those of the API.
 */
export function siteUrl({ url }: Pick<ServiceSettings, "url">, domain: string): string {
  const base = new URL(url);
  const { host, path } = splitDomain(domain);
  return `${base.protocol}//${host}${base.port ? `:${base.port}` : ""}${path}`;
}
