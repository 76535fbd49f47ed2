/**
 * Sends requests to the APIs of GitHub, GitLab, Gitea, Forgejo and Bitbucket Cloud: commit statuses, and
 * comments on pull requests.
 */

import { parseUrl } from "../../base/url.ts";
import { anyPrivateHost } from "../../io/allowed-hosts.ts";
import { RequestBlocked } from "../../io/outbound.ts";
import { outboundFetch } from "../../io/outbound-fetch.ts";
import type { GitProjectSource } from "../core/git-source.ts";
import type { Service } from "../core/service.ts";
import type { GitHost, RepositoryConnection } from "../core/tables.ts";

export interface CommitStatus {
  sha: string;
  state: "pending" | "success" | "failure";
  description: string;
  url: string;
}

/**
 * Thrown if the git host refused the request, or requests to it are blocked, so retrying won't help. The
 * message is for the project's members.
 */
export class HostRefused extends Error {}

interface ApiRequest {
  method: "POST" | "PATCH" | "PUT";
  path: string;
  body: object;
}

/**
 * Formats of the requests for one kind of git host. `repository`: path of the repository, such as
 * `acme/docs`.
 */
interface HostFormat {
  /**
   * Returns the base URL of the API, derived from the repository's URL. Undefined if the API's URL isn't
   * known for this host.
   */
  base(url: URL): string | undefined;
  status(repository: string, status: CommitStatus): ApiRequest;
  /**
   * Returns the request that creates or updates a comment. `id`: the comment to update. Undefined to create
   * one.
   */
  comment(repository: string, number: number, text: string, id: string | undefined): ApiRequest;
}

const name = "Octavo";
/** Maximum number of objects and arrays of a response. */
const values_count = 5_000;

const gitHubFormat: Omit<HostFormat, "base"> = {
  status: (repository, { sha, state, description, url }) => ({
    method: "POST",
    path: `/repos/${repository}/statuses/${sha}`,
    body: { state, description, target_url: url, context: name },
  }),
  comment: (repository, number, body, id) => ({
    method: id === undefined ? "POST" : "PATCH",
    path:
      id === undefined
        ? `/repos/${repository}/issues/${number}/comments`
        : `/repos/${repository}/issues/comments/${id}`,
    body: { body },
  }),
};

const formats: Record<GitHost, HostFormat> = {
  github: {
    ...gitHubFormat,
    base: ({ hostname, origin }) =>
      hostname === "github.com" ? "https://api.github.com" : `${origin}/api/v3`,
  },
  gitea: { ...gitHubFormat, base: ({ origin }) => `${origin}/api/v1` },
  gitlab: {
    base: ({ origin }) => `${origin}/api/v4`,
    status: (repository, { sha, state, description, url }) => ({
      method: "POST",
      path: `/projects/${encodeURIComponent(repository)}/statuses/${sha}`,
      body: {
        state: { pending: "running", success: "success", failure: "failed" }[state],
        description,
        target_url: url,
        name,
      },
    }),
    comment: (repository, number, body, id) => ({
      method: id === undefined ? "POST" : "PUT",
      path: `/projects/${encodeURIComponent(repository)}/merge_requests/${number}/notes${id === undefined ? "" : `/${id}`}`,
      body: { body },
    }),
  },
  bitbucket: {
    base: ({ hostname }) => (hostname === "bitbucket.org" ? "https://api.bitbucket.org/2.0" : undefined),
    status: (repository, { sha, state, description, url }) => ({
      method: "POST",
      path: `/repositories/${repository}/commit/${sha}/statuses/build`,
      body: {
        key: "octavo",
        state: { pending: "INPROGRESS", success: "SUCCESSFUL", failure: "FAILED" }[state],
        description,
        url,
        name,
      },
    }),
    comment: (repository, number, raw, id) => ({
      method: id === undefined ? "POST" : "PUT",
      path: `/repositories/${repository}/pullrequests/${number}/comments${id === undefined ? "" : `/${id}`}`,
      body: { content: { raw } },
    }),
  },
};

export class GitHostApi {
  private readonly format: HostFormat;
  private readonly base: string;
  private readonly repository: string;
  private readonly token: string;
  private readonly fetch: ReturnType<typeof outboundFetch>;

  private constructor(
    format: HostFormat,
    base: string,
    repository: string,
    token: string,
    { git }: Service["settings"],
  ) {
    this.format = format;
    this.base = base;
    this.repository = repository;
    this.token = token;
    const allowed = git.allowPrivate ? anyPrivateHost : git.allowed;
    this.fetch = outboundFetch({ sender: "git-host", values_count, ...(allowed ? { allowed } : {}) });
  }

  /**
   * Returns the client for a repository's host. Undefined if there is no access token, no webhook delivery
   * has been received yet, or the host's API isn't known.
   */
  static of(
    settings: Service["settings"],
    source: GitProjectSource,
    { host, token, apiUrl }: RepositoryConnection,
  ): GitHostApi | undefined {
    const url = parseUrl(source.url);
    if (!url || !token || host === undefined) return undefined;
    const web = new URL(url.protocol === "ssh:" ? `https://${url.hostname}` : url.origin);
    const base = (apiUrl ?? formats[host].base(web))?.replace(/\/+$/, "");
    const repository = url.pathname.replace(/^\/+|\/?\.git\/?$|\/+$/g, "");
    // If the token has the form `user:password`, the password is the API token.
    return base === undefined
      ? undefined
      : new GitHostApi(formats[host], base, repository, token.split(":").at(-1)!, settings);
  }

  /** Sets a commit status. Throws `HostRefused` if retrying won't help. Other errors may be temporary. */
  async setStatus(status: CommitStatus): Promise<void> {
    await this.send(
      this.format.status(this.repository, { ...status, description: status.description.slice(0, 140) }),
    );
  }

  /**
   * Updates the comment, or creates one if `id` is undefined or the comment was deleted. Returns the
   * comment's ID, or an empty string if the response has none. Throws the same errors as `setStatus`.
   */
  async comment(number: number, text: string, id: string | undefined): Promise<string> {
    const updated =
      id === undefined
        ? undefined
        : await this.send(this.format.comment(this.repository, number, text, id), true);
    if (id !== undefined && updated !== undefined) return id;
    const created = await this.send(this.format.comment(this.repository, number, text, undefined));
    return String((created as { id?: unknown } | undefined)?.id ?? "");
  }

  /** Returns the response's JSON. `isOptional`: returns undefined for status 404 instead of throwing. */
  private async send({ method, path, body }: ApiRequest, isOptional = false): Promise<unknown> {
    const headers = {
      authorization: `Bearer ${this.token}`,
      "content-type": "application/json",
      accept: "application/json",
      "user-agent": "octavo",
    };

    const answer = await this.fetch(`${this.base}${path}`, {
      method,
      headers,
      body: JSON.stringify(body),
    }).catch((error: unknown) => {
      throw error instanceof RequestBlocked ? new HostRefused(`Request blocked: ${error.message}.`) : error;
    });

    const text = await answer.text();
    if (answer.ok) return text === "" ? {} : JSON.parse(text);
    if (answer.status === 404 && isOptional) return undefined;

    // GitLab refuses a status that the commit already has.
    if (answer.status === 400 && text.includes("Cannot transition status")) return {};
    if (answer.status >= 500 || answer.status === 429)
      throw new Error(`The Git host responded with status ${answer.status}`);
    throw new HostRefused(refusals[answer.status] ?? `It responded with status ${answer.status}.`);
  }
}

const refusals: Record<number, string> = {
  401: "It rejected the access token (401). Enter a new one in Settings.",
  403: "The access token needs write access to commit statuses and pull requests (403).",
  404: "It couldn't find the repository, or the access token doesn't have access to it (404).",
};
