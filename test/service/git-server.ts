/** Creates local Git repositories and serves them over HTTP with `git http-backend`. */

import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import path from "node:path";

/** Runs git with a fixed identity and without system configuration. */
export function git(folder: string, args: string[], input?: string | Buffer): string {
  return execFileSync("git", args, {
    cwd: folder,
    input,
    encoding: "utf8",
    stdio: ["pipe", "pipe", "pipe"],
    env: {
      PATH: process.env.PATH,
      HOME: path.dirname(folder),
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_AUTHOR_NAME: "Ann",
      GIT_AUTHOR_EMAIL: "ann@example.com",
      GIT_COMMITTER_NAME: "Ann",
      GIT_COMMITTER_EMAIL: "ann@example.com",
      GIT_AUTHOR_DATE: "2026-01-01T00:00:00Z",
      GIT_COMMITTER_DATE: "2026-01-01T00:00:00Z",
    },
  }).trim();
}

/**
 * Writes files to the repository and commits them. Creates the repository and the branch if necessary.
 * Returns the commit's hash.
 */
export function commitFiles(
  folder: string,
  files: Record<string, string>,
  { branch = "main", message = "First words" } = {},
): string {
  mkdirSync(folder, { recursive: true });
  git(folder, ["init", "--quiet", "--initial-branch=main"]);
  const isNew = git(folder, ["for-each-ref"]) === "";
  if (!isNew)
    git(folder, branch === "main" ? ["checkout", "--quiet", "main"] : ["checkout", "--quiet", "-B", branch]);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), content);
  }
  git(folder, ["add", "-A"]);
  git(folder, ["commit", "--quiet", "--allow-empty", "-m", message]);
  return git(folder, ["rev-parse", "HEAD"]);
}

/**
 * Starts a Git server. `admit` is called for each request; it returns false if it has answered the request
 * itself.
 */
export async function startGitServer(
  root: string,
  admit: (request: IncomingMessage, response: ServerResponse) => boolean = () => true,
  tls?: { key: Buffer; cert: Buffer },
) {
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    if (!admit(request, response)) return;
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => answer(root, request, Buffer.concat(chunks), response));
  };
  const server = tls ? createTlsServer(tls, listener) : createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
}

/** Creates a self-signed certificate for `name`. `file`: the certificate that clients have to trust. */
export function selfSignedCertificate(
  folder: string,
  name: string,
): { key: Buffer; cert: Buffer; file: string } {
  const [keyFile, file] = [path.join(folder, "key.pem"), path.join(folder, "cert.pem")];
  const request = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", `/CN=${name}`];
  const names = ["-addext", `subjectAltName=DNS:${name},IP:127.0.0.1`];
  execFileSync("openssl", [...request, ...names, "-keyout", keyFile, "-out", file], { stdio: "ignore" });
  return { key: readFileSync(keyFile), cert: readFileSync(file), file };
}

/** Runs `git http-backend` as a CGI program. */
function answer(root: string, request: IncomingMessage, input: Buffer, response: ServerResponse): void {
  const url = new URL(request.url!, "http://localhost");
  // After an error, such as an unknown object, git ends with status 1 and its output is still the response.
  const { stdout: output } = spawnSync("git", ["http-backend"], {
    input,
    maxBuffer: 100_000_000,
    env: {
      PATH: process.env.PATH,
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: "1",
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "safe.directory",
      GIT_CONFIG_VALUE_0: "*",
      PATH_INFO: url.pathname,
      QUERY_STRING: url.search.slice(1),
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers["content-type"] ?? "",
      HTTP_CONTENT_ENCODING: String(request.headers["content-encoding"] ?? ""),
      GIT_PROTOCOL: String(request.headers["git-protocol"] ?? ""),
    },
  });
  const end = output.indexOf("\r\n\r\n");
  const head = output
    .toString("latin1", 0, end)
    .split("\r\n")
    .map((line) => line.split(/:\s*/, 2) as [string, string]);
  const status = Number(head.find(([name]) => name === "Status")?.[1].slice(0, 3) ?? 200);
  response
    .writeHead(status, Object.fromEntries(head.filter(([name]) => name !== "Status")))
    .end(output.subarray(end + 4));
}
