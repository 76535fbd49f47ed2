/** How git reads the repository of a project. */

import type { GitAccess, GitSource } from "../../io/check-git-source.ts";
import type { ProjectSource, RepositoryConnection } from "./tables.ts";

export type Repository = ProjectSource & { kind: "git" };

/** `connection` must be decrypted. */
export function gitSource({ url, branch, directory }: Repository, connection: RepositoryConnection | null): GitSource {
  const access = connection && accessOf(connection);
  return { url, branch, ...(directory === undefined ? {} : { directory }), ...(access ? { access } : {}) };
}

function accessOf({ access, token, privateKey, hostKey }: RepositoryConnection): GitAccess | undefined {
  if (access === "token" && token !== undefined) return { kind: "token", token };
  return access === "ssh" && privateKey !== undefined ? { kind: "ssh", privateKey, hostKey } : undefined;
}
