/** Authorization of a caller: the organization whose data it can read or write. */

import type { Plan } from "./tables.ts";

/** Comes from a credential (`keys/authenticate.ts`), a dashboard session, or a job's row. */
export interface Scope {
  organizationId: string;
  plan: Plan;
  /** Actor for the audit log, such as `key …1a2b`, `operator` or `service`. */
  actor: string;
  /** Project of an assistant key; absent for other callers. */
  projectId?: string;
  /** Reader groups whose pages an assistant key can read; absent for other callers. */
  groups?: readonly string[];
}

/** Origin of a request, for the audit log. */
export interface Origin {
  requestId?: string;
  address?: string;
}
