/** Converts a project's repository settings to options for git and to links on pages. */

import { parseUrl } from "../../base/url.ts";
import type { SourceRepository } from "../../engine/plan/export-target.ts";
import type { GitAccess, GitSource } from "../../io/check-git-source.ts";
import type { ServiceSettings } from "./service.ts";
import type { ProjectMirror, ProjectSource, RepositoryConnection } from "./tables.ts";

export type GitProjectSource = ProjectSource & { kind: "git" };

/**
 * Returns the repository's URL, branch, directory and credentials, for git. Secrets in both parameters must
 * be decrypted.
 */
export function gitSource(
  { url, branch, directory }: GitProjectSource,
  connection: RepositoryConnection | null,
): GitSource {
  const access = connection && accessOf(connection);
  return { url, branch, ...(directory === undefined ? {} : { directory }), ...(access ? { access } : {}) };
}

/** Returns the URL and credentials of a mirror, for git. */
export function mirrorSource({ url, token }: ProjectMirror): GitSource {
  return { url, branch: "main", ...(token === undefined ? {} : { access: { kind: "token", token } }) };
}

/**
 * Returns the repository that pages link to, without credentials. Empty if `branch` is undefined, or the
 * project's source isn't a repository with a valid URL.
 */
export function linkedRepository(
  { source, connection }: { source: ProjectSource; connection: RepositoryConnection | null },
  branch: string | undefined,
): { repository?: SourceRepository } {
  if (source.kind !== "git" || branch === undefined) return {};
  const url = parseUrl(source.url);
  if (!url) return {};

  const isPublic = connection?.access === "public" && !url.username && !url.password;

  // The build process must not know the credentials.
  url.username = "";
  url.password = "";
  const { directory } = source;
  const host = connection?.host;
  return {
    repository: {
      url: url.href,
      branch,
      ...(directory ? { directory } : {}),
      ...(host ? { host } : {}),
      isPublic,
    },
  };
}

function accessOf({ access, token, privateKey, hostKey }: RepositoryConnection): GitAccess | undefined {
  if (access === "token" && token !== undefined) return { kind: "token", token };
  return access === "ssh" && privateKey !== undefined ? { kind: "ssh", privateKey, hostKey } : undefined;
}

/** Returns the URL of a project's own repository, for Git clients. */
export function ownRepositoryUrl(
  { url }: Pick<ServiceSettings, "url">,
  { subdomain }: { subdomain: string },
): string {
  return `${url}/git/${subdomain}.git`;
}
