/** Sends webhook deliveries in the documented formats of GitHub, GitLab, Gitea, Forgejo, and Bitbucket. */

import { createHmac, randomUUID } from "node:crypto";
import type { GitHost } from "../../src/service/core/tables.ts";
import { send, type TestService } from "./service.ts";

export interface Hook {
  /** Path and secret, as the project's settings show them. */
  path: string;
  secret: string;
}

export interface Push {
  /** Clone URL of the repository. */
  url: string;
  branch?: string;
  sha: string;
  message?: string;
  /** Changed files. */
  files?: string[];
}

export interface PullRequest extends Omit<Push, "files"> {
  number: number;
  title?: string;
  action: "opened" | "updated" | "closed";
  /** Branch of the commits. `branch` is the branch that it would be merged into. */
  head?: string;
}

export type Sender = GitHost | "forgejo" | "bitbucket-server";
export const senders: readonly Sender[] = [
  "github",
  "gitlab",
  "gitea",
  "forgejo",
  "bitbucket",
  "bitbucket-server",
];

const none = "0".repeat(40);

/** Body and event of a push. */
export function pushOf(
  sender: Sender,
  { url, branch = "main", sha, message = "Change the docs", files = ["index.mdx"] }: Push,
) {
  const commit = { id: sha, message, author: { name: "Ann" }, added: [], removed: [], modified: files };
  const push = {
    ref: `refs/heads/${branch}`,
    before: "1".repeat(40),
    after: sha,
    commits: sha === none ? [] : [commit],
    nonce: randomUUID(),
  };
  if (sender === "github")
    return {
      event: "push",
      body: {
        ...push,
        forced: false,
        deleted: sha === none,
        head_commit: commit,
        repository: { clone_url: url },
      },
    };
  if (sender === "gitlab")
    return {
      event: "Push Hook",
      body: { ...push, object_kind: "push", total_commits_count: 1, project: { git_http_url: url } },
    };
  if (sender === "gitea" || sender === "forgejo")
    return {
      event: "push",
      body: { ...push, total_commits: 1, head_commit: commit, repository: { clone_url: url } },
    };
  if (sender === "bitbucket") {
    const target = { hash: sha, message, author: { raw: "Ann <ann@example.com>" } };
    const change = { new: { type: "branch", name: branch, target }, old: null, closed: false };
    return {
      event: "repo:push",
      body: {
        nonce: push.nonce,
        push: { changes: [change] },
        repository: { links: { html: { href: url } } },
      },
    };
  }
  const change = {
    ref: { id: push.ref, displayId: branch, type: "BRANCH" },
    fromHash: push.before,
    toHash: sha,
    type: "UPDATE",
  };
  const repository = { slug: "docs", links: { clone: [{ href: url, name: "http" }] } };
  return {
    event: "repo:refs_changed",
    body: {
      nonce: push.nonce,
      actor: { displayName: "Ann" },
      repository,
      changes: [change],
      toCommit: { message },
    },
  };
}

/** Body and event of a pull request. */
export function pullRequestOf(sender: "github" | "gitlab" | "gitea", request: PullRequest) {
  const { url, branch = "main", head = "topic", sha, number, title = "Improve the docs", action } = request;
  if (sender === "gitlab") {
    const actions = {
      opened: { action: "open" },
      updated: { action: "update", oldrev: "1".repeat(40) },
      closed: { action: "close" },
    };
    const object_attributes = {
      ...actions[action],
      iid: number,
      title,
      source_branch: head,
      target_branch: branch,
      source_project_id: 1,
      target_project_id: 1,
      last_commit: { id: sha },
    };
    return {
      event: "Merge Request Hook",
      body: {
        object_kind: "merge_request",
        user: { name: "Ann" },
        project: { git_http_url: url },
        object_attributes,
      },
    };
  }
  const named = action === "updated" ? (sender === "github" ? "synchronize" : "synchronized") : action;
  const repo = { full_name: "team/docs", clone_url: url };
  const pull_request = { title, head: { ref: head, sha, repo }, base: { ref: branch, repo } };
  return {
    event: "pull_request",
    body: { action: named, number, pull_request, repository: repo, sender: { login: "ann" } },
  };
}

/** Headers with the signature of a delivery. */
export function signedHeaders(
  sender: Sender,
  event: string,
  text: string,
  secret: string,
  id: string = randomUUID(),
): Record<string, string> {
  const digest = createHmac("sha256", secret).update(text).digest("hex");
  const github = {
    "x-github-event": event,
    "x-github-delivery": id,
    "x-hub-signature-256": `sha256=${digest}`,
  };
  const headers: Record<Sender, Record<string, string>> = {
    github,
    gitlab: { "x-gitlab-event": event, "x-gitlab-event-uuid": id, "x-gitlab-token": secret },
    gitea: { ...github, "x-gitea-event": event, "x-gitea-delivery": id, "x-gitea-signature": digest },
    forgejo: { ...github, "x-forgejo-event": event, "x-forgejo-delivery": id, "x-forgejo-signature": digest },
    bitbucket: { "x-event-key": event, "x-request-uuid": id, "x-hub-signature": `sha256=${digest}` },
    "bitbucket-server": { "x-event-key": event, "x-request-id": id, "x-hub-signature": `sha256=${digest}` },
  };
  return { "content-type": "application/json", ...headers[sender] };
}

export function sendDelivery(
  { port }: Pick<TestService, "port">,
  { path, secret }: Hook,
  sender: Sender,
  { event, body }: { event: string; body: object },
  { id, headers = {} }: { id?: string; headers?: Record<string, string> } = {},
) {
  const text = JSON.stringify(body);
  return send({
    port,
    path,
    method: "POST",
    body: text,
    headers: { ...signedHeaders(sender, event, text, secret, id), ...headers },
  });
}

/** The webhook that the page of a project's repository shows. */
export function hookOn(html: string): Hook {
  const [, path] = /aria-label="webhook URL">https?:\/\/[^/<]+([^<]+)</.exec(html)!;
  const [, secret] = /aria-label="webhook secret">([^<]+)</.exec(html)!;
  return { path: path!, secret: secret! };
}
