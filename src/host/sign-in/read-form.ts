import type { IncomingMessage } from "node:http";

/** Maximum size of a form or another small body, in bytes. */
const body_bytes = 16 * 1024;

/** Reads a small body. Undefined if it is too large. */
export async function readSmallBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > body_bytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** Reads a submitted form. Undefined if it is too large. */
export async function readForm(request: IncomingMessage): Promise<URLSearchParams | undefined> {
  const body = await readSmallBody(request);
  return body === undefined ? undefined : new URLSearchParams(body);
}

/** Returns the parameters by name. Undefined if one is there twice, which OAuth 2.1 (section 3.1) forbids. */
export function uniqueParameters(parameters: URLSearchParams): Record<string, string> | undefined {
  return new Set(parameters.keys()).size === parameters.size ? Object.fromEntries(parameters) : undefined;
}
