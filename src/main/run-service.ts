/** `octavo serve`: starts the parts of the service for the process's role and shuts them down. */

import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import pino from "pino";
import { buildEnvironment } from "../builder/build-environment.ts";
import { BuildProcess } from "../builder/build-process.ts";
import type { Terminal } from "../cli/command.ts";
import { DataLocked } from "../io/data-lock.ts";
import { FolderNotPrivate } from "../io/private-folder.ts";
import { invitationPath } from "../service/accounts/invitations.ts";
import { beginService, type FirstStart } from "../service/app/first-start.ts";
import { startWorker } from "../service/app/worker.ts";
import { WrongSecret } from "../service/core/secrets.ts";
import { defaultHost, type Service, siteUrl } from "../service/core/service.ts";
import { vacuumTables } from "../service/core/vacuum.ts";
import { triggerDeployment, undeployedFolders } from "../service/deployments/deployments.ts";
import { clearDeploymentScratch } from "../service/deployments/sweep-deployments.ts";
import { openService, openStorage } from "./open-service.ts";
import { type Configuration, ConfigurationError, readConfiguration } from "./service-configuration.ts";
import { startWebServer } from "./web-server.ts";

/** Processor time of one build of a tenant's site, including restarts: one core for half of the build's time limit. */
const buildCpu_s = 600;
/** Memory of a build process and its children, heap included. */
const buildMemory_bytes = 3 * 1024 * 1024 * 1024;
/** How often an embedded database is vacuumed. */
const upkeep_ms = 600_000;

export type ProcessRole = "all" | "web" | "worker";

/** `product`: folder of the executables. Resolves with the exit code when the service has ended. */
export async function serve(role: ProcessRole, product: string, terminal: Pick<Terminal, "out" | "note" | "interrupted">): Promise<number> {
  try {
    return await run(role, product, readConfiguration(process.env), terminal);
  } catch (error) {
    const operatorErrors = [ConfigurationError, DataLocked, FolderNotPrivate, WrongSecret];
    const isOperatorError = operatorErrors.some((kind) => error instanceof kind);
    if (!isOperatorError && (error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    terminal.note((error as Error).message);
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
  // Workers have a web server too, for probes and the metrics of their jobs.
  const web = await startWebServer(service, configuration, logger, path.join(product, "dashboard"));
  const worker =
    role === "web"
      ? undefined
      : await startWorker(service, {
          startBuild: (callbacks) =>
            new BuildProcess({
              module: path.join(product, "build.js"),
              env: buildEnvironment(process.env),
              caps: { cpu_s: buildCpu_s, memory_bytes: buildMemory_bytes },
              ...callbacks,
            }),
          git: { path: process.env.PATH, allowed: configuration.allowed, extraCaFile: configuration.extraCaFile, ...configuration.git },
          report: (error) => logger.error({ err: error }, "sweep"),
        });
  const upkeep = storage.database.isEmbedded
    ? setInterval(() => void vacuumTables(service.pool).catch((error: unknown) => logger.error({ err: error }, "upkeep")), upkeep_ms)
    : undefined;
  logger.info({ url: configuration.url }, "started");
  if (role !== "worker") announce(terminal, service, configuration, first);

  await terminal.interrupted;
  logger.info("stopping");
  // Other workers can take the jobs while the last requests are answered.
  clearInterval(upkeep);
  const webStopped = web.stop();
  await worker?.stop();
  await webStopped;
  await storage.database.close();
  logger.info("stopped");
  return 0;
}

/** At the first start, creates a project with our documentation. */
async function begin(service: Service, { docsFolder, bootstrapKey }: Configuration, ownDocs: string): Promise<FirstStart | undefined> {
  const folder = docsFolder ?? ownDocs;
  const first = await beginService(service, {
    docsFolder: folder !== "" && existsSync(folder) ? path.resolve(folder) : undefined,
    key: bootstrapKey,
  });
  // Also if an earlier process ended before this step.
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
  terminal.out(`Project id     ${first.projectId}`);
  const credentials = [
    // A key that the operator has chosen isn't printed.
    ...(bootstrapKey === undefined ? [`Admin key      ${first.key}   (shown this once)`] : []),
    `First admin    ${settings.url}${invitationPath(first.invitation)}   (works once, for a week)`,
  ];
  // In production, logs are stored and readable by others, so the credentials go to a file.
  if (process.stdout.isTTY || process.env.NODE_ENV !== "production") return credentials.forEach((line) => terminal.out(line));
  const file = path.join(dataFolder, "first-start.txt");
  writeFileSync(file, `${credentials.join("\n")}\n`, { mode: 0o600 });
  terminal.out(`First admin    The sign-in link is in ${file}`);
}
