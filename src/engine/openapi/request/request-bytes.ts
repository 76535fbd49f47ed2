/** Converts the body of a request to bytes. Reads its files. */

import type { HttpRequest } from "./request-model.ts";
import { fileBytes, multipartBytes } from "./request-multipart.ts";

/** Returns the body of a request as bytes. Undefined if there is no body. Rejects if a file can't be read. */
export async function requestBytes({ body }: HttpRequest): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (!body) return undefined;
  if (body.kind === "text") return new TextEncoder().encode(body.text);
  return body.kind === "file" ? fileBytes(body.file) : multipartBytes(body);
}
