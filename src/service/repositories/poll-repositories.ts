/**
 * Polls the branches of projects that haven't received a webhook delivery yet or whose last push was refused,
 * and deploys new commits.
 */

import path from "node:path";
import { sql } from "kysely";
import { AppError } from "../../base/app-error.ts";
import { GitRefused } from "../../io/check-git-source.ts";
import { latestCommit } from "../../io/check-repository.ts";
import { gitSource } from "../core/git-source.ts";
import { decrypted } from "../core/project-secrets.ts";
import type { Service } from "../core/service.ts";
import type { ProjectSource, RepositoryConnection } from "../core/tables.ts";
import { addDeployment } from "../deployments/add-deployment.ts";
import { poll_s } from "./connection.ts";
import { recordRefusal } from "./webhook-deliveries.ts";

/** Maximum number of projects that one call checks. If more are due, they wait for the next call. */
const batch_count = 10;
/**
 * Time until the next check after a failed one, and after one whose deployment was refused because too many
 * others are queued.
 */
const retry_s = 3_600;
const rateLimited_s = 60;

interface Due {
  id: string;
  organization_id: string;
  source: ProjectSource;
  connection: RepositoryConnection | null;
}

/**
 * Checks the projects that are due, one after another. If a repository can't be read or the deployment is
 * refused, the error is recorded with the project's deliveries. Rejects with any other error.
 */
export async function pollRepositories(service: Service, signal: AbortSignal): Promise<void> {
  const { rows } = await sql<Due>`
    update projects set next_poll_at = clock_timestamp() + ${poll_s} * interval '1 second' where id in (
      select id from projects where next_poll_at <= now() order by next_poll_at limit ${batch_count} for update skip locked)
    returning id, organization_id, source, connection`.execute(service.db);

  for (const row of rows) {
    if (signal.aborted) return;
    try {
      await poll(service, row, signal);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof GitRefused || error instanceof AppError)) throw error;
      await postpone(
        service,
        row.id,
        error instanceof AppError && error.code === "rate-limited" ? rateLimited_s : retry_s,
      );
      await recordRefusal(service, row.id, "Check for new commits", error.message);
    }
  }
}

async function poll(
  service: Service,
  { id, organization_id: organizationId, ...row }: Due,
  signal: AbortSignal,
): Promise<void> {
  const { source, connection } = decrypted(service.secrets, id, row);
  if (source.kind !== "git") return;
  const scratch = path.join(service.settings.workFolder, "checks", service.ulid());
  const { sha } = await latestCommit(gitSource(source, connection), scratch, {
    ...service.settings.git,
    signal,
  });

  const last = await service.db
    .selectFrom("deployments")
    .select(sql<string | null>`commit ->> 'sha'`.as("sha"))
    .where("project_id", "=", id)
    .where("preview_branch", "is", null)
    .orderBy("number", "desc")
    .limit(1)
    .executeTakeFirst();

  const commit = { sha, ref: source.branch, message: "", author: null };

  if (last?.sha !== sha)
    await addDeployment(service, { organizationId, actor: "service" }, id, {
      id: service.ulid(),
      trigger: "push",
      commit,
    });

  // The project's webhook delivers further pushes.
  if (connection?.host !== undefined)
    await service.db.updateTable("projects").set({ next_poll_at: null }).where("id", "=", id).execute();
}

async function postpone({ db }: Service, id: string, wait_s: number): Promise<void> {
  await db
    .updateTable("projects")
    .set({ next_poll_at: sql`clock_timestamp() + ${wait_s} * interval '1 second'` })
    .where("id", "=", id)
    .where("next_poll_at", "is not", null)
    .execute();
}
