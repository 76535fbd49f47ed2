/** What each job does. */
import { type DeployTools, deployJob } from "../platform/deployments/deploy-job.ts";
import type { JobHandler, JobName } from "../platform/queue/queue.ts";
import type { Service } from "../platform/service.ts";

export function jobs(service: Service, tools: DeployTools): Record<JobName, JobHandler> {
  const absent: JobHandler = { attempts: 1, run: async () => {}, giveUp: async () => {} };
  return { deploy: deployJob(service, tools), "static-export": absent };
}
