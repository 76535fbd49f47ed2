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
  /** Of the database. */
  secrets: Secrets;
  rateLimit: RateLimit;
  settings: ServiceSettings;
}

export interface ServiceSettings {
  /** The public base URL of the API, without a slash at its end. */
  url: string;
  /** Sites live at `<subdomain>.<sitesDomain>`. */
  sitesDomain: string;
  /** Signs links and cookies; shared by all processes. */
  secret: string;
  analyticsLimit_count: number;
  kind: DeploymentKind;
  /** By the kind of this deployment and its operator's settings. */
  hasSearch: boolean;
  hasAssistant: boolean;
  hasAnalytics: boolean;
  /** Absent: as the kind has it. */
  hasPlayground?: boolean;
  /** Where playgrounds may send requests besides the public internet. */
  allowed?: AllowedHosts;
  /** Set: people sign in to the dashboard at this provider only, never by a password. */
  requiredIssuer?: string | undefined;
  /** What git may use besides https; absent: nothing. */
  git?: { protocols: readonly ("ssh" | "http" | "file")[] };
  linkLife_s: number;
  /** What an organization may use of the object store. */
  storageLimit_bytes: number;
  /** Scratch space of this process, and caches that may be lost. */
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
