/** Reads what a token says about a reader for the playground, and writes it as a cookie. */

import type { ReaderData, ReaderDataPlace } from "../../base/reader-data.ts";

/** The claim with the values. */
export const readerDataClaim = "apiPlaygroundInputs";

const places: readonly ReaderDataPlace[] = ["server", "header", "query", "cookie", "path"];
/** Maximum size of the values. Browsers limit cookies to 4 KB. */
const readerData_bytes = 2_000;

/** Reads a claim of a token. Leaves out what isn't a text, a number, or a flag, and what doesn't fit. */
export function readerDataOf(claim: unknown): ReaderData {
  const data: ReaderData = {};
  let size = 0;
  for (const place of places) {
    const values = (claim as Partial<Record<ReaderDataPlace, unknown>> | null | undefined)?.[place];
    if (typeof values !== "object" || values === null) continue;
    for (const [name, value] of Object.entries(values)) {
      if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean") continue;
      size += Buffer.byteLength(JSON.stringify([name, value]));
      if (size > readerData_bytes) return data;
      data[place] = { ...data[place], [name]: value };
    }
  }
  return data;
}

/** Writes the value of the cookie. */
export function writeReaderData(data: ReaderData): string {
  return Buffer.from(JSON.stringify(data)).toString("base64url");
}
