/** Starts the service as a process and sends requests to it. */

import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Client, createClient } from "../../src/service/app/client.ts";
import { endpoints } from "../../src/service/app/endpoints.ts";
import { checkResponse } from "./contract.ts";
import { freePort } from "./postgres.ts";
import { until } from "./until.ts";

/** Root of the repository, which tests and benchmarks run in. */
const root = process.cwd();

export interface ServiceOptions {
  databaseUrl?: string;
  storage?: string;
  /** Value of OCTAVO_SECRET, which all processes of a service share. */
  secret?: string;
  role?: "all" | "web" | "worker";
  /** Data folder, which `stop` doesn't delete. By default, a temporary folder that `stop` deletes. */
  dataFolder?: string;
  port?: number;
  env?: Record<string, string>;
  /** Path of the Node.js executable. By default, that of this process. */
  node?: string;
}

/** A running service, which may be shared with other tests. */
export interface TestService {
  url: string;
  port: number;
  dataFolder: string;
  /** Everything that the process has printed so far. */
  output(): string;
  operator: Client;
  /** The API key that the first start prints. */
  firstKey: string;
  /**
   * Runs the jobs and checks that are due, sends the notifications that are due, and serves the changes. Does
   * nothing if the service runs as a process, which does all of this in the background.
   */
  runJobs(): Promise<void>;
  /** Resolves when the condition is true. Calls `runJobs` before each check. */
  until(condition: () => Promise<boolean>, atMost_ms?: number): Promise<number>;
  /** Stops the service with SIGTERM, deletes its temporary data folder, and resolves with the exit code. */
  stop(): Promise<number | null>;
}

/** A service that belongs to the test that started it. */
export interface RunningService extends TestService {
  process: ChildProcess;
}

export const operatorToken = "operator-token-of-all-of-the-tests";

/** Default secret of services with a given database. */
export const databaseSecret = "the secret of all databases of the tests";

export async function startService(options: ServiceOptions = {}): Promise<RunningService> {
  const port = options.port ?? (await freePort());
  const dataFolder = options.dataFolder ?? mkdtempSync(path.join(tmpdir(), "octavo-service-"));
  // A database can only be opened with its secret. With the embedded database, the secret is stored in the
  // data folder.
  const secret = options.secret ?? (options.databaseUrl ? databaseSecret : undefined);
  const firstKey = `oct_${randomBytes(20).toString("hex")}`;
  const url = options.env?.OCTAVO_URL ?? `http://localhost:${port}`;
  const child = spawn(
    options.node ?? process.execPath,
    [path.join(root, "bin/octavo.js"), "serve", "--role", options.role ?? "all"],
    {
      cwd: dataFolder,
      env: {
        PATH: process.env.PATH,
        HOME: dataFolder,
        PORT: String(port),
        OCTAVO_DATA: dataFolder,
        OCTAVO_URL: url,
        OCTAVO_OPERATOR_TOKEN: operatorToken,
        OCTAVO_BOOTSTRAP_KEY: firstKey,
        OCTAVO_LOG_LEVEL: "warn",
        // Deploying the product's documentation would slow down each start.
        OCTAVO_DOCS: "",
        ...(options.databaseUrl ? { DATABASE_URL: options.databaseUrl } : {}),
        ...(options.storage ? { OCTAVO_STORAGE: options.storage } : {}),
        ...(secret ? { OCTAVO_SECRET: secret } : {}),
        ...options.env,
      },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  await ready(port, child, () => output);
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    process: child,
    dataFolder,
    output: () => output,
    operator: clientFor(port, operatorToken),
    firstKey,
    runJobs: async () => {},
    until,
    async stop() {
      child.kill("SIGTERM");
      const code = await ended;
      if (!options.dataFolder) rmSync(dataFolder, { recursive: true, force: true });
      return code;
    },
  };
}

async function ready(port: number, child: ChildProcess, output: () => string): Promise<void> {
  for (let waited_ms = 0; waited_ms < 60_000; waited_ms += 100) {
    if (child.exitCode !== null) throw new Error(`The service ended with ${child.exitCode}: ${output()}`);
    const status = await send({ port, path: "/readyz" }).then(
      (answer) => answer.status,
      () => 0,
    );
    if (status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`The service did not become ready: ${output()}`);
}

/** Creates a typed API client. */
export function clientFor(port: number, key: string): Client {
  return createClient({ url: `http://localhost:${port}`, key });
}

export interface Sent {
  port: number;
  path: string;
  method?: string;
  /** Value of the Host header. By default, that of the API. */
  host?: string;
  headers?: Record<string, string | string[]>;
  body?: string | Uint8Array;
}

export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: responses are untyped in tests.
  json: any;
}

/**
 * Sends a request without normalizing path or headers. Validates responses of the API against its
 * description.
 */
export function send({
  port,
  path: target,
  method = "GET",
  host,
  headers = {},
  body,
}: Sent): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      {
        host: "127.0.0.1",
        port,
        path: target,
        method,
        headers: { host: host ?? `localhost:${port}`, ...headers },
        agent: false,
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () => {
          const bytes = Buffer.concat(chunks);
          const text = bytes.toString("utf8");
          const isJson = /[/+]json/.test(String(response.headers["content-type"] ?? "")) && text !== "";
          const json = isJson ? JSON.parse(text) : undefined;
          try {
            if (host === undefined && method !== "HEAD")
              checkResponse(method, target, response.statusCode!, json, response.headers);
          } catch (error) {
            return reject(error);
          }
          resolve({
            status: response.statusCode!,
            headers: response.headers,
            body: bytes,
            text,
            json,
          });
        });
      },
    );
    request.on("error", reject);
    request.end(body);
  });
}

/** Creates an organization with a project and an API key. */
export async function newOrganization(
  service: Pick<TestService, "operator" | "port" | "runJobs">,
  plan: "free" | "pro" | "enterprise" = "enterprise",
) {
  const name = `org-${randomBytes(4).toString("hex")}`;
  const organization = await service.operator(endpoints.createOrganization, { body: { name, plan } });
  const params = { organizationId: organization.id };
  const project = await service.operator(endpoints.createProject, {
    params,
    body: { name, subdomain: name },
  });
  const { key, id: keyId } = await service.operator(endpoints.createKey, { params, body: { name: "test" } });
  const ask = (path: string, more: Omit<Partial<Sent>, "path"> = {}) =>
    send({ port: service.port, path, ...more, headers: { authorization: `Bearer ${key}`, ...more.headers } });
  const { runJobs } = service;
  return {
    id: organization.id,
    projectId: project.id,
    subdomain: name,
    key,
    keyId,
    client: clientFor(service.port, key),
    ask,
    runJobs,
  };
}

export type TestOrganization = Awaited<ReturnType<typeof newOrganization>>;
