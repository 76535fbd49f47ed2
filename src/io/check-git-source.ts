/**
 * Checks the URL, branch and folder that a user has configured, and resolves the host to allowed IP
 * addresses.
 */

import { lookup as lookUp } from "node:dns/promises";
import { isIP } from "node:net";
import { unsafeName } from "../base/safe-name.ts";
import { hostOf, parseUrl, percentDecoded } from "../base/url.ts";
import { type AllowedHosts, noHosts, notReached } from "./allowed-hosts.ts";
import { isBranchName } from "./branch-name.ts";
import { isMetadataAddress, isPublicAddress, isWebPort } from "./public-address.ts";

export interface GitSource {
  url: string;
  branch: string;
  /** Folder in the repository. Default: the root. */
  directory?: string;
  /** Credentials. Absent for a public repository, or if the credentials are in the URL. */
  access?: GitAccess;
  /** Commit to read. If it can't be fetched, the latest commit is read. */
  commit?: string;
  /** Full name of a ref that is read instead of the branch, such as `refs/pull/12/head`. */
  ref?: string;
}

export type GitAccess =
  /** `token`: an access token, or a user name and password in the form `user:password`. */
  | { kind: "token"; token: string }
  /** `hostKey`: type and key of the server, as in a `known_hosts` file; undefined to accept any key. */
  | { kind: "ssh"; privateKey: string; hostKey: string | undefined };

/** Which servers git may connect to, and how. */
export interface GitOptions {
  /** Allowed protocols in addition to https. */
  protocols?: readonly ("ssh" | "http" | "file")[];
  /**
   * Allows servers in private networks and on any port, except link-local addresses and metadata services.
   */
  allowPrivate?: boolean;
  /** Hosts that the operator allows in addition to the public internet. */
  allowed?: AllowedHosts;
  /** PEM file with additional trusted certificate authorities. */
  extraCaFile?: string | undefined;
  /** Value of the environment variable `PATH`, to find git. */
  path: string | undefined;
  /** Returns the IP addresses of a host. Default: those that the system's resolver returns. */
  lookup?: (host: string) => Promise<string[]>;
  /** Ends git when it is aborted. */
  signal?: AbortSignal;
}

/**
 * Thrown if the source is invalid or the branch can't be read. The message is for the user who configured the
 * source, and contains no secrets.
 */
export class GitRefused extends Error {}

/**
 * Validates the URL, branch and folder of a source without connecting to it. Throws `GitRefused` if one of
 * them is invalid, or if the URL's protocol isn't allowed or doesn't support the credentials.
 */
export function checkGitSource(
  { url: text, branch, directory, access }: GitSource,
  { protocols = [] }: Pick<GitOptions, "protocols">,
): { url: URL; branch: string; directory: string } {
  // With a deploy key, none of this machine's SSH keys are used, so the operator doesn't have to allow the
  // protocol.
  const url = checkUrl(text, { protocols: access?.kind === "ssh" ? [...protocols, "ssh"] : protocols });
  if (access?.kind === "ssh" && url.protocol !== "ssh:")
    throw new GitRefused("A deploy key requires an SSH URL, such as ssh://git@github.com/acme/docs.git");
  if (access?.kind === "token" && !/^https?:$/.test(url.protocol))
    throw new GitRefused("An access token requires a URL that starts with https://");
  if (!isBranchName(branch)) throw new GitRefused("Invalid branch name");
  const folder = (directory ?? "").replace(/^(?:\.?\/)+|\/+$/g, "");
  const wrong = folder === "" || folder === "." ? undefined : unsafeName(folder);
  if (wrong) throw new GitRefused(`Invalid folder: the path ${wrong}`);
  return { url, branch, directory: folder === "." ? "" : folder };
}

function checkUrl(text: string, { protocols = [] }: Pick<GitOptions, "protocols">): URL {
  const allowed = ["https", ...protocols].map((name) => `${name}:`);

  // The URL parser removes or replaces some of these characters, so the URL would differ from the one that
  // the user entered.
  if (/[\u0000-\u0020\u007f\\]/.test(text))
    throw new GitRefused("The repository URL contains invalid characters");
  const url = parseUrl(text);
  const optional = url && /^(?:ssh|http|file):$/.test(url.protocol) ? url.protocol : undefined;
  if (optional && !allowed.includes(optional))
    throw new GitRefused(
      `The operator doesn't allow ${optional}// URLs. Use an https:// URL, or ask the operator to add ${optional.slice(0, -1)} to OCTAVO_GIT_ALLOW.`,
    );

  if (!url || !allowed.includes(url.protocol))
    throw new GitRefused(
      `The repository URL must start with ${allowed.map((name) => `${name}//`).join(" or ")}`,
    );

  if (url.search || url.hash)
    throw new GitRefused("The repository URL can't contain a query string or fragment");
  if (url.protocol === "file:") return url;
  if (!/^[a-z0-9[]/.test(url.hostname)) throw new GitRefused("The repository URL has no valid host");

  if (url.pathname === "/")
    throw new GitRefused(
      "The repository URL has no path. Enter the full URL, such as https://github.com/acme/docs.git.",
    );

  if (url.protocol === "ssh:" && !/^[\w.-]*$/.test(percentDecoded(url.username)))
    throw new GitRefused("Invalid user name in the repository URL");

  // The host is part of a shell command.
  if (url.protocol === "ssh:" && !/^(?:[\w.-]+|\[[\da-f:]+\])$/i.test(url.hostname))
    throw new GitRefused("The repository URL has no valid host");
  return url;
}

/** Returns the port of a URL, or the default port of its protocol. */
export function portOf({ protocol, port }: URL): number {
  return Number(port || { "ssh:": 22, "http:": 80 }[protocol] || 443);
}

/**
 * Resolves the host and returns its IP addresses. Empty for a `file:` URL. Throws `GitRefused` if an IP
 * address isn't allowed or the host can't be resolved. The caller must connect only to the returned IP
 * addresses, which prevents DNS rebinding.
 */
export async function resolveHost(
  url: URL,
  { allowPrivate, allowed = noHosts, lookup = addressesOf }: GitOptions,
): Promise<string[]> {
  if (url.protocol === "file:") return [];
  const host = hostOf(url);
  const addresses = isIP(host)
    ? [host]
    : // Unknown names cause the same error as internal names, so that the error doesn't reveal which names exist.
      await lookup(host).catch(() => []);

  const port = portOf(url);
  const isGitPort = isWebPort(port) || (url.protocol === "ssh:" && port === 22);
  const isAllowed = (address: string) =>
    allowed.allows(host, port, address) ||
    (isPublicAddress(address) && isGitPort) ||
    (allowPrivate === true && !isMetadataAddress(address));

  if (addresses.length > 0 && addresses.every(isAllowed)) return addresses;
  const reason = notReached(url.hostname, { isName: isIP(host) === 0, entry: `${url.hostname}:${port}` });
  throw new GitRefused(`Request blocked: ${reason}.`);
}

async function addressesOf(host: string): Promise<string[]> {
  return (await lookUp(host, { all: true })).map(({ address }) => address);
}
