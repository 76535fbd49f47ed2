/**
 * Types of background jobs and their queue. A job is delivered at least once, and can be delivered again
 * after its worker has lost the lease. The payload identifies a row with the state of the work. Deployments
 * and exports check the attempt when they write to this row, so that a worker changes nothing after another
 * worker has taken the job.
 */

import type { Tx } from "./tables.ts";

/** Payload of each job, by job name. The worker has a handler for each (`JobHandlers`). */
export interface JobPayloads {
  deploy: { deploymentId: string };
  /**
   * A deployment of a pull request, whose author may be a stranger. Apart from the others, so that it never
   * delays them.
   */
  "deploy-pull-request": { deploymentId: string };
  /** Computes the vectors of a live deployment. */
  "embed-passages": { deploymentId: string };
  "static-export": { exportId: string };
  "report-deployment": { deploymentId: string; organizationId: string };
  "mirror-repository": { projectId: string };
  categorize: { projectId: string; messageId: string };
}

export type JobName = keyof JobPayloads;

export interface Job<Name extends JobName> {
  payload: JobPayloads[Name];
  /**
   * Number of the attempt: 1 for the first worker that takes the job, and one more each time a worker takes
   * the job again.
   */
  attempt: number;
  /**
   * Aborted when the worker has lost the lease or the process stops. The handler must then end without
   * further writes.
   */
  signal: AbortSignal;
}

export interface JobHandler<Name extends JobName> {
  /**
   * Maximum number of failed attempts, after which the job is given up. Some attempts whose worker vanishes
   * don't count.
   */
  attempts: number;
  /**
   * Maximum number of jobs of this name that a process runs concurrently. If absent, the queue's own number.
   */
  slots?: number;
  run(job: Job<Name>): Promise<void>;
  /** Called when no attempts are left. If this function fails, it is called again. */
  giveUp(payload: JobPayloads[Name], failure: JobFailure): Promise<void>;
}

/** Why the last attempt of a job failed. */
export interface JobFailure {
  message: string;
  isDiskFull: boolean;
}

/**
 * Thrown for an expected failure that another attempt wouldn't fix. The handler stores the message for the
 * organization.
 */
export class JobFailed extends Error {}

/** Thrown for a failure of another party, such as a Git server. The job is tried again, but not logged. */
export class ForeignFailure extends Error {}

export type JobHandlers = { [Name in JobName]: JobHandler<Name> };

/** Organization and project that a job is for. */
export interface JobOwner {
  organizationId: string;
  projectId: string;
}

export interface Queue {
  /**
   * Adds a job, which becomes visible when the transaction is committed. Jobs of organizations with fewer
   * running jobs of this name come first, then jobs whose organization had fewer waiting jobs when they were
   * added. Of an organization's jobs, the first one of each project comes first, then the second ones, and so
   * on. Jobs that have failed come after those that haven't.
   */
  enqueue<Name extends JobName>(
    tx: Tx,
    name: Name,
    payload: JobPayloads[Name],
    owner: JobOwner,
  ): Promise<void>;
  /** Takes and runs jobs until `stop` is called. Resolves when no more jobs are taken. */
  work(handlers: JobHandlers): Promise<void>;
  /** Runs all jobs that are due, including those that they add. Resolves when these jobs have ended. */
  runDue(handlers: JobHandlers): Promise<void>;
  /**
   * Stops taking jobs, and returns the running jobs to the queue without counting a failed attempt. Waits at
   * most a few seconds for them to end.
   */
  stop(): Promise<void>;
}
