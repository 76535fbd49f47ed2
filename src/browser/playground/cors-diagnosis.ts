/** Finds out why a browser request failed. Browsers don't give scripts the reason. */

import type { HttpRequest } from "../../engine/openapi/request/request-model.ts";
import { notSentByBrowsers } from "../../engine/openapi/request/request-restrictions.ts";

export interface Diagnosis {
  cause: "offline" | "mixedContent" | "cors";
  /** Headers that the API's response needs for CORS. Empty if CORS isn't the cause. */
  needed: [string, string][];
  /** Whether the browser sends a preflight request (OPTIONS) first. */
  preflight: boolean;
}

const simpleMethods = new Set(["GET", "HEAD", "POST"]);
const simpleHeaders = new Set(["accept", "accept-language", "content-language", "content-type", "range"]);
const simpleTypes = /^(?:application\/x-www-form-urlencoded|multipart\/form-data|text\/plain)\s*(?:;|$)/i;

/**
 * Returns the probable cause of a failed request. `credentials`: whether the browser sent cookies for the
 * API.
 */
export function diagnose(request: HttpRequest, credentials: boolean): Diagnosis {
  const target = new URL(request.url);
  if (!navigator.onLine) return { cause: "offline", needed: [], preflight: false };

  // Browsers allow insecure requests to the local machine from HTTPS pages.
  const isLocal = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$|\.localhost$/.test(target.hostname);
  if (location.protocol === "https:" && target.protocol === "http:" && !isLocal)
    return { cause: "mixedContent", needed: [], preflight: false };

  const sent = request.headers.filter((header) => !notSentByBrowsers(header));
  const headers = sent
    .filter(
      ([name, value]) =>
        !simpleHeaders.has(name.toLowerCase()) ||
        (name.toLowerCase() === "content-type" && !simpleTypes.test(value)),
    )
    .map(([name]) => name.toLowerCase());

  const method = simpleMethods.has(request.method) ? undefined : request.method;
  const needed: [string, string][] = [
    ["Access-Control-Allow-Origin", /^https?:$/.test(location.protocol) ? location.origin : "*"],
  ];
  if (headers.length > 0) needed.push(["Access-Control-Allow-Headers", [...new Set(headers)].join(", ")]);
  if (method) needed.push(["Access-Control-Allow-Methods", method]);
  if (credentials) needed.push(["Access-Control-Allow-Credentials", "true"]);

  return { cause: "cors", needed, preflight: headers.length > 0 || method !== undefined };
}

/** Whether the server responds. The response itself isn't readable without CORS. */
export async function reachable(url: string): Promise<boolean> {
  try {
    await fetch(new URL("/", url), {
      mode: "no-cors",
      method: "HEAD",
      credentials: "omit",
      cache: "no-store",
    });
    return true;
  } catch {
    return false;
  }
}
