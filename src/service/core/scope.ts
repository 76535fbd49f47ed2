/** In whose name something is done. Every verb of the platform that touches a tenant's data takes one first. */
import type { Plan } from "./tables.ts";

/** Made from a credential by `authenticate.ts`, or from a stored row by a job. */
export interface Scope {
  organizationId: string;
  plan: Plan;
  /** For the audit log: `key …1a2b`, `operator`, `service`. */
  actor: string;
  /** The one project of an assistant key. */
  projectId?: string;
  /** Of an assistant key: the groups of readers that it may ask for. */
  groups?: readonly string[];
}

/** Where a request came from, for the audit log. */
export interface Origin {
  requestId?: string;
  address?: string;
}
