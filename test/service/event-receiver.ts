/** A receiver of outbound webhooks on this machine. Services reach it with `OCTAVO_OUTBOUND_ALLOW`. */

import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface ReceivedEvent {
  headers: Record<string, string>;
  body: string;
  json: { type: string; timestamp: string; data: Record<string, unknown>; text?: string };
}

export const allowReceivers = { OCTAVO_OUTBOUND_ALLOW: "127.0.0.1:1024-65535" };

/** `statuses`: statuses of the first responses; later ones are 200. */
export async function startReceiver(statuses: number[] = []) {
  const received: ReceivedEvent[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString();
      received.push({ headers: request.headers as Record<string, string>, body, json: JSON.parse(body) });
      const status = statuses.shift() ?? 200;
      response
        .writeHead(status, status === 302 ? { location: "http://127.0.0.1:1/" } : {})
        .end("secret-answer-of-the-receiver");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`,
    received,
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/** Whether the signature is valid, checked as the Standard Webhooks specification says. */
export function isSigned({ headers, body }: ReceivedEvent, secret: string): boolean {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const expected = createHmac("sha256", key)
    .update(`${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`)
    .digest("base64");
  return headers["webhook-signature"] === `v1,${expected}`;
}
