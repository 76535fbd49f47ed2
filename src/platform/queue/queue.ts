/**
 * Jobs: delivered at least once, to one worker at a time. A job names a row of its feature; the row holds what the public
 * sees, and every write to it names the attempt, so that a worker that comes back late changes nothing.
 */
import type { Tx } from "../tables.ts";

export type JobName = "deploy" | "static-export" | "categorize";

export interface Job {
  /** Id of the row that the job is about. */
  id: string;
  /** 1 for the first worker that takes the job, and one more for each that takes it over. */
  attempt: number;
  /** Aborted when the job was taken over or the process is ending: stop, and write nothing more. */
  signal: AbortSignal;
}

export interface JobHandler {
  /** How many workers may fail at it, by a fault of ours, before it is given up. */
  attempts: number;
  run(job: Job): Promise<void>;
  /** Called once when no attempt is left. */
  giveUp(id: string, message: string): Promise<void>;
}

export interface Queue {
  /**
   * Becomes visible with the transaction. Organizations take turns: those with fewer running jobs of the name come first,
   * then those that had fewer waiting.
   */
  enqueue(tx: Tx, name: JobName, id: string, organizationId: string): Promise<void>;
  /** Takes jobs until `stop`. */
  work(handlers: Record<JobName, JobHandler>): Promise<void>;
  /** Takes no more jobs, lets go of those in hand at once, and ends. */
  stop(): Promise<void>;
}
