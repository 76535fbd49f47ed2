/** Dependencies of the platform's functions. Passed as a parameter, never global. */
import type pg from "pg";
import type { RateLimit } from "../../base/rate-limit.ts";
import type { DeploymentKind } from "../../engine/site/features.ts";
import type { AllowedHosts } from "../../io/allowed-hosts.ts";
import type { Objects } from "../../io/objects.ts";
import type { Queue } from "./queue.ts";
import type { Secrets } from "./secrets.ts";
import type { Database } from "./tables.ts";

export interface Service {
  db: Database;
  pool: pg.Pool;
  objects: Objects;
  queue: Queue;
  /** Returns a new id; ids sort by their time. */
  ulid(): string;
  random(bytes: number): Buffer;
  /** Encrypts secrets in the database. */
  secrets: Secrets;
  rateLimit: RateLimit;
  settings: ServiceSettings;
}

export interface ServiceSettings {
  /** Public base URL of the API, without a trailing slash. */
  url: string;
  /** Sites are served at `<subdomain>.<sitesDomain>`. */
  sitesDomain: string;
  /** Signs links and cookies; shared by all processes. */
  secret: string;
  analyticsLimit_count: number;
  kind: DeploymentKind;
  /** Features, by the kind of deployment and the operator's settings. */
  hasSearch: boolean;
  hasAssistant: boolean;
  hasAnalytics: boolean;
  /** Absent: the default of the kind. */
  hasPlayground?: boolean;
  /** Private hosts that playgrounds may send requests to. */
  allowed?: AllowedHosts;
  /** If set, users sign in to the dashboard at this provider only, not with a password. */
  requiredIssuer?: string | undefined;
  /** Protocols that git may use in addition to https. */
  git?: { protocols: readonly ("ssh" | "http" | "file")[] };
  linkLife_s: number;
  /** Limit of an organization in the object store. */
  storageLimit_bytes: number;
  /** Scratch space and caches of this process. */
  workFolder: string;
}

/** Host name of a project's site; previews and verified domains have others. */
export function defaultHost({ sitesDomain }: Pick<ServiceSettings, "sitesDomain">, subdomain: string): string {
  return `${subdomain}.${sitesDomain}`;
}

/** URL of a site. The scheme and port are those of the API. */
export function siteUrl({ url }: ServiceSettings, host: string): string {
  const base = new URL(url);
  return `${base.protocol}//${host}${base.port ? `:${base.port}` : ""}`;
}
