/** Connections to git servers: credentials, certificates and SSH host keys. */

import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { isIP } from "node:net";
import path from "node:path";
import { rootCertificates } from "node:tls";
import { hostOf, percentDecoded } from "../base/url.ts";
import { type GitAccess, type GitOptions, type GitSource, portOf, resolveHost } from "./check-git-source.ts";

/** User name for access tokens. GitHub, GitLab and Gitea accept any name, and Bitbucket requires this one. */
const tokenUser = "x-token-auth";

/** Arguments for git to fetch a commit. */
const plainFetch = [
  "fetch",
  "--quiet",
  "--no-tags",
  "--no-recurse-submodules",
  "--no-auto-gc",
  "--no-write-fetch-head",
];

/** Arguments for git to fetch one commit without its history. */
export const shallowFetch = [...plainFetch, "--depth=1"];

/** Arguments for git to fetch older commits, without the content of files if the server supports this. */
export const deeperFetch = (commits: number) => [...plainFetch, `--deepen=${commits}`, "--filter=blob:none"];

/** Arguments for git to fetch all older commits with the content of their files. */
export const completeFetch = [...plainFetch, "--deepen=1000000"];

export interface Remote {
  /**
   * URL for git's arguments. Other users can read the arguments of a process, so an HTTP or HTTPS URL has no
   * credentials.
   */
  url: string;
  /** git's configuration for the connection. Contains the credentials. */
  config: Record<string, string>;
  env: Record<string, string>;
}

/**
 * Resolves the host and prepares the connection. Writes keys and certificates to `scratch`. Throws
 * `GitRefused` if the host can't be resolved or isn't allowed.
 */
export async function openRemote(
  { access }: Pick<GitSource, "access">,
  url: URL,
  scratch: string,
  options: GitOptions,
): Promise<Remote> {
  const addresses = await resolveHost(url, options);

  if (url.protocol === "ssh:") {
    const command =
      access?.kind === "ssh"
        ? await sshCommand(access, url, addresses[0]!, scratch)
        : ownSshCommand(url, addresses[0]!);
    return { url: url.href, config: {}, env: { GIT_SSH_COMMAND: command } };
  }

  const bare = new URL(url);
  bare.username = bare.password = "";
  const caFile = await writeCaFile(scratch, options.extraCaFile);
  const config: Record<string, string> = caFile === undefined ? {} : { "http.sslCAInfo": caFile };

  const credentials =
    url.username || url.password
      ? `${percentDecoded(url.username)}:${percentDecoded(url.password)}`
      : access?.kind === "token" &&
        (access.token.includes(":") ? access.token : `${tokenUser}:${access.token}`);

  if (credentials)
    config["http.extraHeader"] = `Authorization: Basic ${Buffer.from(credentials).toString("base64")}`;
  if (addresses.length && !isIP(hostOf(url)))
    config["http.curloptResolve"] = `${url.hostname}:${portOf(url)}:${addresses.join(",")}`;
  return { url: bare.href, config, env: {} };
}

/**
 * Returns the path of the file with the server's confirmed host key. If none has been confirmed, SSH stores
 * the key of the first connection in this file.
 */
export function knownHostsFile(scratch: string): string {
  return path.join(scratch, "known-hosts");
}

/**
 * Returns an SSH command that uses only this key and host key, and none of this machine's configuration, keys
 * and agents. The command connects to the IP address that was checked, which prevents DNS rebinding.
 */
async function sshCommand(
  { privateKey, hostKey }: GitAccess & { kind: "ssh" },
  url: URL,
  address: string,
  scratch: string,
) {
  const host = hostOf(url);
  const keyFile = path.resolve(scratch, "deploy-key");
  await writeFile(keyFile, privateKey, { mode: 0o600 });
  if (hostKey !== undefined) await writeFile(knownHostsFile(scratch), `${host} ${hostKey}\n`);

  const settings = {
    BatchMode: "yes",
    ConnectTimeout: "15",
    GlobalKnownHostsFile: "none",
    HashKnownHosts: "no",
    HostKeyAlias: host,
    HostName: address,
    IdentitiesOnly: "yes",
    IdentityFile: keyFile,
    IdentityAgent: "none",
    PreferredAuthentications: "publickey",
    StrictHostKeyChecking: hostKey === undefined ? "accept-new" : "yes",
    UpdateHostKeys: "no",
    UserKnownHostsFile: path.resolve(knownHostsFile(scratch)),
  };

  return `ssh -F none ${sshOptions(settings)}`;
}

/**
 * Returns an SSH command that uses this machine's configuration and keys, and connects to the IP address that
 * was checked.
 */
function ownSshCommand(url: URL, address: string): string {
  const host = hostOf(url);
  const port = portOf(url);
  return `ssh ${sshOptions({ BatchMode: "yes", HostKeyAlias: port === 22 ? host : `[${host}]:${port}`, HostName: address })}`;
}

function sshOptions(settings: Record<string, string>): string {
  return Object.entries(settings)
    .map(([name, value]) => `-o '${name}="${value.replaceAll("'", "'\\''")}"'`)
    .join(" ");
}

/**
 * Writes all certificate authorities to one file, which git uses instead of the system's file. Undefined if
 * `extraCaFile` isn't set.
 */
async function writeCaFile(scratch: string, extraCaFile: string | undefined): Promise<string | undefined> {
  if (extraCaFile === undefined) return undefined;
  const system = systemCaFiles.find((file) => existsSync(file));
  const texts = await Promise.all(
    [extraCaFile, ...(system ? [system] : [])].map((file) => readFile(file, "utf8")),
  );
  const file = path.join(scratch, "authorities.pem");
  await writeFile(file, [...texts, ...rootCertificates].join("\n"));
  return path.resolve(file);
}

/** Certificate files of Debian, Red Hat, SUSE, Alpine and macOS. */
const systemCaFiles = [
  "/etc/ssl/certs/ca-certificates.crt",
  "/etc/pki/tls/certs/ca-bundle.crt",
  "/etc/ssl/ca-bundle.pem",
  "/etc/ssl/cert.pem",
];
