/**
 * Types of a caller's authorization: the organization whose data the caller can read or write, and the origin
 * of a request.
 */

import type { Database, Plan } from "./tables.ts";

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
  /**
   * Throws an AppError if the caller has lost the rights that the request needs. For requests that take long:
   * called after their body, and in transactions that deploy. Absent if the service is the caller.
   */
  requireRights?(db: Database): Promise<void>;
}

/** Origin of a request, for the audit log. */
export interface Origin {
  requestId?: string;
  address?: string;
}
