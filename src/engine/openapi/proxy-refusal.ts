/** The error body of a site's playground proxy: it refused the request, could not send it, or got no response. */

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
  /** The blocked host, and the setting and its entry with which an operator can allow the host. */
  blocked?: { host: string; entry: string; setting: string };
}

/** Codes for which the proxy sent nothing to the API, so the browser may send the request itself. */
export const browserMaySend: ReadonlySet<ProxyRefusalCode> = new Set(["address", "not-connected", "target", "too-large"]);
