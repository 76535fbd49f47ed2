/** Starts the parts of the service that a process's role needs, and shuts them down. */

import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Logger } from "pino";
import type { StartBuild } from "../builder/build-process.ts";
import { invitationPath } from "../service/accounts/invitations.ts";
import { createInitialData, type FirstStart } from "../service/app/first-start.ts";
import { createWorker, type Worker } from "../service/app/worker.ts";
import { defaultHost, type Service, siteUrl } from "../service/core/service.ts";
import { vacuumTables } from "../service/core/vacuum.ts";
import { triggerDeployment, undeployedFolders } from "../service/deployments/deployments.ts";
import { clearScratch } from "./clear-scratch.ts";
import { openService, openStorage } from "./open-service.ts";
import type { Configuration } from "./service-configuration.ts";
import { startWebServer, type WebServer } from "./web-server.ts";

/** Pause between two vacuums of an embedded database. */
const upkeep_ms = 600_000;

export type ProcessRole = "all" | "web" | "worker";

export interface StartOptions {
  role: ProcessRole;
  /** Folder of the executables. */
  product: string;
  logger: Logger;
  /** Receives the lines with the service's URLs and the credentials of the first start. */
  out(line: string): void;
  /**
   * Whether the credentials of the first start are printed. If not, they are written to a file in the data
   * folder.
   */
  printsCredentials: boolean;
  startBuild: StartBuild;
}

export interface StartedService {
  service: Service;
  web: WebServer;
  /** Undefined if the role is `web`. The caller starts it. */
  worker: Worker | undefined;
  /** Stops the worker and the web server, and closes the database. */
  stop(): Promise<void>;
}

/** Opens the service and starts its web server. Creates the initial data at the first start. */
export async function startService(
  configuration: Configuration,
  options: StartOptions,
): Promise<StartedService> {
  const { role, product, logger, startBuild } = options;
  const storage = await openStorage(product, configuration);
  const service = await openService(storage, configuration, (error) => logger.error({ err: error }, "job"));
  await clearScratch(service.settings.workFolder, service.ulid(), (error) =>
    logger.error({ err: error }, "upkeep"),
  );
  const first = await begin(service, configuration, path.join(product, "../docs"));

  // Workers also have a web server, for probes and metrics.
  const web = await startWebServer(service, configuration, {
    logger,
    dashboardFolder: path.join(product, "dashboard"),
    startBuild,
  });
  const worker =
    role === "web"
      ? undefined
      : createWorker(service, { startBuild, report: (error) => logger.error({ err: error }, "sweep") });

  const upkeep = storage.database.isEmbedded
    ? setInterval(
        () =>
          void vacuumTables(service.pool).catch((error: unknown) => logger.error({ err: error }, "upkeep")),
        upkeep_ms,
      )
    : undefined;

  // The credentials of the first start are known only to the process that created them, which can be a
  // worker.
  if (role !== "worker" || first) announce(options, service, configuration, first);

  return {
    service,
    web,
    worker,
    async stop() {
      // The worker stops while open requests are answered, so that other workers can take its jobs.
      clearInterval(upkeep);
      const webStopped = web.stop();
      await worker?.stop();
      await webStopped;
      await storage.database.close();
    },
  };
}

/**
 * At the first start, creates the initial data. The source of the first project is `docsFolder` or, if that
 * is undefined, Octavo's documentation. If there is no such folder, the source is uploads. At every start,
 * deploys all projects that have a folder as their source and no deployment yet. Resolves with undefined if
 * it isn't the first start.
 */
async function begin(
  service: Service,
  { docsFolder, bootstrapKey }: Configuration,
  ownDocs: string,
): Promise<FirstStart | undefined> {
  const folder = docsFolder ?? ownDocs;
  const first = await createInitialData(service, {
    docsFolder: folder !== "" && existsSync(folder) ? path.resolve(folder) : undefined,
    key: bootstrapKey,
  });
  // Runs at every start, because an earlier process may have stopped before this step.
  for (const { projectId, ...owner } of await undeployedFolders(service))
    await triggerDeployment(service, owner, projectId, "start");
  return first;
}

function announce(
  { role, out, printsCredentials }: StartOptions,
  { settings }: Service,
  { bootstrapKey, dataFolder, operatorToken }: Configuration,
  first: FirstStart | undefined,
): void {
  const dashboard = `${settings.url}/dashboard`;
  out(`API            ${settings.url}`);
  out(`Documentation  ${siteUrl(settings, defaultHost(settings, "docs"))}`);
  out(`Dashboard      ${dashboard}`);
  if (first) out(`Project ID     ${first.projectId}`);

  const credentials = first && [
    // A key that the operator has set isn't printed.
    ...(bootstrapKey === undefined ? [`Admin key      ${first.key}   (shown only once)`] : []),
    `First admin    ${settings.url}${invitationPath(first.invitation)}   (works once, expires in 7 days)`,
  ];

  if (!credentials) return out(`\nOpen ${dashboard}`);

  if (printsCredentials) {
    for (const line of credentials) out(line);
    return out("\nTo create your account, open the First admin link.");
  }

  // With several processes, the file could be on any of their machines. The operator can create an invitation
  // instead.
  if (role !== "all" && operatorToken !== undefined)
    return out(
      `First admin    octavo admin invite --organization ${first.organizationId} --email EMAIL --role admin`,
    );

  const file = path.join(dataFolder, "first-start.txt");
  writeFileSync(file, `${credentials.join("\n")}\n`, { mode: 0o600 });
  if (bootstrapKey === undefined) out(`Admin key      The key is in ${file}`);

  out(`First admin    The invitation link is in ${file}`);
}
