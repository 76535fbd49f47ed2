/** Finds the website of a repository, for links to it. */

import { parseUrl } from "../../base/url.ts";
import type { SourceRepository } from "../plan/export-target.ts";

type GitHostKind = NonNullable<SourceRepository["host"]>;

const knownHosts: ReadonlyMap<string, GitHostKind> = new Map([
  ["github.com", "github"],
  ["gitlab.com", "gitlab"],
  ["codeberg.org", "gitea"],
  ["bitbucket.org", "bitbucket"],
]);

export interface RepositoryWebsite {
  /** URL of the repository, without a trailing slash. */
  url: string;
  host: GitHostKind;
  /** Whether the host is well known, so that everyone can reach it. */
  isKnownHost: boolean;
}

/**
 * Returns the website of a repository. Undefined if its URL isn't that of a website, or the kind of its host
 * is unknown.
 */
export function repositoryWebsite(
  repository: Pick<SourceRepository, "url" | "host">,
): RepositoryWebsite | undefined {
  const url = parseUrl(repository.url);
  if (!url) return undefined;
  const known = knownHosts.get(url.hostname);
  const host = known ?? repository.host;
  const isSsh = url.protocol === "ssh:";

  const name = url.pathname
    .replace(/\.git\/?$/, "")
    .split("/")
    .filter(Boolean);

  if (!host || !(isSsh || /^https?:$/.test(url.protocol)) || name.length < 2) return undefined;

  return {
    url: `${isSsh ? `https://${url.hostname}` : url.origin}/${name.join("/")}`,
    host,
    isKnownHost: known !== undefined,
  };
}

/** Encodes a path or a branch for a URL, without leading, trailing and repeated slashes. */
export function encodedPath(path: string): string {
  return path.split("/").filter(Boolean).map(encodeURIComponent).join("/");
}
