/**
 * A closed-loop load generator: each connection sends a request, reads the whole response, and sends the next
 * one. It does little work per request, so that the server under test is the busy process.
 */

import { connect } from "node:net";

export interface ClosedLoop {
  port: number;
  connections: number;
  requests: number;
  /** Texts of whole requests, which the connections send in turn. */
  texts: readonly string[];
}

export interface Answered {
  /** Time from the first request to the last response in seconds. */
  took_s: number;
  /** Durations of the requests in milliseconds, sorted. */
  times_ms: Float64Array;
  statuses: Record<string, number>;
}

/** Sends the requests. Rejects if a connection fails. */
export async function closedLoop({ port, connections, requests, texts }: ClosedLoop): Promise<Answered> {
  const bytes = texts.map((text) => Buffer.from(text, "latin1"));
  const times = new Float64Array(requests);
  const statuses: Record<string, number> = {};
  let [sent, done] = [0, 0];
  const start = performance.now();

  const run = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect(port, "127.0.0.1");
      let from = 0;
      let missing: number | undefined;
      let head = "";
      const next = () => {
        if (sent >= requests) {
          socket.end();
          resolve();
          return;
        }
        from = performance.now();
        missing = undefined;
        head = "";
        socket.write(bytes[sent++ % bytes.length]!);
      };

      socket.setNoDelay(true);
      socket.once("connect", next);
      socket.once("error", reject);
      socket.once("close", () =>
        sent < requests ? reject(new Error("The connection was closed")) : resolve(),
      );
      socket.on("data", (chunk) => {
        let body = chunk;
        if (missing === undefined) {
          head += chunk.toString("latin1");
          const end = head.indexOf("\r\n\r\n");
          if (end < 0) return;
          const status = head.slice(9, 12);
          statuses[status] = (statuses[status] ?? 0) + 1;
          missing = status === "304" ? 0 : lengthIn(head.slice(0, end));
          body = Buffer.from(head.slice(end + 4), "latin1");
        }

        missing -= body.length;
        const isComplete =
          missing === Number.POSITIVE_INFINITY ? body.subarray(-5).equals(lastChunk) : missing <= 0;
        if (!isComplete) return;
        times[done++] = performance.now() - from;
        next();
      });
    });

  await Promise.all(Array.from({ length: connections }, run));
  return { took_s: (performance.now() - start) / 1_000, times_ms: times.sort(), statuses };
}

const lastChunk = Buffer.from("0\r\n\r\n");

/** Number of bytes of a body. Infinity if it is chunked. */
function lengthIn(head: string): number {
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  return length === undefined ? Number.POSITIVE_INFINITY : Number(length);
}
