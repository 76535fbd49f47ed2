/** Creates links from a page to its source file and to a new issue on the repository's host. */

import type { Access } from "../../base/access.ts";
import type { DocsJson } from "../config/docs-json-schema.ts";
import type { PageView } from "../frame/page-view.ts";
import type { ExportTarget, SourceRepository } from "../plan/export-target.ts";
import type { Page } from "../site/page.ts";
import { encodedPath, repositoryWebsite } from "./repository-website.ts";

interface HostLinks {
  edit(branch: string, path: string): string;
  issue(title: string): string;
}

/**
 * Functions that return the part of a link after the repository's URL, by kind of git host. The arguments
 * must be URL-encoded.
 */
const links: Record<NonNullable<SourceRepository["host"]>, HostLinks> = {
  github: {
    edit: (branch, path) => `/edit/${branch}/${path}`,
    issue: (title) => `/issues/new?title=${title}`,
  },
  gitlab: {
    edit: (branch, path) => `/-/edit/${branch}/${path}`,
    issue: (title) => `/-/issues/new?issue[title]=${title}`,
  },
  gitea: {
    edit: (branch, path) => `/_edit/${branch}/${path}`,
    issue: (title) => `/issues/new?title=${title}`,
  },
  bitbucket: {
    edit: (branch, path) => `/src/${branch}/${path}?mode=edit`,
    issue: (title) => `/issues/new?title=${title}`,
  },
};

interface LinkedPage {
  page: Page;
  access: Access;
  target: ExportTarget;
  feedback: DocsJson["feedback"];
}

/**
 * Returns the links to edit a page's file and to create an issue. There are none if the repository or the
 * kind of its host is unknown. `feedback.suggestEdit` and `feedback.raiseIssue` in docs.json turn the links
 * on and off, and `feedback.enabled: false` removes both. By default, there are no links to new issues, and
 * only public pages of public repositories on a well-known host have links to files, except on air-gapped
 * sites.
 */
export function editLinks({
  page,
  access,
  target,
  feedback,
}: LinkedPage): Pick<PageView, "editHref" | "issueHref"> {
  const { repository } = target;
  const web = repository && repositoryWebsite(repository);
  if (!repository || !web || feedback?.enabled === false) return {};
  const { url, host, isKnownHost } = web;
  const isOpen = isKnownHost && repository.isPublic && access === "anyone" && target.kind !== "air-gapped";
  const isOwnFile = page.storedName === page.file;
  const path = [repository.directory, page.file].filter(Boolean).join("/");
  return {
    ...((feedback?.suggestEdit ?? isOpen) && isOwnFile
      ? { editHref: url + links[host].edit(encodedPath(repository.branch), encodedPath(path)) }
      : {}),
    ...(feedback?.raiseIssue ? { issueHref: url + links[host].issue(encodeURIComponent(page.title)) } : {}),
  };
}
