/**
 * Creates links to the page of a git host on which users create a file. There they commit it to a branch and
 * open a pull request with their own account, so the service needs no write access.
 */

import type { SourceRepository } from "../../engine/plan/export-target.ts";
import { encodedPath, repositoryWebsite } from "../../engine/view/repository-website.ts";

/** Maximum length of a link, in characters. Git hosts refuse longer URLs. */
const link_chars = 7_000;

export interface NewFileLink {
  /** Name of the git host. */
  host: string;
  url: string;
  /** Whether the page contains the file's content. Otherwise, users have to paste it. */
  hasContent: boolean;
}

/**
 * Returns the link to create a file in the documentation folder of a repository. Undefined if the kind of the
 * host is unknown, or it has no such page.
 */
export function newFileLink(
  repository: SourceRepository,
  name: string,
  content: string,
): NewFileLink | undefined {
  const website = repositoryWebsite(repository);
  if (!website) return undefined;
  const { url, host } = website;
  const [branch, directory] = [encodedPath(repository.branch), repository.directory ?? ""];
  const path = [directory, name].filter(Boolean).join("/");

  const withContent = (link: string, hostName: string) => {
    const whole = `${link}&value=${encodeURIComponent(content)}`;
    const hasContent = whole.length <= link_chars;
    return { host: hostName, url: hasContent ? whole : link, hasContent };
  };

  switch (host) {
    case "github":
      return withContent(`${url}/new/${branch}?filename=${encodeURIComponent(path)}`, "GitHub");
    case "gitea": {
      const folder = `${url}/_new/${[branch, encodedPath(directory)].filter(Boolean).join("/")}`;
      return withContent(
        `${folder}?filename=${encodeURIComponent(name)}`,
        website.isKnownHost ? "Codeberg" : "the Git host",
      );
    }
    case "gitlab":
      return {
        host: "GitLab",
        url: `${url}/-/new/${branch}?file_name=${encodeURIComponent(path)}`,
        hasContent: false,
      };
    case "bitbucket":
      return undefined;
  }
}
