/** Reads what a token says about a reader for the playground and for pages, and writes it as a cookie. */

import type { JWTPayload } from "jose";
import type { ReaderData, ReaderDataPlace, ReaderValue } from "../../base/reader-data.ts";

const places: readonly ReaderDataPlace[] = ["server", "header", "query", "cookie", "path"];
/** Maximum size of the values. Browsers limit cookies to 4 KB. */
const readerData_bytes = 2_000;
/** Maximum number of objects and lists around a value of `user`. */
const levels = 4;

/**
 * Reads the claims `apiPlaygroundInputs` and `content`. Leaves out what isn't a text, a number, or a flag,
 * and what doesn't fit. In `content`, also objects and lists of these, and no URLs that run code.
 */
export function readerDataOf(claims: JWTPayload | undefined): ReaderData {
  const data: ReaderData = {};
  let size = 0;
  const fits = (name: string, value: unknown) =>
    (size += Buffer.byteLength(JSON.stringify([name, value]))) <= readerData_bytes;
  const inputs = claims?.apiPlaygroundInputs as Partial<Record<ReaderDataPlace, unknown>> | null | undefined;
  for (const place of places) {
    const values = inputs?.[place];
    if (typeof values !== "object" || values === null) continue;
    for (const [name, value] of Object.entries(values)) {
      if (!isSimple(value)) continue;
      if (!fits(name, value)) return data;
      data[place] = { ...data[place], [name]: value };
    }
  }

  const copy = (name: string, value: unknown, level: number): ReaderValue | undefined => {
    if (isSimple(value)) return !runsCode(value) && fits(name, value) ? value : undefined;
    if (typeof value !== "object" || value === null || level === levels || !fits(name, {})) return undefined;
    if (Array.isArray(value))
      return value.map((item) => copy("", item, level + 1)).filter((item) => item !== undefined);
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, item]) => {
        const copied = copy(key, item, level + 1);
        return copied === undefined ? [] : [[key, copied]];
      }),
    );
  };
  const user = Array.isArray(claims?.content) ? undefined : copy("user", claims?.content, 0);
  if (typeof user === "object" && Object.keys(user).length > 0) data.user = user as ReaderData["user"];
  return data;
}

function isSimple(value: unknown): value is string | number | boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

/** Whether a link to the value would run code. Browsers ignore control characters. */
function runsCode(value: string | number | boolean): boolean {
  return /^(?:javascript|vbscript|data):/i.test(String(value).replace(/[\u0000-\u0020]/g, ""));
}

/** Writes the value of the cookie. */
export function writeReaderData(data: ReaderData): string {
  return Buffer.from(JSON.stringify(data)).toString("base64url");
}
