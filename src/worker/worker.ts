/** Does the jobs of the service, and removes now and then what is kept no longer. */
import { limits } from "../base/limits.ts";
import { sweepRates } from "../platform/access/rate-limit.ts";
import { sweepInvitations } from "../platform/accounts/invitations.ts";
import { recordFailedSignIns } from "../platform/accounts/person-audit.ts";
import { sweepSessions } from "../platform/accounts/sessions.ts";
import { categorizeHandler } from "../platform/assistant/categorize.ts";
import { sweepModelUsage } from "../platform/assistant/models.ts";
import { sweepUnfinishedMessages } from "../platform/assistant/turns.ts";
import type { StartBuild } from "../platform/build/build-process.ts";
import { readQuestions } from "../platform/conversations/read-questions.ts";
import { type DeployTools, deployJob } from "../platform/deployments/deploy-job.ts";
import { rebuildForKind } from "../platform/deployments/rebuild-for-kind.ts";
import { sweep } from "../platform/deployments/sweep.ts";
import { sweepDomains } from "../platform/organizations/domains.ts";
import type { JobHandlers } from "../platform/queue/queue.ts";
import { sweepSearches } from "../platform/searches/searches.ts";
import type { Service } from "../platform/service.ts";
import { exportHandler } from "../platform/static-export/run.ts";
import { clearScratch, sweepExports } from "../platform/static-export/sweep.ts";
import { sweepTraffic } from "../platform/traffic/write-traffic.ts";

export interface WorkerOptions {
  startBuild: StartBuild;
  git: DeployTools["git"];
  /** Told of faults that nobody asked about. */
  report(error: unknown): void;
}

export interface Worker {
  /** Lets go of the jobs in hand at once, so that another worker takes them. */
  stop(): Promise<void>;
}

export async function startWorker(service: Service, { startBuild, git, report }: WorkerOptions): Promise<Worker> {
  const handlers: JobHandlers = {
    deploy: deployJob(service, { startBuild: (onProgress) => startBuild({ onProgress }), git }),
    "static-export": exportHandler(service, startBuild),
    categorize: categorizeHandler(service),
  };
  await clearScratch(service);
  const working = service.queue.work(handlers);
  await rebuildForKind(service).catch(report);
  let isStopping = false;
  const sweepAll = async () => {
    const sweeps = [
      sweep,
      sweepExports,
      sweepUnfinishedMessages,
      sweepSearches,
      sweepTraffic,
      sweepSessions,
      sweepInvitations,
      sweepDomains,
      recordFailedSignIns,
      sweepRates,
      sweepModelUsage,
      readQuestions,
      rebuildForKind,
    ];
    for (const sweepOne of sweeps) {
      if (isStopping) return;
      await sweepOne(service).catch((error: unknown) => isStopping || report(error));
    }
  };
  const first = setTimeout(sweepAll, limits.firstSweep_ms);
  const sweeper = setInterval(sweepAll, limits.sweep_ms);
  return {
    async stop() {
      isStopping = true;
      clearTimeout(first);
      clearInterval(sweeper);
      await service.queue.stop();
      await working;
    },
  };
}
