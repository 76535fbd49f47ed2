import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { createHttpServer, stopHttpServer } from "./http-server.ts";

/** The time that a stopping server waits for requests exceeds this timeout. */
test("a stopping server answers open requests and doesn't wait for connections without a request", {
  timeout: 15_000,
}, async () => {
  const server = createHttpServer([], {}, () => {});
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const open = async (): Promise<Socket> => {
    const socket = connect((server.address() as { port: number }).port, "127.0.0.1");
    await once(socket, "connect");
    return socket;
  };
  const [unused, busy, partial] = [await open(), await open(), await open()];
  const answer = text(busy);
  const requested = once(server, "request") as Promise<[IncomingMessage, ServerResponse]>;
  busy.write("GET / HTTP/1.1\r\nHost: docs.example.com\r\nConnection: close\r\n\r\n");
  const [, response] = await requested;
  const lateAnswer = text(partial);
  const late = once(server, "request") as Promise<[IncomingMessage, ServerResponse]>;
  partial.write("GET / HTTP/1.1\r\n");

  const stopped = stopHttpServer(server, () => new Promise((resolve) => server.close(resolve)));
  unused.resume();
  await once(unused, "close");
  partial.write("Host: docs.example.com\r\nConnection: close\r\n\r\n");
  (await late)[1].end("Late");
  response.end("Done");
  await stopped;
  expect(await answer).toContain("Done");
  expect(await lateAnswer).toContain("Late");
});
