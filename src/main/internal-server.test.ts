import { once } from "node:events";
import { connect, createServer } from "node:net";
import { expect, test } from "vitest";
import { startInternalServer } from "./internal-server.ts";

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}

/** The status of the response to a request that is sent as it is. */
async function statusOf(port: number, target: string): Promise<string | undefined> {
  const socket = connect(port, "127.0.0.1");
  socket.end(`GET ${target} HTTP/1.1\r\nhost: internal\r\nconnection: close\r\n\r\n`);
  let text = "";
  for await (const chunk of socket) text += String(chunk);
  return /^HTTP\/1\.1 (\d+)/.exec(text)?.[1];
}

test("an invalid request target gets 404, and the server keeps running", async () => {
  const port = await freePort();
  const stop = await startInternalServer(
    { host: "127.0.0.1", port },
    { "/ok": async () => ({ type: "text/plain", text: "yes" }) },
  );
  try {
    expect(await statusOf(port, "//")).toBe("404");
    expect(await statusOf(port, "/ok?a=1")).toBe("200");
  } finally {
    stop();
  }
});
