/**
 * Types of the error that a site's playground proxy returns if it refuses a request, can't send the request,
 * or gets no complete response.
 */

export type ProxyRefusalCode =
  | "access"
  | "address"
  | "headers"
  | "method"
  | "not-connected"
  | "origin"
  | "rate"
  | "sign-in"
  | "target"
  | "timeout"
  | "too-large"
  | "unreachable";

export interface ProxyRefusalBody {
  error: string;
  code: ProxyRefusalCode;
  /** The blocked host, and the entry that an operator can add to a setting to allow the host. */
  blocked?: { host: string; entry: string; setting: string };
}

/** Error codes that allow the browser to send the request itself, since the proxy sent nothing to the API. */
export const browserMaySend: ReadonlySet<ProxyRefusalCode> = new Set([
  "address",
  "not-connected",
  "target",
  "too-large",
]);
