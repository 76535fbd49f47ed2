/** Runs an action of a member, a key or the operator: an API call or a request of the dashboard. */

import type { AuditOutcome } from "../core/audit.ts";
import { errorResponse } from "./error-response.ts";

export interface ActionRun {
  isRead: boolean;
  /**
   * Resolves when this process serves all committed changes. Never rejects: if the database is unavailable,
   * the process serves them later. Undefined if the response doesn't wait.
   */
  catchUp: (() => Promise<void>) | undefined;
  /** Records the outcome in the audit log, if the action has an entry there. */
  record(outcome: AuditOutcome): Promise<void>;
  /** Receives errors from the audit log after a read, which doesn't wait for it. */
  report(error: unknown): void;
}

/**
 * Runs `act`, waits until this process serves its changes, and records the outcome. `statusOf`: HTTP status
 * of the result. Errors of the caller are recorded. Errors of the service aren't, since nothing is known to
 * have happened.
 */
export async function runAction<Result>(
  { isRead, catchUp, record, report }: ActionRun,
  act: () => Promise<Result>,
  statusOf: (result: Result) => number,
): Promise<Result> {
  let result: Result;
  try {
    result = await act();
    await catchUp?.();
  } catch (error) {
    const { status } = errorResponse(error);
    if (status < 500) await record(`${status}`);
    throw error;
  }

  const recorded = record(`${statusOf(result)}`);
  if (isRead) recorded.catch(report);
  else await recorded;

  return result;
}
