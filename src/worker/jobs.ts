/** What each job does. */
import type { JobHandler, JobName } from "../platform/queue/queue.ts";
import type { Service } from "../platform/service.ts";

export function jobs(_service: Service): Record<JobName, JobHandler> {
  const absent: JobHandler = { attempts: 1, run: async () => {}, giveUp: async () => {} };
  return { deploy: absent, "static-export": absent };
}
