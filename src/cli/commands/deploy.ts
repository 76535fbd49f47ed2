import { Readable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import type { Static } from "@sinclair/typebox";
import { plural } from "../../base/plural.ts";
import type { Problem } from "../../base/problem.ts";
import { buildFiles } from "../../engine/site/sources/classify-files.ts";
import { docsFolderFiles } from "../../io/docs-folder-files.ts";
import { packArchive } from "../../io/pack-archive.ts";
import { ApiError, type Client } from "../../service/app/client.ts";
import {
  createDeployment,
  type Deployment,
  getDeployment,
  preview,
  stateLabel,
} from "../../service/deployments/contract.ts";
import { type Command, UsageError } from "../command.ts";
import { docsFolder } from "../docs-folder.ts";
import { formatProblems, problemJson, problemSummary } from "../format-problems.ts";
import { errorMessage, serviceClient } from "../service-client.ts";
import type { Terminal } from "../terminal.ts";

type DeploymentFacts = Static<typeof Deployment>;

/** Interval at which the deployment is polled. */
const poll_ms = 500;
/**
 * How long polling is retried while the service is unreachable or returns errors. Long enough for a restart
 * of the service.
 */
const retry_ms = 60_000;

export const deploy: Command = {
  name: "deploy",
  summary: "Deploy a documentation folder and wait until it's live.",
  usage: "deploy [DIR] --project ID [--preview BRANCH] [--publish-with-errors] [--no-wait]",
  example:
    "octavo deploy docs --project 01KAJ4V7M2Q8R5T9W3X6Y1Z0AB   (with OCTAVO_URL and OCTAVO_API_KEY in the environment)",
  positionals: 1,
  options: {
    project: { type: "string", argument: "ID", description: "ID of the project to deploy to." },
    preview: {
      type: "string",
      argument: "BRANCH",
      description: "Deploy a preview of a branch of the project's Git repository, instead of a folder.",
    },
    "publish-with-errors": {
      type: "boolean",
      description: "Go live even with errors that the live site doesn't have.",
    },
    "no-wait": { type: "boolean", description: "Exit when the deployment is queued." },
    json: { type: "boolean", description: "Print the result as JSON." },
  },
  async run({ positionals, values }, terminal) {
    const { project: projectId, preview: branch } = values;
    if (typeof projectId !== "string") throw new UsageError("Missing --project ID, the project to deploy to");
    const isPreview = typeof branch === "string";
    const publishWithErrors = values["publish-with-errors"] === true;
    if (isPreview && publishWithErrors)
      throw new UsageError("A preview is always published, so it can't have --publish-with-errors");
    if (isPreview && positionals.length > 0)
      throw new UsageError("A preview is built from the branch, so it can't have a folder");

    const folder = docsFolder(positionals[0]);
    const client = serviceClient(terminal, "deploy", "key");
    try {
      const started = isPreview
        ? await startPreview(client, projectId, branch)
        : await upload(client, projectId, folder, publishWithErrors);
      const ended = values["no-wait"] ? started : await untilEnded(client, started, terminal);
      if (!ended) return 2;
      return printResult(ended, values.json === true, terminal);
    } catch (error) {
      const isUnknown = error instanceof ApiError && error.status === 404;
      terminal.note(isUnknown ? unknownProject(projectId) : errorMessage(error, terminal));
      return 2;
    }
  },
};

/** Uploads a folder. Resolves with the queued deployment. */
function upload(
  client: Client,
  projectId: string,
  folder: string,
  publishWithErrors: boolean,
): Promise<DeploymentFacts> {
  const { files } = docsFolderFiles(folder);
  const packed = packArchive({ ...files, paths: buildFiles(files) });
  return client(createDeployment, {
    params: { projectId },
    query: { trigger: "cli", ...(publishWithErrors ? { publishWithErrors: "true" as const } : {}) },
    body: Readable.toWeb(packed),
  });
}

async function startPreview(client: Client, projectId: string, branch: string): Promise<DeploymentFacts> {
  const { statusId } = await client(preview, { params: { projectId }, body: { branch } });
  return client(getDeployment, { params: { id: statusId } });
}

function unknownProject(id: string): string {
  return `OCTAVO_API_KEY has no project with the ID ${id}. Copy the ID from the project's settings in the dashboard.`;
}

/** Polls a deployment until it has ended, and prints its log. Resolves with undefined if interrupted. */
async function untilEnded(
  client: Client,
  started: DeploymentFacts,
  terminal: Terminal,
): Promise<DeploymentFacts | undefined> {
  let isInterrupted = false;
  void terminal.interrupted.then(() => {
    isInterrupted = true;
  });
  let printed_count = 0;
  let respondedAt_ms = performance.now();
  for (;;) {
    try {
      const now = await client(getDeployment, { params: { id: started.id } });
      respondedAt_ms = performance.now();
      for (const line of now.logs.slice(printed_count)) terminal.note(line);
      printed_count = now.logs.length;
      if (now.status === "success" || now.status === "failure") return now;
    } catch (error) {
      const isTransient = !(error instanceof ApiError) || error.status >= 500 || error.status === 429;
      if (!isTransient || performance.now() - respondedAt_ms > retry_ms) throw error;
    }
    if (isInterrupted) {
      terminal.note(`Deployment ${started.id} continues in the background`);
      return undefined;
    }
    await Promise.race([wait(poll_ms), terminal.interrupted]);
  }
}

function printResult(deployment: DeploymentFacts, isJson: boolean, terminal: Terminal): number {
  const { id, status, isLive, liveState, url, summary, pageCount } = deployment;
  const isHeld = liveState === "held";
  const problems = deployment.problems as Problem[];
  if (problems.length) terminal.note(`\n${formatProblems(problems, { ...terminal, most: 20 })}\n`);

  if (isJson) {
    if (status === "failure") terminal.note(failureText(liveState, summary));
    if (isHeld) terminal.note(heldText(summary));
    terminal.out(
      JSON.stringify({
        id,
        status,
        isLive,
        liveState,
        url,
        summary,
        pages: pageCount,
        problems: problems.map(problemJson),
      }),
    );
  } else {
    if (status === "failure") terminal.out(failureText(liveState, summary));
    else if (isHeld) terminal.out(heldText(summary));
    else if (status === "success")
      terminal.out(
        `${stateLabel(liveState)}: ${plural(pageCount ?? 0, "page")}, ${problemSummary(problems)} → ${url}`,
      );
    else
      terminal.out(
        `${stateLabel(liveState)}: deployment ${id}. When it's live, it will be available at ${url}`,
      );
  }

  return status === "failure" || isHeld ? 1 : 0;
}

/** The summary of a canceled deployment is the same word. */
function failureText(state: DeploymentFacts["liveState"], summary: string | null): string {
  return state === "failed" ? `${stateLabel(state)}: ${summary}` : stateLabel(state);
}

function heldText(summary: string | null): string {
  return `${summary}. The live site doesn't have these errors and didn't change. Fix them and deploy again, or publish this deployment in the dashboard or with --publish-with-errors.`;
}
