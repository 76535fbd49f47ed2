/**
 * Serves a repository that Octavo stores over Git's smart HTTP protocol, by running `git http-backend` as a
 * CGI program.
 */

import { closeSync, openSync, statSync } from "node:fs";
import path from "node:path";
import { Readable, type Writable } from "node:stream";
import { type AnswerHook, answerHooks, hookDescriptors } from "./git-hooks.ts";
import { killGroup, spawnGit } from "./git-process.ts";

export type GitService = "git-upload-pack" | "git-receive-pack";

export interface BackendRequest {
  /** Folder of the bare repository. */
  folder: string;
  service: GitService;
  /** File with the request's body. Undefined for a request for the refs. */
  body: string | undefined;
  contentType: string;
  /** Value of the header `Git-Protocol`. Ignored unless it names a version. */
  protocol: string | undefined;
  /** Maximum size of a pushed pack in bytes. */
  push_bytes: number;
  /** Folder of the hook programs, and the function that answers them. Undefined unless this is a push. */
  hooks: { folder: string; answer: AnswerHook } | undefined;
  /** Value of the environment variable `PATH`, to find git. */
  path: string | undefined;
  /** Ends git when it is aborted. */
  signal: AbortSignal;
}

export interface BackendResponse {
  status: number;
  headers: Record<string, string>;
  body: Readable;
}

/** Maximum size of the response's headers. */
const head_bytes = 16 * 1024;
const headEnd = "\r\n\r\n";

/**
 * Runs git and resolves with the response when its headers have arrived. `ended` resolves when git has ended.
 * Both reject if git can't be started or ends without a response, and with errors of the hooks.
 */
export function runBackend(request: BackendRequest): {
  response: Promise<BackendResponse>;
  ended: Promise<void>;
} {
  const { body, hooks, signal } = request;
  const input = body === undefined ? "ignore" : openSync(body, "r");
  const child = spawnGit(path.dirname(request.folder), ["http-backend"], {
    config: configOf(request),
    env: environmentOf(request),
    path: request.path,
    stdio: [input, "pipe", "ignore", "pipe", "pipe"],
  });

  if (typeof input === "number") closeSync(input);
  const stop = () => killGroup(child);
  signal.addEventListener("abort", stop);
  child.once("exit", () => signal.removeEventListener("abort", stop));
  const answered = answerHooks(
    child.stdio[hookDescriptors.out] as Readable,
    child.stdio[hookDescriptors.in] as Writable,
    hooks?.answer ?? (async () => false),
  ).catch((error: unknown) => {
    stop();
    throw error;
  });

  const closed = new Promise<void>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", () => resolve());
  });

  const ended = Promise.all([closed, answered]).then(() => {});
  return { response: readHead(child.stdout!), ended };
}

function configOf({ service, hooks, push_bytes }: BackendRequest): Record<string, string> {
  const isPush = service === "git-receive-pack";
  return {
    "http.getanyfile": "false",
    "http.uploadpack": String(!isPush),
    "http.receivepack": String(isPush),
    "core.hooksPath": hooks?.folder ?? "/dev/null",
    "receive.autogc": "false",
    "receive.advertisePushOptions": "false",
    "receive.denyDeleteCurrent": "ignore",
    "receive.fsckObjects": "true",
    // Old commits of many repositories have these mistakes, which have no effect.
    ...Object.fromEntries(
      ["badTimezone", "missingSpaceBeforeDate", "zeroPaddedFilemode"].map((name) => [
        `receive.fsck.${name}`,
        "ignore",
      ]),
    ),
    "receive.maxInputSize": String(push_bytes),
    // Always stores one pack file instead of one file per object.
    "receive.unpackLimit": "1",
    "uploadpack.allowFilter": "true",
    "uploadpack.allowAnySHA1InWant": "false",
  };
}

function environmentOf({ folder, service, body, contentType, protocol = "" }: BackendRequest) {
  const name = path.basename(folder);
  return {
    GIT_PROJECT_ROOT: path.dirname(folder),
    GIT_HTTP_EXPORT_ALL: "1",
    PATH_INFO: `/${name}/${body === undefined ? "info/refs" : service}`,
    REQUEST_METHOD: body === undefined ? "GET" : "POST",
    QUERY_STRING: body === undefined ? `service=${service}` : "",
    ...(body === undefined ? {} : { CONTENT_TYPE: contentType, CONTENT_LENGTH: String(statSync(body).size) }),
    // The name of the committer in the reflogs, which this repository doesn't have.
    REMOTE_USER: "octavo",
    REMOTE_ADDR: "127.0.0.1",
    ...(/^version=[012]$/.test(protocol) ? { GIT_PROTOCOL: protocol } : {}),
  };
}

async function readHead(stdout: Readable): Promise<BackendResponse> {
  const chunks = (stdout as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  let read: Buffer = Buffer.alloc(0);
  for (;;) {
    const { value, done } = await chunks.next();
    if (done) throw new Error("Git ended without a response");
    read = Buffer.concat([read, value]);
    const end = read.indexOf(headEnd);
    if (end < 0 && read.length > head_bytes) throw new Error("The headers of Git's response are too long");
    if (end < 0) continue;
    const body = Readable.from(after(read.subarray(end + headEnd.length), chunks), { objectMode: false });
    return { ...parseHead(read.toString("latin1", 0, end)), body };
  }
}

async function* after(start: Buffer, chunks: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  if (start.length) yield start;
  yield* { [Symbol.asyncIterator]: () => chunks };
}

function parseHead(text: string): Pick<BackendResponse, "status" | "headers"> {
  const headers: Record<string, string> = {};
  for (const line of text.split("\r\n")) {
    const colon = line.indexOf(":");
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  const { status = "200", ...others } = headers;
  return { status: Number.parseInt(status, 10), headers: others };
}
