import type { ServerResponse } from "node:http";

/** Policy for plain text, which can't load or run anything. */
const plainPolicy = "default-src 'none'; frame-ancestors 'none'";

/** Sends plain text, followed by a line break. The response isn't cached. */
export function sendText(response: ServerResponse, status: number, text: string): void {
  response.setHeader("cache-control", "no-store");
  response.setHeader("content-security-policy", plainPolicy);
  response.writeHead(status, {
    "content-type": "text/plain; charset=utf-8",
    "content-length": Buffer.byteLength(text) + 1,
  });
  response.end(`${text}\n`);
}
