/** Implements `octavo serve`: runs the service until the process is interrupted. */

import cluster from "node:cluster";
import path from "node:path";
import pino from "pino";
import { limits } from "../base/limits.ts";
import { buildEnvironment } from "../builder/build-environment.ts";
import { BuildProcess } from "../builder/build-process.ts";
import type { Terminal } from "../cli/terminal.ts";
import { WrongSecret } from "../service/core/secrets.ts";
import { runServer } from "./run-server.ts";
import { type Configuration, readConfiguration } from "./service-configuration.ts";
import { type ProcessRole, startService } from "./start-service.ts";
import { runWebProcesses } from "./web-processes.ts";

/**
 * Runs the service. `product` is the folder of the executables. Resolves with the exit code when the service
 * has stopped.
 */
export function serve(
  role: ProcessRole,
  product: string,
  terminal: Pick<Terminal, "out" | "note" | "interrupted">,
): Promise<number> {
  return runServer(() => run(role, product, readConfiguration(process.env), terminal), WrongSecret, terminal);
}

async function run(
  role: ProcessRole,
  product: string,
  configuration: Configuration,
  terminal: Pick<Terminal, "out" | "interrupted">,
): Promise<number> {
  // Read before the start, so that a signal doesn't end the process in the middle of it.
  const { interrupted } = terminal;

  const logger = pino(
    { level: configuration.logLevel, base: { role }, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ dest: 2, sync: true }),
  );

  if (configuration.webProcesses_count > 1)
    return runWebProcesses(role, configuration, { logger, interrupted });

  const started = await startService(configuration, {
    role,
    product,
    logger,
    // Of several web processes, the first one creates the initial data.
    out: cluster.isWorker && cluster.worker!.id > 1 ? () => {} : terminal.out,
    // In production, logs may be stored and other people may read them.
    printsCredentials: process.stdout.isTTY || process.env.NODE_ENV !== "production",
    startBuild: (callbacks) =>
      new BuildProcess({
        module: path.join(product, "build.js"),
        env: buildEnvironment(process.env),
        threads: configuration.buildThreads_count,
        caps: { cpu_s: limits.buildCpu_s, memory_bytes: limits.buildMemory_bytes },
        ...callbacks,
      }),
  });

  await started.worker?.start();
  logger.info({ url: configuration.url }, "started");
  await interrupted;
  logger.info("stopping");
  await started.stop();
  logger.info("stopped");

  return 0;
}
