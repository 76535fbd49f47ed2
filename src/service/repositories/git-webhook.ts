/** Reads webhook deliveries from GitHub, GitLab, Gitea, Forgejo and Bitbucket: host, signature and event. */

import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { cutText } from "../../base/cut-text.ts";
import { byCodeUnit } from "../../base/files.ts";
import { parseUrl } from "../../base/url.ts";
import type { Commit, FilesChanged, GitHost } from "../core/tables.ts";

export interface Delivery {
  host: GitHost;
  event: string;
  /** The host's ID of the delivery. */
  id: string;
}

export interface PushEvent {
  kind: "push";
  branch: string;
  /** Latest commit of the push. Undefined if the branch was deleted. */
  commit: Commit | undefined;
  /** Paths of all changed files; undefined if the delivery doesn't list them completely. */
  files: string[] | undefined;
}

export interface PullRequestEvent {
  kind: "pull-request";
  number: number;
  /** Branch that the request would be merged into. */
  target: string;
  /** Whether there are new commits to preview; false if the request was closed or merged. */
  isOpen: boolean;
  /** Whether the commits are in another repository. */
  isFork: boolean;
  commit: Commit;
}

export type GitEvent = { kind: "ping" } | { kind: "other" } | PushEvent | PullRequestEvent;

/** Reads the host, event and ID from the headers. Undefined if they aren't from a known host. */
export function readDelivery(headers: IncomingHttpHeaders): Delivery | undefined {
  const find = (host: GitHost, event: string | undefined, id: string | undefined): Delivery | undefined =>
    event !== undefined && id !== undefined
      ? { host, event: event.slice(0, 100), id: id.slice(0, 200) }
      : undefined;
  const header = (name: string) => (typeof headers[name] === "string" ? headers[name] : undefined);
  // Gitea and Forgejo also send the headers of GitHub.
  return (
    find("gitlab", header("x-gitlab-event"), header("idempotency-key") ?? header("x-gitlab-event-uuid")) ??
    find("gitea", header("x-forgejo-event"), header("x-forgejo-delivery")) ??
    find("gitea", header("x-gitea-event"), header("x-gitea-delivery")) ??
    find("github", header("x-github-event"), header("x-github-delivery")) ??
    find("bitbucket", header("x-event-key"), header("x-request-uuid") ?? header("x-request-id"))
  );
}

/** Whether the delivery is signed with the secret. Compares in constant time. */
export function isSigned(
  { host }: Pick<Delivery, "host">,
  headers: IncomingHttpHeaders,
  body: Buffer,
  secret: string,
): boolean {
  const digest = createHmac("sha256", secret).update(body).digest("hex");
  const [given, expected] = {
    github: [headers["x-hub-signature-256"], `sha256=${digest}`],
    // GitLab sends the secret itself.
    gitlab: [headers["x-gitlab-token"], secret],
    gitea: [headers["x-forgejo-signature"] ?? headers["x-gitea-signature"], digest],
    bitbucket: [headers["x-hub-signature"], `sha256=${digest}`],
  }[host];
  const hash = (text: string) => createHash("sha256").update(text).digest();
  // The secret is empty if it couldn't be decrypted.
  return timingSafeEqual(hash(String(given ?? "")), hash(String(expected))) && secret !== "";
}

type Json = Record<string, unknown>;

/** Reads the event in a delivery's payload. Unknown or invalid payloads become `other`. */
export function readEvent({ host, event }: Delivery, payload: unknown): GitEvent {
  const body = object(payload);
  switch (
    host === "bitbucket" && body.push === undefined && body.pullrequest === undefined
      ? "bitbucket-server"
      : host
  ) {
    case "github":
      return event === "ping"
        ? { kind: "ping" }
        : gitHubEvent(event, body, body.forced !== true, ["opened", "reopened", "synchronize"]);
    case "gitea":
      return gitHubEvent(event, body, body.total_commits === list(body.commits).length, [
        "opened",
        "reopened",
        "synchronized",
      ]);
    case "gitlab":
      return gitLabEvent(body);
    case "bitbucket":
      return bitbucketEvent(event, body);
    default:
      return event === "diagnostics:ping" ? { kind: "ping" } : bitbucketServerEvent(event, body);
  }
}

/**
 * Reads an event from GitHub or Gitea, whose payloads have the same structure. `isComplete`: whether the
 * payload lists all commits of a push. `updates`: actions that open or reopen a pull request, or add commits
 * to it.
 */
function gitHubEvent(event: string, body: Json, isComplete: boolean, updates: readonly string[]): GitEvent {
  if (event === "push") return pushEvent(body, isComplete && list(body.commits).length < gitHubCommits_count);
  const { head, base } = object(body.pull_request);
  if (event !== "pull_request") return { kind: "other" };
  const { title } = object(body.pull_request);
  return pullRequest(body.number, "pull/{}/head", {
    isOpen: isOneOf(body.action, updates) ? true : body.action === "closed" ? false : undefined,
    target: object(base).ref,
    isFork: object(object(head).repo).full_name !== object(object(base).repo).full_name,
    commit: { sha: object(head).sha, message: title, author: object(body.sender).login },
  });
}

/** Maximum number of commits that GitHub lists in a push event. */
const gitHubCommits_count = 2_048;

function gitLabEvent(body: Json): GitEvent {
  if (body.object_kind === "push")
    return pushEvent(body, body.total_commits_count === list(body.commits).length);
  if (body.object_kind !== "merge_request") return { kind: "other" };
  const { iid, title, action, oldrev, target_branch, last_commit, source_project_id, target_project_id } =
    object(body.object_attributes);
  // Without a previous commit, an update is a change of the title or the labels.
  const isUpdate = action === "open" || action === "reopen" || (action === "update" && oldrev !== undefined);
  return pullRequest(iid, "merge-requests/{}/head", {
    isOpen: isUpdate ? true : action === "close" || action === "merge" ? false : undefined,
    target: target_branch,
    isFork: source_project_id !== target_project_id,
    commit: { sha: object(last_commit).id, message: title, author: object(body.user).name },
  });
}

/** Reads a push event from GitHub, GitLab or Gitea. */
function pushEvent(body: Json, isComplete: boolean): GitEvent {
  const branch = /^refs\/heads\/(.+)$/s.exec(text(body.ref))?.[1];
  if (branch === undefined) return { kind: "other" };
  const commits = list(body.commits).map(object);
  const head = commits.find(({ id }) => id === body.after) ?? object(body.head_commit);
  const files = commits.flatMap(({ added, removed, modified }) =>
    [added, removed, modified].flatMap(list).map(text),
  );
  const isListed = isComplete && files.length > 0;
  const commit = commitOf(
    { sha: body.after, message: head.message, author: object(head.author).name },
    branch,
  );
  if (commit && isListed && new Set(files).size <= filesChanged_count)
    commit.filesChanged = filesChangedBy(commits);
  return { kind: "push", branch, commit, files: isListed ? files : undefined };
}

/** Maximum number of changed files that are stored with a commit. */
const filesChanged_count = 500;

/** Returns what the commits of a push, the oldest first, change together. */
function filesChangedBy(commits: readonly Json[]): FilesChanged {
  const changes = new Map<string, keyof FilesChanged | undefined>();
  const change = (files: unknown, kind: keyof FilesChanged) => {
    for (const file of list(files).map(text)) {
      const before = changes.get(file);
      if (before === "added") changes.set(file, kind === "removed" ? undefined : "added");
      else changes.set(file, before === "removed" && kind === "added" ? "modified" : kind);
    }
  };
  for (const { added, modified, removed } of commits) {
    change(removed, "removed");
    change(added, "added");
    change(modified, "modified");
  }

  const of = (kind: keyof FilesChanged) =>
    [...changes].flatMap(([file, found]) => (found === kind ? [file] : [])).sort(byCodeUnit);
  return { added: of("added"), modified: of("modified"), removed: of("removed") };
}

function bitbucketEvent(event: string, body: Json): GitEvent {
  const change = list(object(body.push).changes)
    .map((entry) => object(object(entry).new))
    .find(({ type }) => type === "branch");

  if (event === "repo:push" && change) {
    const { hash, message, author } = object(change.target);
    const branch = text(change.name);
    return {
      kind: "push",
      branch,
      commit: commitOf({ sha: hash, message, author: object(author).raw }, branch),
      files: undefined,
    };
  }

  const [, action = ""] = /^pullrequest:(\w+)$/.exec(event) ?? [];
  const { id, title, source, destination } = object(body.pullrequest);
  const sourceBranch = text(object(object(source).branch).name);
  return pullRequest(id, `heads/${sourceBranch}`, {
    isOpen: isOneOf(action, ["created", "updated"])
      ? true
      : isOneOf(action, ["fulfilled", "rejected"])
        ? false
        : undefined,
    target: object(object(destination).branch).name,
    isFork: object(object(source).repository).full_name !== object(object(destination).repository).full_name,
    commit: {
      sha: object(object(source).commit).hash,
      message: title,
      author: object(body.actor).display_name,
    },
  });
}

function bitbucketServerEvent(event: string, body: Json): GitEvent {
  const change = list(body.changes)
    .map(object)
    .find(({ ref }) => object(ref).type === "BRANCH");
  const author = object(body.actor).displayName;

  if (event === "repo:refs_changed" && change) {
    const branch = text(object(change.ref).displayId);
    const sha = change.type === "DELETE" ? undefined : change.toHash;
    return {
      kind: "push",
      branch,
      commit: commitOf({ sha, message: object(body.toCommit).message, author }, branch),
      files: undefined,
    };
  }

  const { id, title, fromRef, toRef } = object(body.pullRequest);
  const isOpen = isOneOf(event, ["pr:opened", "pr:from_ref_updated"]) || undefined;
  return pullRequest(id, "pull-requests/{}/from", {
    isOpen: isOneOf(event, ["pr:merged", "pr:declined", "pr:deleted"]) ? false : isOpen,
    target: object(toRef).displayId,
    isFork: object(object(fromRef).repository).id !== object(object(toRef).repository).id,
    commit: { sha: object(fromRef).latestCommit, message: title, author },
  });
}

interface PullRequest {
  /**
   * Whether there are new commits to preview. Undefined for changes that need no new preview, such as a new
   * title.
   */
  isOpen: boolean | undefined;
  target: unknown;
  isFork: boolean;
  commit: Record<"sha" | "message" | "author", unknown>;
}

/**
 * Creates an event about a pull request. `ref`: ref of the pull request's commits, without `refs/`. `{}` is
 * replaced with the number.
 */
function pullRequest(
  number: unknown,
  ref: string,
  { isOpen, target, isFork, commit: given }: PullRequest,
): GitEvent {
  if (!Number.isSafeInteger(number) || (number as number) < 1 || isOpen === undefined)
    return { kind: "other" };
  const commit = commitOf(given, ref.replace("{}", String(number)));
  return commit
    ? { kind: "pull-request", number: number as number, target: text(target), isOpen, isFork, commit }
    : { kind: "other" };
}

/** Maximum length of a commit's subject and author. */
const line_chars = 500;
/** Maximum length of a ref. Git hosts don't accept longer ones. */
const ref_chars = 1_000;

/**
 * Returns the commit in a payload. Undefined if `sha` isn't a commit hash or consists of zeros because the
 * branch was deleted, or if the ref is too long.
 */
function commitOf({ sha, message, author }: PullRequest["commit"], ref: string): Commit | undefined {
  const hash = text(sha);
  if (!/^[0-9a-f]{7,64}$/.test(hash) || /^0+$/.test(hash) || ref.length > ref_chars) return undefined;
  const line = (value: unknown) =>
    cutText(
      text(value)
        .split("\n")[0]!
        .replace(/[\u0000-\u001f\u007f]+/g, " "),
      line_chars,
    );
  return { sha: hash, ref, message: line(message), author: line(author) || null };
}

/**
 * Whether the payload is about the repository with this URL. Compares host and path with each URL in the
 * payload, so https and SSH URLs match.
 */
export function isAbout(payload: unknown, url: string): boolean {
  const { repository, project } = object(payload);
  const { clone_url, ssh_url, html_url, git_http_url, git_ssh_url, links } = {
    ...object(repository),
    ...object(project),
  };

  const clones = list(object(links).clone).map((link) => object(link).href);
  const urls = [
    clone_url,
    ssh_url,
    html_url,
    git_http_url,
    git_ssh_url,
    object(object(links).html).href,
    ...clones,
  ];

  // In pull request events, Bitbucket Server only specifies the repository in the target, without a URL.
  const inRequest = object(object(object(object(payload).pullRequest).toRef).repository);
  const wanted = repositoryName(url);
  return (
    wanted !== undefined &&
    (urls.some((other) => repositoryName(text(other)) === wanted) ||
      (repository === undefined &&
        inRequest.slug !== undefined &&
        wanted.endsWith(`/${text(inRequest.slug)}`)))
  );
}

/** Returns the host name and path of a repository's URL, in lowercase. Undefined if the text isn't a URL. */
export function repositoryName(address: string): string | undefined {
  const url = parseUrl(address.replace(/^([\w.-]+@[\w.-]+):(?!\/)/, "ssh://$1/"));
  return url && `${url.hostname}${url.pathname.replace(/\/?\.git\/?$|\/$/, "")}`.toLowerCase();
}

function object(value: unknown): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/**
 * Removes NUL characters from a string and replaces lone surrogates, since PostgreSQL doesn't accept them.
 * Returns an empty string for other values.
 */
function text(value: unknown): string {
  return typeof value === "string" ? value.replaceAll("\0", "").toWellFormed() : "";
}

function isOneOf(value: unknown, values: readonly string[]): boolean {
  return typeof value === "string" && values.includes(value);
}
