/**
 * Runs the service's jobs, sends its notifications, checks branches and domains, and performs periodic
 * maintenance (sweeps).
 */

import { setTimeout as wait } from "node:timers/promises";
import type { StartBuild } from "../../builder/build-process.ts";
import { sweepInvitations } from "../accounts/invitations.ts";
import { sweepOneTimeTokens } from "../accounts/one-time-tokens.ts";
import { sweepSessions } from "../accounts/sessions.ts";
import { recordFailedSignIns } from "../accounts/user-audit.ts";
import { categorizeHandler } from "../assistant/categorize.ts";
import { sweepUnfinishedMessages } from "../assistant/message-rows.ts";
import { sweepModelUsage } from "../assistant/models.ts";
import { sweepChanges } from "../changes/sequence-changes.ts";
import { addQuestionTerms } from "../conversations/add-question-terms.ts";
import { sweepPartitions } from "../core/partitions.ts";
import type { JobHandlers } from "../core/queue.ts";
import type { Service } from "../core/service.ts";
import { sweepRates } from "../core/sliding-window.ts";
import { deployJob } from "../deployments/deploy-job.ts";
import { embedHandler } from "../deployments/embed-job.ts";
import { sweepDeletedProjects } from "../deployments/live-sites.ts";
import { rebuildOutdated } from "../deployments/rebuild-outdated.ts";
import { sweepDeployments } from "../deployments/sweep-deployments.ts";
import { checkDueDomains } from "../domains/domain-check-schedule.ts";
import { sweepDomains } from "../domains/domains.ts";
import { sweepRepositories } from "../git/sweep-repositories.ts";
import { sweepNotifications } from "../notifications/deliveries.ts";
import { sweepExpiringKeys } from "../notifications/expiring-keys.ts";
import { NotificationSender } from "../notifications/notification-sender.ts";
import { sweepWeeklyEvents } from "../notifications/weekly-events.ts";
import { mirrorHandler } from "../repositories/mirror.ts";
import { pollRepositories } from "../repositories/poll-repositories.ts";
import { reportHandler } from "../repositories/report-deployment.ts";
import { sweepSearches } from "../searches/searches.ts";
import { exportHandler } from "../static-export/run-export.ts";
import { sweepExports } from "../static-export/sweep-exports.ts";
import { failWaitingExports, queueWaitingExports } from "../static-export/waiting-exports.ts";
import { sweepStoredFiles } from "../storage/verify-files.ts";
import { sweepTraffic } from "../traffic/write-traffic.ts";

/** Time between two sweeps. */
const sweep_ms = 3_600_000;
/** Time between two lookups of branches and domains that are due for a check. */
const poll_ms = 5_000;
/** Time between the start of a worker and its first sweep. */
const firstSweep_ms = 60_000;

export interface WorkerOptions {
  startBuild: StartBuild;
  /** Receives errors of sweeps, checks and notifications. */
  report(error: unknown): void;
}

/** Each function that runs work once does so in the foreground, and resolves when it has ended. */
export interface Worker {
  /**
   * Takes jobs, sends notifications, and runs checks and sweeps in the background, until `stop` is called.
   */
  start(): Promise<void>;
  /** Runs the jobs that are due, including those that they add. */
  runJobs(): Promise<void>;
  /** Checks the branches and domains that are due. */
  runChecks(): Promise<void>;
  /** Runs all sweeps. */
  runSweeps(): Promise<void>;
  /** Sends the notifications that are due. */
  sendNotifications(): Promise<void>;
  /**
   * Stops taking jobs and returns the running ones to the queue, so that another worker can take them. Also
   * stops polling and notifications. A running sweep may still finish.
   */
  stop(): Promise<void>;
}

const sweeps = [
  // Before the sweeps that delete expired rows one by one.
  sweepPartitions,
  sweepDeployments,
  sweepExports,
  sweepUnfinishedMessages,
  sweepSearches,
  sweepTraffic,
  sweepSessions,
  sweepOneTimeTokens,
  sweepInvitations,
  sweepDomains,
  sweepDeletedProjects,
  sweepRepositories,
  sweepStoredFiles,
  recordFailedSignIns,
  sweepRates,
  sweepModelUsage,
  sweepExpiringKeys,
  sweepWeeklyEvents,
  sweepNotifications,
  addQuestionTerms,
  sweepChanges,
  rebuildOutdated,
];

const checks = [pollRepositories, checkDueDomains];

/** Creates a worker, which does nothing until one of its functions is called. */
export function createWorker(service: Service, { startBuild, report }: WorkerOptions): Worker {
  const deploy = deployJob(service, {
    startBuild: (onProgress) => startBuild({ onProgress }),
    onEnd: {
      succeeded: (tx, deploymentId) => queueWaitingExports(tx, service.queue, deploymentId),
      failed: (deploymentId, summary) => failWaitingExports(service, deploymentId, summary),
    },
  });

  const handlers: JobHandlers = {
    deploy,
    "deploy-pull-request": { ...deploy, slots: 1 },
    "embed-passages": embedHandler(service),
    "static-export": exportHandler(service, startBuild),
    "report-deployment": reportHandler(service),
    "mirror-repository": mirrorHandler(service),
    categorize: categorizeHandler(service),
  };

  const stopping = new AbortController();
  const { signal } = stopping;
  const sender = new NotificationSender(service, report);
  const background: Promise<void>[] = [];

  const runSweeps = async () => {
    for (const sweep of sweeps) {
      if (signal.aborted) return;
      await sweep(service).catch((error: unknown) => signal.aborted || report(error));
    }
  };

  const runCheck = (check: Check) =>
    check(service, signal).catch((error: unknown) => void (signal.aborted || report(error)));
  let first: NodeJS.Timeout | undefined;
  let sweeper: NodeJS.Timeout | undefined;
  return {
    async start() {
      background.push(service.queue.work(handlers));
      await rebuildOutdated(service).catch(report);
      first = setTimeout(runSweeps, firstSweep_ms);
      sweeper = setInterval(runSweeps, sweep_ms);
      background.push(...checks.map((check) => repeat(() => runCheck(check), signal)));
      sender.start();
    },
    runJobs: () => service.queue.runDue(handlers),
    async runChecks() {
      for (const check of checks) await runCheck(check);
    },
    runSweeps,
    sendNotifications: () => sender.sendPending(),
    async stop() {
      stopping.abort();
      clearTimeout(first);
      clearInterval(sweeper);
      await sender.stop();
      await service.queue.stop();
      await Promise.all(background);
    },
  };
}

type Check = (service: Service, signal: AbortSignal) => Promise<void>;

async function repeat(run: () => Promise<void>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await wait(poll_ms, undefined, { signal }).catch(() => {});
    if (!signal.aborted) await run();
  }
}
