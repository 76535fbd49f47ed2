/**
 * Manages the connection between a project and its repository: credentials, webhook secret, and whether the
 * branch is polled.
 */

import { sql } from "kysely";
import { atField, type ErrorDetail } from "../../base/app-error.ts";
import { parseUrl, percentDecoded } from "../../base/url.ts";
import { checkGitSource, GitRefused } from "../../io/check-git-source.ts";
import { type GitProjectSource, gitSource } from "../core/git-source.ts";
import { encrypted } from "../core/project-secrets.ts";
import type { Scope } from "../core/scope.ts";
import type { Service } from "../core/service.ts";
import type { ProjectRow, ProjectSource, RepositoryConnection } from "../core/tables.ts";

/** Time between two checks of a branch for new commits. */
export const poll_s = 600;

/** Returns the URL path that a git host sends its deliveries to. */
export function webhookPath(projectId: string): string {
  return `/webhooks/git/${projectId}`;
}

/**
 * Access and credentials from a form. If possible, absent credentials are kept (see `connectionAfter`). An
 * absent `apiUrl` is removed.
 */
export type ConnectionChange = Pick<
  RepositoryConnection,
  "access" | "token" | "privateKey" | "publicKey" | "hostKey" | "apiUrl"
>;

/**
 * Returns the connection after a change to the source. Null if the source isn't a repository. Credentials
 * that `change` doesn't replace are kept only for the same server, so that changing the URL can't send them
 * to another one. For the same reason, a token isn't kept if the API moves to another server.
 */
export function connectionAfter(
  { random }: Pick<Service, "random">,
  before: Pick<ProjectRow, "source" | "connection"> | undefined,
  source: ProjectSource,
  change?: ConnectionChange,
): RepositoryConnection | null {
  if (source.kind !== "git") return null;
  const webhookSecret = before?.connection?.webhookSecret || random(32).toString("base64url");

  const kept =
    before?.source.kind === "git" && isSameServer(before.source.url, source.url)
      ? (before.connection ?? undefined)
      : undefined;

  if (!change) return { access: "public", ...kept, webhookSecret };
  const { access, apiUrl } = change;
  const more = { ...(kept?.host ? { host: kept.host } : {}), ...(apiUrl ? { apiUrl } : {}) };

  // Earlier versions and the API store credentials in the URL.
  const storedToken = kept?.token || (kept && urlCredentials(before!.source));
  const isKnownApi =
    apiUrl === undefined ||
    [kept?.apiUrl, source.url].some((known) => known !== undefined && isSameServer(known, apiUrl));
  const token = change.token || (isKnownApi ? storedToken : undefined);
  if (access === "token") return { access, webhookSecret, ...more, ...(token ? { token } : {}) };
  if (access !== "ssh") return { access, webhookSecret, ...more };

  const { privateKey, publicKey } = change.privateKey ? change : (kept ?? {});
  const hostKey = change.hostKey || kept?.hostKey;
  const keys = privateKey && publicKey ? { privateKey, publicKey } : {};
  return { access, webhookSecret, ...more, ...keys, ...(hostKey ? { hostKey } : {}) };
}

function urlCredentials(source: ProjectSource): string | undefined {
  const url = source.kind === "git" ? parseUrl(source.url) : undefined;
  if (!url || url.protocol === "ssh:") return undefined;
  const [user, password] = [percentDecoded(url.username), percentDecoded(url.password)];
  return user && password ? `${user}:${password}` : user || password || undefined;
}

function isSameServer(one: string, other: string): boolean {
  const [a, b] = [parseUrl(one), parseUrl(other)];
  return a !== undefined && a.protocol === b?.protocol && a.host === b.host;
}

/** Returns a list with the first error in a source and its connection. Empty if there is none. */
export function repositoryProblems(
  source: GitProjectSource,
  connection: RepositoryConnection | null,
  { git }: Service["settings"],
): ErrorDetail[] {
  try {
    checkGitSource(gitSource(source, connection), git);
  } catch (error) {
    if (error instanceof GitRefused) return [atField("source", error.message)];
    throw error;
  }
  if (connection?.apiUrl !== undefined && !/^https?:$/.test(parseUrl(connection.apiUrl)?.protocol ?? ""))
    return [atField("apiUrl", "Must be an http or https URL")];
  if (connection?.access === "token" && connection.token === undefined)
    return [atField("token", "Enter an access token")];
  if (connection?.access === "ssh" && connection.hostKey === undefined)
    return ["Check the connection before you save so that you can confirm the server's fingerprint"];
  return [];
}

/**
 * Replaces the webhook secret. Deliveries that are signed with the old secret are then refused. Does nothing
 * if the project has no connection.
 */
export async function rotateWebhookSecret(
  { db, random, secrets }: Service,
  { organizationId }: Pick<Scope, "organizationId">,
  { id, connection }: Pick<ProjectRow, "id" | "connection">,
): Promise<void> {
  if (!connection) return;
  const changed = encrypted(secrets, id, {
    connection: { ...connection, webhookSecret: random(32).toString("base64url") },
  });
  await db
    .updateTable("projects")
    .set({
      connection: sql`jsonb_set(connection, '{webhookSecret}', ${JSON.stringify(changed.connection!.webhookSecret)}::jsonb)`,
    })
    .where("organization_id", "=", organizationId)
    .where("id", "=", id)
    .execute();
}

/** Whether the branch is checked for new commits, because no delivery has been received. */
export async function isPolled(
  { db }: Service,
  { organizationId }: Pick<Scope, "organizationId">,
  id: string,
): Promise<boolean> {
  const row = await db
    .selectFrom("projects")
    .select("next_poll_at")
    .where("organization_id", "=", organizationId)
    .where("id", "=", id)
    .executeTakeFirst();
  return row !== undefined && row.next_poll_at !== null;
}
