/** A plain Node server, which other servers are compared with. */

import { fork } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** Source of a server that sends the same headers and bytes, or 304 for a request with their ETag. */
const source = `
import { createServer } from "node:http";
process.once("message", ({ headers, body }) => {
  const bytes = Buffer.from(body, "base64");
  const { "content-length": length, "content-encoding": encoding, "content-type": type, ...unchanged } = headers;
  const isKnown = (tag) => tag !== undefined && tag === headers.etag;
  const server = createServer((request, response) => {
    if (isKnown(request.headers["if-none-match"])) return response.writeHead(304, unchanged).end();
    response.writeHead(200, headers);
    response.end(bytes);
  });
  server.listen(0, "127.0.0.1", () => process.send(server.address().port));
});
`;

/** Starts a server in a new process that answers every request with these headers and bytes. */
export async function startPlainServer(
  headers: Record<string, unknown>,
  body: Buffer,
): Promise<{ port: number; pid: number; stop(): void }> {
  const folder = mkdtempSync(path.join(tmpdir(), "octavo-plain-"));
  const file = path.join(folder, "server.mjs");
  writeFileSync(file, source);
  const child = fork(file, [], { execArgv: [] });
  child.send({ headers, body: body.toString("base64") });
  const port = await new Promise<number>((resolve) =>
    child.once("message", (message) => resolve(message as number)),
  );
  return {
    port,
    pid: child.pid!,
    stop() {
      child.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
