/** Types of a caller's authorization: the organization whose data the caller can read or write, and the origin of a request. */

import type { Plan } from "./tables.ts";

/** Organization and permissions of a caller, from a credential (`keys/authenticate.ts`), a dashboard session, or a job's row. */
export interface Scope {
  organizationId: string;
  plan: Plan;
  /** Actor for the audit log: `member` and an email, `key` with its ID and last characters, `operator`, `service` or `webhook`. */
  actor: string;
  /** Project of an assistant key; absent for other callers. */
  projectId?: string;
  /** Reader groups whose pages an assistant key can read. Empty for admin keys, and absent for other callers. */
  groups?: readonly string[];
}

/** Origin of a request, for the audit log. */
export interface Origin {
  requestId?: string;
  address?: string;
}
