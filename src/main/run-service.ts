/** Implements `octavo serve`: starts the parts of the service that the process's role needs, and shuts them down. */

import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import pino from "pino";
import { limits } from "../base/limits.ts";
import { buildEnvironment } from "../builder/build-environment.ts";
import { BuildProcess } from "../builder/build-process.ts";
import type { Terminal } from "../cli/command.ts";
import { DataLocked } from "../io/data-lock.ts";
import { FolderNotPrivate } from "../io/private-folder.ts";
import { systemErrorText } from "../io/system-error.ts";
import { invitationPath } from "../service/accounts/invitations.ts";
import { createInitialData, type FirstStart } from "../service/app/first-start.ts";
import { startWorker } from "../service/app/worker.ts";
import { WrongSecret } from "../service/core/secrets.ts";
import { defaultHost, type Service, siteUrl } from "../service/core/service.ts";
import { vacuumTables } from "../service/core/vacuum.ts";
import { triggerDeployment, undeployedFolders } from "../service/deployments/deployments.ts";
import { clearDeploymentScratch } from "../service/deployments/sweep-deployments.ts";
import { openService, openStorage } from "./open-service.ts";
import { type Configuration, ConfigurationError, readConfiguration } from "./service-configuration.ts";
import { keepHeapSmall } from "./small-heap.ts";
import { startWebServer } from "./web-server.ts";

/** Pause between two vacuums of an embedded database. */
const upkeep_ms = 600_000;

export type ProcessRole = "all" | "web" | "worker";

/** Runs the service. `product` is the folder of the executables. Resolves with the exit code when the service has stopped. */
export async function serve(role: ProcessRole, product: string, terminal: Pick<Terminal, "out" | "note" | "interrupted">): Promise<number> {
  keepHeapSmall();
  try {
    return await run(role, product, readConfiguration(process.env), terminal);
  } catch (error) {
    const operatorErrors = [ConfigurationError, DataLocked, FolderNotPrivate, WrongSecret];
    const isOperatorError = operatorErrors.some((kind) => error instanceof kind);
    const isPortTaken = (error as NodeJS.ErrnoException).code === "EADDRINUSE";
    if (!isOperatorError && !isPortTaken) throw error;
    const hint = ". Stop the process that uses it, or set PORT or OCTAVO_INTERNAL_PORT to a different port.";
    terminal.note(isPortTaken ? `${systemErrorText(error)}${hint}` : (error as Error).message);
    return 2;
  }
}

async function run(
  role: ProcessRole,
  product: string,
  configuration: Configuration,
  terminal: Pick<Terminal, "out" | "interrupted">,
): Promise<number> {
  const logger = pino(
    { level: configuration.logLevel, base: { role }, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ dest: 2, sync: true }),
  );
  const storage = await openStorage(product, configuration);
  const service = await openService(storage, configuration, (error) => logger.error({ err: error }, "job"));
  clearDeploymentScratch(service);
  const first = await begin(service, configuration, path.join(product, "../docs"));
  // Workers also have a web server, for probes and metrics.
  const web = await startWebServer(service, configuration, logger, path.join(product, "dashboard"));
  const worker =
    role === "web"
      ? undefined
      : await startWorker(service, {
          startBuild: (callbacks) =>
            new BuildProcess({
              module: path.join(product, "build.js"),
              env: buildEnvironment(process.env),
              caps: { cpu_s: limits.buildCpu_s, memory_bytes: limits.buildMemory_bytes },
              ...callbacks,
            }),
          report: (error) => logger.error({ err: error }, "sweep"),
        });
  const upkeep = storage.database.isEmbedded
    ? setInterval(() => void vacuumTables(service.pool).catch((error: unknown) => logger.error({ err: error }, "upkeep")), upkeep_ms)
    : undefined;
  logger.info({ url: configuration.url }, "started");
  // The credentials of the first start are known only to the process that created them, which can be a worker.
  if (role !== "worker" || first) announce(terminal, service, configuration, first);

  await terminal.interrupted;
  logger.info("stopping");
  // The worker stops while open requests are answered, so that other workers can take its jobs.
  clearInterval(upkeep);
  const webStopped = web.stop();
  await worker?.stop();
  await webStopped;
  await storage.database.close();
  logger.info("stopped");
  return 0;
}

/**
 * At the first start, creates the initial data. The source of the first project is `docsFolder` or, if that is undefined, Octavo's
 * documentation. If there is no such folder, the source is uploads. At every start, deploys all projects that have a folder as their source
 * and no deployment yet. Resolves with undefined if it isn't the first start.
 */
async function begin(service: Service, { docsFolder, bootstrapKey }: Configuration, ownDocs: string): Promise<FirstStart | undefined> {
  const folder = docsFolder ?? ownDocs;
  const first = await createInitialData(service, {
    docsFolder: folder !== "" && existsSync(folder) ? path.resolve(folder) : undefined,
    key: bootstrapKey,
  });
  // Runs at every start, because an earlier process may have stopped before this step.
  for (const { projectId, ...owner } of await undeployedFolders(service)) await triggerDeployment(service, owner, projectId, "start");
  return first;
}

function announce(
  terminal: Pick<Terminal, "out">,
  { settings }: Service,
  { bootstrapKey, dataFolder }: Configuration,
  first: FirstStart | undefined,
): void {
  terminal.out(`API            ${settings.url}`);
  terminal.out(`Documentation  ${siteUrl(settings, defaultHost(settings, "docs"))}`);
  terminal.out(`Dashboard      ${settings.url}/dashboard`);
  if (!first) return;
  terminal.out(`Project ID     ${first.projectId}`);
  const credentials = [
    // A key that the operator has set isn't printed.
    ...(bootstrapKey === undefined ? [`Admin key      ${first.key}   (shown only once)`] : []),
    `First admin    ${settings.url}${invitationPath(first.invitation)}   (works once, expires in 7 days)`,
  ];
  // In production, logs may be stored and other people may read them, so credentials are written to a file.
  if (process.stdout.isTTY || process.env.NODE_ENV !== "production") return credentials.forEach((line) => terminal.out(line));
  const file = path.join(dataFolder, "first-start.txt");
  writeFileSync(file, `${credentials.join("\n")}\n`, { mode: 0o600 });
  if (bootstrapKey === undefined) terminal.out(`Admin key      The key is in ${file}`);
  terminal.out(`First admin    The invitation link is in ${file}`);
}
