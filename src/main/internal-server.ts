/** Server for operators on a separate port (`OCTAVO_INTERNAL_PORT`) that isn't public. */

import { createServer } from "node:http";

/** Content type and text of responses, by path. */
export type InternalPages = Record<string, () => Promise<{ type: string; text: string }>>;

/** Starts the server, if there is a port. Resolves with the function that stops it. */
export async function startInternalServer(
  { host, port }: { host: string; port: number | undefined },
  pages: InternalPages,
): Promise<() => void> {
  if (port === undefined) return () => {};
  const server = createServer(async (request, response) => {
    const page = pages[request.url ?? ""];
    if (!page || request.method !== "GET") return void response.writeHead(404).end();
    try {
      const { type, text } = await page();
      response.writeHead(200, { "content-type": type, "cache-control": "no-store" }).end(text);
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

/** The port from the environment, or undefined. */
export function readInternalPort(env: NodeJS.ProcessEnv, problems: string[]): number | undefined {
  const text = env.OCTAVO_INTERNAL_PORT || undefined;
  if (text === undefined) return undefined;
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_535 || text === env.PORT)
    problems.push("OCTAVO_INTERNAL_PORT must be a whole number between 1 and 65535, and another port than PORT");
  return port;
}
