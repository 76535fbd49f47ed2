/**
 * Starts the HTTP server for operators on a separate port (`OCTAVO_INTERNAL_PORT`), which shouldn't be
 * public.
 */

import { createServer } from "node:http";
import { parseUrl } from "../base/url.ts";
import { defaultPort } from "./default-port.ts";

/**
 * Functions that create the response, by path. The default status is 200. If a function rejects, the status
 * is 503.
 */
export type InternalPages = Record<
  string,
  (query: URLSearchParams) => Promise<{ status?: number; type: string; text: string }>
>;

/** Starts the server, unless the port is undefined. Resolves with a function that stops it. */
export async function startInternalServer(
  { host, port }: { host: string; port: number | undefined },
  pages: InternalPages,
): Promise<() => void> {
  if (port === undefined) return () => {};

  const server = createServer(async (request, response) => {
    const url = parseUrl(request.url ?? "", "http://internal");
    const page = url !== undefined && Object.hasOwn(pages, url.pathname) ? pages[url.pathname] : undefined;
    if (!url || !page || request.method !== "GET") return void response.writeHead(404).end();
    try {
      const { status = 200, type, text } = await page(url.searchParams);
      response.writeHead(status, { "content-type": type, "cache-control": "no-store" }).end(text);
    } catch {
      response.writeHead(503).end();
    }
  });

  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });

  return () => {
    server.close();
    server.closeAllConnections();
  };
}

/**
 * Reads the port from the environment; undefined if it isn't set. Adds a message to `problems` if the port is
 * invalid.
 */
export function readInternalPort(env: NodeJS.ProcessEnv, problems: string[]): number | undefined {
  const text = env.OCTAVO_INTERNAL_PORT || undefined;
  if (text === undefined) return undefined;
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_535 || port === Number(env.PORT || defaultPort))
    problems.push(
      "OCTAVO_INTERNAL_PORT must be a whole number between 1 and 65535 that is different from PORT",
    );
  return port;
}
