/** The error body of a site's playground proxy for a request that it refused or could not send. */

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

/** Refusals before a request to the API was sent, after which the browser can send the request itself. */
export const browserMaySend: ReadonlySet<ProxyRefusalCode> = new Set(["address", "not-connected", "target", "too-large"]);
