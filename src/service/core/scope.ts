/**
 * Types of a caller's authorization: the organization whose data the caller can read or write, and the origin
 * of a request.
 */

import type { Plan } from "./tables.ts";

/**
 * Organization and permissions of a caller, usually from an API key (`keys/authenticate.ts`) or a dashboard
 * session.
 */
export interface Scope {
  organizationId: string;
  plan: Plan;
  /**
   * Actor for the audit log and for deployments, such as `member` and an email, or `key` and the key's ID and
   * last characters.
   */
  actor: string;
  /** Project of an assistant key; absent for other callers. */
  projectId?: string;
  /** The project of the request, if it's known to belong to the organization. */
  checkedProjectId?: string;
  /**
   * Reader groups whose pages an assistant key can read. Empty for admin keys, and absent for other callers.
   */
  groups?: readonly string[];
}

/** Origin of a request, for the audit log. */
export interface Origin {
  requestId?: string;
  address?: string;
}
