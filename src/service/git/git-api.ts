/**
 * Serves the repositories of projects to Git clients. A client sends an API key as the password, and has the
 * rights of the key: reading a repository requires those for reading deployments, and pushing those for
 * creating them.
 */

import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import path from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../../base/app-error.ts";
import { limits } from "../../base/limits.ts";
import { megabytes } from "../../base/megabytes.ts";
import type { StartBuild } from "../../builder/build-process.ts";
import { type BackendRequest, type GitService, runBackend } from "../../io/git-backend.ts";
import { hooksIn } from "../../io/git-hooks.ts";
import { expectLongBody } from "../../io/guard-server.ts";
import { privateFolder } from "../../io/private-folder.ts";
import type { Scope } from "../core/scope.ts";
import type { Service } from "../core/service.ts";
import { errorResponse } from "../http/error-response.ts";
import { TurnQueue } from "../http/turn-queue.ts";
import { authenticateKey } from "../keys/authenticate.ts";
import { openCopy } from "../storage/git-copies.ts";
import { findProject, type GitProject } from "./find-project.ts";
import { Push } from "./receive-push.ts";

export interface GitApiOptions {
  service: Service;
  startBuild: StartBuild;
  /** Returns the client's IP address. */
  addressOf(request: IncomingMessage): string;
  waitForSites(): Promise<void>;
}

/** Routes for Git clients, by service and with their methods. */
export const gitRoutes = [
  { method: "GET", path: "/git/{repository}/info/refs?service=git-upload-pack", role: "viewer" },
  { method: "GET", path: "/git/{repository}/info/refs?service=git-receive-pack", role: "editor" },
  { method: "POST", path: "/git/{repository}/git-upload-pack", role: "viewer" },
  { method: "POST", path: "/git/{repository}/git-receive-pack", role: "editor" },
] as const;

export function addGitRoutes(app: FastifyInstance, options: GitApiOptions): void {
  const api = new GitApi(options);
  app.route({
    method: "GET",
    url: "/git/:repository/info/refs",
    exposeHeadRoute: false,
    handler: (request, reply) => api.serve(request, reply, (request.query as { service?: string }).service),
  });
  for (const service of ["git-upload-pack", "git-receive-pack"])
    app.post(`/git/:repository/${service}`, (request, reply) => api.serve(request, reply, service));
}

class GitApi {
  private readonly options: GitApiOptions;
  private readonly receiving = new TurnQueue(limits.git.receiving);
  private readonly running = new TurnQueue(limits.git.running);

  constructor(options: GitApiOptions) {
    this.options = options;
  }

  /** Responds to a request. Git shows the text of an error on the user's terminal. */
  async serve(request: FastifyRequest, reply: FastifyReply, name: string | undefined): Promise<unknown> {
    try {
      return await this.answer(request, reply, name);
    } catch (error) {
      const { status, headers, body } = errorResponse(error);
      if (status >= 500) request.log.error({ requestId: request.id, err: error }, "Git request failed");
      if (!request.raw.complete) reply.header("connection", "close");
      const lines = [body.error, ...(body.details ?? []).map(({ message }) => message), ""];
      return reply.code(status).headers(headers).type("text/plain; charset=utf-8").send(lines.join("\n"));
    }
  }

  private async answer(
    request: FastifyRequest,
    reply: FastifyReply,
    name: string | undefined,
  ): Promise<unknown> {
    const { service } = this.options;
    const isPush = name === "git-receive-pack";
    const scope = await this.authenticate(request, isPush);
    const { repository } = request.params as { repository: string };
    const project = await findProject(service, scope, repository);
    if (name !== "git-upload-pack" && !isPush)
      throw new AppError("forbidden", "This URL is for Git clients, with Git's smart HTTP protocol");
    await this.requireRate(scope, isPush && request.method === "POST");

    const folder = path.join(service.settings.workFolder, "git-requests");
    privateFolder(folder);
    const body = request.method === "POST" ? path.join(folder, service.ulid()) : undefined;
    try {
      // Git runs after the body has arrived, so that a slow client doesn't take the place of others.
      if (body !== undefined)
        await this.receiving.run(scope.organizationId, () => receiveBody(request.raw, body, isPush));
      // A push checks the rights itself, so that its error is shown in full on the terminal.
      if (body !== undefined && !isPush) await scope.requireRights?.(service.db);
      return await this.run(request, reply, { scope, project, service: name, body });
    } finally {
      if (body !== undefined) await rm(body, { force: true });
    }
  }

  private async authenticate(request: FastifyRequest, isPush: boolean): Promise<Scope> {
    const { service } = this.options;
    const address = this.options.addressOf(request.raw);
    const token = passwordOf(request.headers.authorization);
    try {
      return await authenticateKey(service.db, token, {
        type: "admin",
        scope: isPush ? "write" : "read",
        role: isPush ? "editor" : "viewer",
        address,
      });
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "unauthorized") throw error;
      const { wait_s } =
        token === undefined ? { wait_s: 0 } : await service.rateLimit("api-key", { address });
      if (wait_s > 0)
        throw new AppError("rate-limited", "Too many failed authentication attempts from your network", {
          retryAfter_s: wait_s,
        });
      throw new AppError(
        "unauthorized",
        "Missing or invalid API key. Enter any user name, and an API key as the password.",
        { headers: { "www-authenticate": 'Basic realm="Octavo"' } },
      );
    }
  }

  private async requireRate({ organizationId: organization }: Scope, isPush: boolean): Promise<void> {
    const { rateLimit } = this.options.service;
    for (const rule of isPush ? (["git", "git-push"] as const) : (["git"] as const)) {
      const { wait_s } = await rateLimit(rule, { organization });
      if (wait_s > 0)
        throw new AppError("rate-limited", `Too many Git requests. Retry after ${wait_s} seconds.`, {
          retryAfter_s: wait_s,
        });
    }
  }

  /** Runs git, and passes its response on while it arrives. */
  private async run(
    request: FastifyRequest,
    reply: FastifyReply,
    about: { scope: Scope; project: GitProject; service: GitService; body: string | undefined },
  ): Promise<unknown> {
    const { service, startBuild, waitForSites } = this.options;
    const { scope, project, body } = about;
    const gone = new AbortController();
    reply.raw.once("close", () => gone.abort());
    const report = (error: unknown) =>
      request.log.error({ requestId: request.id, err: error }, "Git request");
    const signal = AbortSignal.any([gone.signal, AbortSignal.timeout(limits.git.request_ms)]);
    const end = await this.running.take(scope.organizationId);

    try {
      signal.throwIfAborted();
      const copy = await openCopy(service, project.id);
      const push =
        about.service === "git-receive-pack" && body !== undefined
          ? new Push({
              service,
              scope,
              origin: { requestId: request.id, address: this.options.addressOf(request.raw) },
              project,
              copy,
              startBuild,
              signal,
              onAccepted: end,
              waitForSites,
              report,
            })
          : undefined;

      const { response, ended } = runBackend({
        folder: copy.folder,
        service: about.service,
        body,
        contentType: request.headers["content-type"] ?? "",
        protocol: String(request.headers["git-protocol"] ?? ""),
        push_bytes: limits.git.push_bytes,
        hooks: push && {
          folder: hooksIn(service.settings.workFolder),
          answer: (call, say) => push.answer(call, say),
        },
        path: service.settings.git.path,
        signal,
      } satisfies BackendRequest);

      ended
        .catch((error: unknown) => {
          if (!signal.aborted) report(error);
        })
        .finally(() => {
          push?.close().catch(report);
          end();
        });

      const { status, headers, body: output } = await response;
      return reply.code(status).headers(headers).send(output);
    } catch (error) {
      end();
      throw error;
    }
  }
}

/** Returns the password of HTTP basic authentication, or a bearer token. Undefined if there is none. */
function passwordOf(header: string | undefined): string | undefined {
  const [, scheme, value] = /^(Basic|Bearer) ([\x21-\x7e]{1,1024})$/i.exec(header ?? "") ?? [];
  if (scheme === undefined || value === undefined) return undefined;
  const text = /^basic$/i.test(scheme) ? Buffer.from(value, "base64").toString("utf8") : `:${value}`;
  const password = text.slice(text.indexOf(":") + 1);
  return text.includes(":") && /^[\x21-\x7e]{1,512}$/.test(password) ? password : undefined;
}

/** Writes the body of a request to a file, decompressed. Throws an AppError if it's too large. */
async function receiveBody(request: IncomingMessage, file: string, isPush: boolean): Promise<void> {
  const encoding = request.headers["content-encoding"] ?? "identity";
  if (!/^(?:identity|(?:x-)?gzip)$/.test(encoding))
    throw new AppError("wrong-type", "The body must be uncompressed, or compressed with gzip");
  const most_bytes = isPush ? limits.git.push_bytes : limits.git.request_bytes;
  expectLongBody(request, limits.upload_ms);
  const input = request.iterator({ destroyOnReturn: false });
  const output = createWriteStream(file, { flags: "wx", mode: 0o600 });
  if (encoding === "identity") return pipeline(input, limitedTo(most_bytes), output);
  await pipeline(input, limitedTo(most_bytes), createGunzip(), limitedTo(most_bytes), output).catch(
    (error: NodeJS.ErrnoException) => {
      throw /^Z_/.test(error.code ?? "")
        ? new AppError("invalid", "The body isn't compressed with gzip")
        : error;
    },
  );
}

function limitedTo(most_bytes: number): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > most_bytes)
        done(new AppError("too-large", `The request is larger than ${megabytes(most_bytes)}`));
      else done(null, chunk);
    },
  });
}
