/**
 * Background jobs: delivered at least once, to one worker at a time. A job names a row of its feature. The row has the
 * public state, and every write to it checks the attempt, so that a worker that lost its lease changes nothing.
 */
import type { Tx } from "./tables.ts";

/** Every job with its payload. The worker has a handler for each (`JobHandlers`). */
export interface JobPayloads {
  deploy: { deploymentId: string };
  "static-export": { exportId: string };
  categorize: { projectId: string; messageId: string };
}

export type JobName = keyof JobPayloads;

export interface Job<Name extends JobName> {
  payload: JobPayloads[Name];
  /** 1 for the first worker that takes the job, and one more for each that takes it over. */
  attempt: number;
  /** Aborted when another worker took the job or the process stops: end, and write nothing more. */
  signal: AbortSignal;
}

export interface JobHandler<Name extends JobName> {
  /** How many times the job may fail, or its worker die, before it is given up. */
  attempts: number;
  run(job: Job<Name>): Promise<void>;
  /** Called when no attempt is left; again if it fails. */
  giveUp(payload: JobPayloads[Name], message: string): Promise<void>;
}

/** An expected failure: another attempt wouldn't help. The handler records the message for the organization. */
export class JobFailed extends Error {}

export type JobHandlers = { [Name in JobName]: JobHandler<Name> };

export interface Queue {
  /**
   * The job becomes visible with the transaction. Organizations with fewer running jobs of the name come first, then those
   * that had fewer waiting.
   */
  enqueue<Name extends JobName>(tx: Tx, name: Name, payload: JobPayloads[Name], organizationId: string): Promise<void>;
  /** Takes jobs until `stop`. */
  work(handlers: JobHandlers): Promise<void>;
  /** Takes no more jobs and hands the running ones back at once, which isn't counted as a fault. */
  stop(): Promise<void>;
}
