/** Authorization of a caller: the organization whose data it can read or write. */

import type { Plan } from "./tables.ts";

/** Comes from a credential (`keys/authenticate.ts`), a dashboard session, or a job's row. */
export interface Scope {
  organizationId: string;
  plan: Plan;
  /** Actor for the audit log: `member` and an email, `key` with its ID and last characters, `operator`, `service` or `webhook`. */
  actor: string;
  /** Project of an assistant key; absent for other callers. */
  projectId?: string;
  /** Reader groups whose pages an assistant key can read; empty for admin keys, absent for other callers. */
  groups?: readonly string[];
}

/** Origin of a request, for the audit log. */
export interface Origin {
  requestId?: string;
  address?: string;
}
