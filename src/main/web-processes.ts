/** Runs several web processes on one port. They only share the port, the database, and the object store. */

import cluster, { type Worker } from "node:cluster";
import path from "node:path";
import type { Logger } from "pino";
import { limits } from "../base/limits.ts";
import { type Configuration, ConfigurationError } from "./service-configuration.ts";
import type { ProcessRole } from "./start-service.ts";

/** Pause before a process that ended is started again. */
const restart_ms = 1_000;
/** How long the processes may take to stop after their open requests. */
const end_ms = 5_000;

/**
 * Starts this program again in several processes, restarts those that end, and stops them when `interrupted`
 * resolves. Resolves with the exit code. If the first process can't start, that is its exit code. Throws
 * `ConfigurationError` if the role or the database allows only one process.
 */
export async function runWebProcesses(
  role: ProcessRole,
  configuration: Configuration,
  { logger, interrupted }: { logger: Logger; interrupted: Promise<void> },
): Promise<number> {
  if (role !== "web" || configuration.databaseUrl === undefined)
    throw new ConfigurationError(
      "OCTAVO_WEB_PROCESSES needs --role web and DATABASE_URL. Run workers with --role worker.",
    );

  cluster.setupPrimary({ exec: process.argv[1]!, args: process.argv.slice(2) });
  /** Whether processes that end are started again. */
  let restartsEnded = false;
  const restarts = new Set<NodeJS.Timeout>();

  const start = (number: number): Worker => {
    const worker = cluster.fork({
      OCTAVO_WEB_PROCESSES: "1",
      OCTAVO_DATA: path.join(configuration.dataFolder, `web-${number}`),
      OCTAVO_STORAGE: configuration.storage,
      OCTAVO_SECRET: configuration.secret,
      // Each process has its own metrics.
      ...(configuration.internalPort === undefined
        ? {}
        : { OCTAVO_INTERNAL_PORT: String(configuration.internalPort + number - 1) }),
    });
    worker.once("exit", (code, signal) => {
      if (!restartsEnded) return;
      logger.error({ number, code, signal }, "a web process ended, will start it again");
      const restart = setTimeout(() => {
        restarts.delete(restart);
        start(number);
      }, restart_ms);
      restarts.add(restart);
    });
    return worker;
  };

  // The first process migrates the database and creates the initial data.
  const first = start(1);
  const failed = new Promise<number>((resolve) => first.once("exit", (code) => resolve(code ?? 1)));
  const listens = new Promise<undefined>((resolve) => first.once("listening", () => resolve(undefined)));
  const code = await Promise.race([failed, listens, interrupted]);
  if (typeof code === "number") return code;

  restartsEnded = true;
  for (let number = 2; number <= configuration.webProcesses_count; number++) start(number);
  logger.info({ processes: configuration.webProcesses_count }, "started");
  await interrupted;

  restartsEnded = false;
  for (const restart of restarts) clearTimeout(restart);
  await stopAll();
  return 0;
}

/** Stops all processes after their open requests. */
async function stopAll(): Promise<void> {
  const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
  const kill = setTimeout(() => {
    for (const worker of workers) worker.process.kill("SIGKILL");
  }, limits.stop_ms + end_ms);
  await Promise.all(
    workers.map((worker) => {
      const ended = new Promise((resolve) => worker.once("exit", resolve));
      worker.process.kill("SIGTERM");
      return worker.isDead() ? undefined : ended;
    }),
  );
  clearTimeout(kill);
}
