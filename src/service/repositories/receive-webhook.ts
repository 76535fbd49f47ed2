/** Handles webhook deliveries: deploys pushes to the project's branch, and previews pull requests. */

import { createHash, createHmac } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { sql } from "kysely";
import { AppError, detailText, invalid } from "../../base/app-error.ts";
import { limits } from "../../base/limits.ts";
import { parseJson } from "../../base/parse-json.ts";
import type { GitProjectSource } from "../core/git-source.ts";
import { decrypted } from "../core/project-secrets.ts";
import type { Service } from "../core/service.ts";
import type { GitHost, RepositoryConnection } from "../core/tables.ts";
import { addDeployment } from "../deployments/add-deployment.ts";
import { deployPullRequest, purgePullRequestPreviews } from "../deployments/previews.ts";
import { readWhole } from "../http/read-body.ts";
import {
  type Delivery,
  type GitEvent,
  isAbout,
  isSigned,
  type PullRequestEvent,
  type PushEvent,
  readDelivery,
  readEvent,
} from "./git-webhook.ts";
import { claimDelivery, finishDelivery, recordRefusal, releaseDelivery } from "./webhook-deliveries.ts";

interface Project {
  id: string;
  organizationId: string;
  source: GitProjectSource;
  connection: RepositoryConnection;
}

/**
 * Maximum number of deliveries with a wrong signature that wait to be recorded, per process. Further ones
 * aren't recorded.
 */
const recording_count = 20;
let recording = 0;
/** Time after a refused push until the branch is checked. */
const refusedPoll_s = 60;

/** Maximum number of objects and arrays of a payload. A push of 2,048 commits has about 12,000. */
const payloadValues_count = 50_000;

/**
 * Handles a delivery, and reads its body from `chunks`. Only a body for a known project is kept in memory.
 * Returns a sentence about the result, for the git host and the project's log of deliveries. Throws the same
 * error for an unknown project, a wrong signature, and a request without a git host's headers. Also throws
 * "rate-limited" after too many deliveries, and an AppError for a body that isn't JSON or is about another
 * repository.
 */
export async function receiveWebhook(
  service: Service,
  projectId: string,
  headers: IncomingHttpHeaders,
  chunks: AsyncIterable<Buffer>,
): Promise<string> {
  const project = await findProject(service, projectId);
  const delivery = readDelivery(headers);
  const forged = () => {
    if (project) recordForged(service, projectId, delivery);
    return new AppError("forbidden", "Project not found, or the signature doesn't match its webhook secret", {
      headers: { connection: "close" },
    });
  };

  if (!delivery) throw forged();

  if (!project) {
    // Takes as long as for a known project, so that the time doesn't reveal which ones exist.
    await hashChunks(chunks);
    throw forged();
  }

  const body = await readWhole(chunks, limits.webhook_bytes, "body").catch((error: unknown) => {
    // A push can be among the bodies that are refused because there are too many.
    if (error instanceof AppError && error.code === "rate-limited")
      pollSoon(service, projectId).catch(() => {});
    throw error;
  });

  if (!isSigned(delivery, headers, body, project.connection.webhookSecret)) throw forged();
  const { wait_s } = await service.rateLimit("webhook", { organization: project.organizationId });
  if (wait_s > 0) {
    await pollSoon(service, projectId);
    throw new AppError("rate-limited", "Too many webhook deliveries for this organization", {
      retryAfter_s: wait_s,
    });
  }

  const hash = createHash("sha256").update(`${delivery.event}\0`).update(body).digest();
  if (!(await claimDelivery(service, projectId, { ...delivery, hash })))
    return "Ignored: this delivery was already received";

  try {
    const payload = parsePayload(headers, body);
    const event = readEvent(delivery, payload);
    requireOwnRepository(project, event, payload);
    await markReceived(service, project, delivery.host);
    const result = await handle(service, project, event);
    await finishDelivery(service, projectId, delivery.id, result);
    return result;
  } catch (error) {
    await releaseDelivery(service, projectId, delivery.id);
    if (error instanceof AppError && (error.code === "rate-limited" || error.code === "conflict"))
      await pollSoon(service, projectId);
    if (error instanceof AppError)
      await recordRefusal(
        service,
        projectId,
        delivery.event,
        [error.message, ...error.details.map(detailText)].join(". "),
      );
    throw error;
  }
}

/** Reads a body without keeping it. */
async function hashChunks(chunks: AsyncIterable<Buffer>): Promise<void> {
  const hmac = createHmac("sha256", "unknown project");
  for await (const chunk of chunks) hmac.update(chunk);
}

async function findProject({ db, secrets }: Service, id: string): Promise<Project | undefined> {
  const row = await db
    .selectFrom("projects")
    .select(["organization_id", "source", "connection"])
    .where("id", "=", id)
    .executeTakeFirst();
  if (!row?.connection || row.source.kind !== "git") return undefined;
  const { source, connection } = decrypted(secrets, id, { source: row.source, connection: row.connection });
  return { id, organizationId: row.organization_id, source, connection };
}

/**
 * Records a delivery with a wrong signature. Doesn't wait for the database, so that the response doesn't take
 * longer than for an unknown project.
 */
function recordForged(service: Service, projectId: string, delivery: Delivery | undefined): void {
  if (recording >= recording_count) return;
  recording++;
  recordRefusal(
    service,
    projectId,
    delivery?.event ?? "unknown",
    "Rejected: the signature doesn't match the webhook secret",
  )
    // The project was deleted, or the database is unavailable.
    .catch(() => {})
    .finally(() => recording--);
}

/**
 * Parses the payload of a delivery. GitHub sends JSON or, by default, a form with JSON in its `payload`
 * field.
 */
function parsePayload(headers: IncomingHttpHeaders, body: Buffer): unknown {
  const isForm = headers["content-type"]?.startsWith("application/x-www-form-urlencoded");
  try {
    const text = isForm ? (new URLSearchParams(body.toString()).get("payload") ?? "") : body.toString();
    return parseJson(text, payloadValues_count);
  } catch {
    throw invalid("Rejected: the body isn't JSON");
  }
}

/** Stores the kind of git host. After the first delivery, the branch is no longer polled. */
async function markReceived({ db }: Service, { id, connection }: Project, host: GitHost): Promise<void> {
  await db
    .updateTable("projects")
    .set({
      next_poll_at: null,
      connection: sql`jsonb_set(connection, '{host}', ${JSON.stringify(host)}::jsonb)`,
    })
    .where("id", "=", id)
    .where((where) => where.or([where("next_poll_at", "is not", null), where.val(connection.host !== host)]))
    .execute();
}

/** Makes up for a refused push, since git hosts don't deliver it again. */
async function pollSoon({ db }: Service, projectId: string): Promise<void> {
  const soon = sql<Date>`clock_timestamp() + ${refusedPoll_s} * interval '1 second'`;
  await db
    .updateTable("projects")
    .set({ next_poll_at: soon })
    .where("id", "=", projectId)
    .where((where) => where.or([where("next_poll_at", "is", null), where("next_poll_at", ">", soon)]))
    .execute();
}

function requireOwnRepository({ source }: Project, { kind }: GitEvent, payload: unknown): void {
  if ((kind === "push" || kind === "pull-request") && !isAbout(payload, source.url))
    throw new AppError("forbidden", "Rejected: the delivery is for a different repository");
}

async function handle(service: Service, project: Project, event: GitEvent): Promise<string> {
  if (event.kind === "ping") return "OK: the webhook works";
  if (event.kind === "other") return "Ignored: nothing to deploy for this event";
  return event.kind === "push"
    ? handlePush(service, project, event)
    : handlePullRequest(service, project, event);
}

async function handlePush(
  service: Service,
  project: Project,
  { branch, commit, files }: PushEvent,
): Promise<string> {
  const { source } = project;
  if (branch !== source.branch)
    return `Ignored: push to ${branch}, but this project deploys ${source.branch}`;
  if (!commit) return `Ignored: the branch ${branch} was deleted`;

  const folder = (source.directory ?? "").replace(/^(?:\.?\/)+|\/+$/g, "");
  if (folder !== "" && folder !== "." && files && !files.some((file) => file.startsWith(`${folder}/`)))
    return `Ignored: no files in the folder ${folder} changed`;

  const { isNew } = await addDeployment(service, requesterOf(project), project.id, {
    id: service.ulid(),
    trigger: "push",
    commit,
  });

  return isNew
    ? `Deploying ${commit.sha.slice(0, 7)}`
    : `Ignored: a deployment of ${commit.sha.slice(0, 7)} is already queued`;
}

async function handlePullRequest(
  service: Service,
  project: Project,
  { number, target, isOpen, isFork, commit }: PullRequestEvent,
): Promise<string> {
  if (!isOpen) {
    const count = await purgePullRequestPreviews(service, project, project.id, number);
    return count > 0 ? `Removed the preview of #${number}` : `Ignored: #${number} has no preview`;
  }

  if (target !== project.source.branch)
    return `Ignored: #${number} targets ${target}, but this project deploys ${project.source.branch}`;

  // Bitbucket Cloud has no ref for the commits of a fork.
  if (isFork && commit.ref.startsWith("heads/"))
    return `Ignored: #${number} comes from a fork, and this host doesn't provide the fork's branch`;

  // A stranger's docs.json can name documents on internal hosts, and the preview would show them.
  if (isFork && service.settings.allowed && !service.settings.allowed.isEmpty)
    return `Ignored: #${number} comes from a fork, and builds on this service can reach internal hosts`;
  await deployPullRequest(service, requesterOf(project), project.id, number, { ...commit, isFork });
  return `Previewing #${number} at ${commit.sha.slice(0, 7)}`;
}

function requesterOf({ organizationId }: Project) {
  return { organizationId, actor: "webhook" };
}
